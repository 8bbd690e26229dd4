import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { callEnd } from "../../src/model/call-end.ts";
import { ApiRig, KEY } from "../kit/api-rig.ts";

const rigs: ApiRig[] = [];
const start = async () => {
  const rig = new ApiRig();
  rigs.push(rig);
  await rig.app.listen({ port: 0, host: "127.0.0.1" });
  return rig;
};
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.close()));
});

/** A client of the stream, over a real connection. */
const follow = async (rig: ApiRig, dialId: string, headers: Record<string, string> = {}) => {
  const { port } = rig.app.server.address() as AddressInfo;
  const abort = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/api/dials/${dialId}/events`, {
    headers: { authorization: `Bearer ${KEY}`, ...headers },
    signal: abort.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    response,
    /** Reads on until the text matches; all of it so far. */
    until: async (pattern: RegExp): Promise<string> => {
      while (!pattern.test(text)) {
        const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done) throw new Error(`the stream ended before ${String(pattern)}: ${text}`);
        text += value;
      }
      return text;
    },
    /** Reads to the end; all of it. */
    rest: async (): Promise<string> => {
      for (;;) {
        const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done) return text;
        text += value;
      }
    },
    leave: () => abort.abort(),
  };
};

const status = (name: "ringing" | "in-progress") => ({ type: "status", status: name, systemResultType: null }) as const;

test("a stream tells what was kept and what happens, and ends after the terminal status", async () => {
  const rig = await start();
  const { dialId } = await rig.dial();
  const stream = await follow(rig, dialId);
  expect(stream.response.headers.get("content-type")).toBe("text/event-stream");
  await stream.until(/"queued"/);
  rig.live.publish(dialId, status("in-progress"));
  rig.live.publish(dialId, { type: "interim", text: "line\nbreak" });
  await rig.finish(dialId, callEnd("counterparty_hangup", "remote"));
  const text = await stream.rest();
  expect(text.match(/^event: .*$/gm)).toEqual(["event: status", "event: status", "event: interim", "event: status"]);
  expect(text.match(/^id: .*$/gm)).toEqual(["id: 1", "id: 2", "id: 3", "id: 4"]);
  expect(text).toContain(String.raw`data: {"type":"interim","text":"line\nbreak"}`);
  expect(text.endsWith("\n\n")).toBe(true);
  expect(rig.live.followers).toBe(0);
  expect(rig.clock.pending).toBe(0);
});

test("Last-Event-ID continues after the event that was seen last", async () => {
  const rig = await start();
  const { dialId } = await rig.dial();
  rig.live.publish(dialId, status("ringing"));
  rig.live.publish(dialId, status("in-progress"));
  const stream = await follow(rig, dialId, { "last-event-id": "2" });
  const text = await stream.until(/in-progress/);
  expect(text).not.toMatch(/queued|ringing/);
});

test("a quiet stream is kept open by comments", async () => {
  const rig = await start();
  const { dialId } = await rig.dial();
  const stream = await follow(rig, dialId);
  await stream.until(/queued/);
  await rig.clock.advance(30_000);
  expect(await stream.until(/(^: \n\n[^]*){2}/m)).toContain(": \n\n");
});

test("a reader who leaves is no longer followed for", async () => {
  const rig = await start();
  const { dialId } = await rig.dial();
  const stream = await follow(rig, dialId);
  await stream.until(/queued/);
  expect(rig.live.followers).toBe(1);
  stream.leave();
  while (rig.live.followers > 0) await new Promise((resolve) => setImmediate(resolve));
  await rig.clock.settle();
  expect(rig.clock.pending).toBe(0);
});

test("a dial that was over long ago tells its end from its record", async () => {
  const rig = await start();
  const { dialId } = await rig.dial();
  await rig.memory.store.dials.end(dialId, { evidence: 3, type: "observed", end: callEnd("busy", "remote") });
  rig.live.published.length = 0;
  const stream = await follow(rig, dialId);
  await stream.until(/connected/);
  await rig.clock.settle();
  await rig.clock.advance(1000);
  expect(await stream.rest()).toContain('data: {"type":"status","status":"busy","systemResultType":"BUSY"}');
});

test("a terminal status that was lost on the way is found at the next beat", async () => {
  const rig = await start();
  const { dialId } = await rig.dial();
  const stream = await follow(rig, dialId);
  await stream.until(/queued/);
  await rig.memory.store.dials.end(dialId, { evidence: 3, type: "observed", end: callEnd("no_answer", "remote") });
  await rig.clock.advance(15_000);
  expect(await stream.rest()).toContain('"status":"no-answer","systemResultType":"NO_ANSWER"');
});

test("a store that goes away for a while does not break a stream", async () => {
  const rig = await start();
  const { dialId } = await rig.dial();
  const stream = await follow(rig, dialId);
  await stream.until(/queued/);
  rig.memory.away = true;
  await rig.clock.advance(45_000);
  rig.memory.away = false;
  await rig.finish(dialId, callEnd("agent_hangup", "agent"));
  await rig.clock.advance(15_000);
  expect(await stream.rest()).toContain('"status":"completed"');
});

test("closing the server ends its streams", async () => {
  const rig = await start();
  const { dialId } = await rig.dial();
  const stream = await follow(rig, dialId);
  await stream.until(/queued/);
  await rig.close();
  expect(await stream.rest()).not.toContain("completed");
  expect(rig.live.followers).toBe(0);
  expect(rig.clock.pending).toBe(0);
});
