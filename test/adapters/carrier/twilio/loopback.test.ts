import { readFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { callerFromEnv } from "../../../../src/adapters/carrier/twilio/loopback.ts";
import { LOOPBACK_NUMBERS, isLoopbackNumber } from "../../../../src/adapters/carrier/simulation/numbers.ts";
import type { CarrierEnd } from "../../../../src/ports/carrier.ts";
import { carrierContract } from "../../../contract/carrier.contract.ts";
import { watchForLeaks } from "../../../kit/leaks.ts";
import { encodeMulaw } from "../../../../src/audio/g711.ts";
import { tone } from "../../../kit/tones.ts";
import { LineLog, networkRig, type Rig } from "./network-rig.ts";

const speak = async () => ({ samples: tone(300, 200, 16_000), sampleRate: 16_000 });
const patience = () => new AbortController().signal;

carrierContract(
  async () => {
    const rig = await networkRig({ speak });
    return {
      carrier: rig.network,
      placed: () => rig.network.load.known,
      request: (to) => rig.request(to),
      close: () => rig.close(),
    };
  },
  {
    answers: "+12025550123",
    outcomes: [
      ["+12025550134", { type: "rejected", reason: "invalid_number" }, 0],
      ["+12025550199", { type: "rejected", reason: "invalid_number" }, 0],
      ["+4930123456", { type: "rejected", reason: "invalid_number" }, 0],
      ["+12025550135", { type: "rejected", reason: "carrier_rejected" }, 0],
      ["+12025550136", { type: "rejected", reason: "carrier_error" }, 0],
      ["+12025550137", { type: "rate-limited", retryAfterMs: 1000 }, 0],
      ["+12025550139", { type: "ambiguous" }, 1],
      ["+12025550150", { type: "ambiguous" }, 0],
      ["+12025550151", { type: "not-sent" }, 0],
    ],
  },
);

let rig: Rig | undefined;

afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

test.each<[string, CarrierEnd]>([
  ["+12025550130", { cause: "busy" }],
  ["+12025550132", { cause: "rejected" }],
  ["+12025550133", { cause: "invalid-number" }],
  ["+12025550138", { cause: "failed" }],
])("%s rings and then ends, and the callbacks say so", async (to, end) => {
  rig = await networkRig({ speak });
  const request = rig.request(to);
  const outcome = await rig.network.place(request, patience());
  const last = await rig.report("ended");
  expect(rig.reports.map(({ call }) => call.state)).toEqual(["ringing", "ended"]);
  expect(last).toEqual({ dialId: request.dialId, call: { state: "ended", callId: expect.any(String), end } });
  expect(outcome).toEqual({ type: "accepted", callId: last.call.callId });
  expect(await rig.network.lookUp({ dialId: request.dialId })).toEqual(last.call);
});

test("a number that nobody picks up rings until the time-out of the request", async () => {
  rig = await networkRig({ speak });
  const startedAt = rig.clock.monotonic();
  await rig.network.place(rig.request("+12025550131", { ringTimeoutMs: 400 }), patience());
  expect((await rig.report("ended")).call).toMatchObject({ end: { cause: "no-answer" } });
  expect(rig.clock.monotonic() - startedAt).toBeGreaterThan(390);
});

test("a person who hangs up ends the call as completed by the other side", async () => {
  rig = await networkRig({ speak });
  const request = rig.request("+12025550141");
  await rig.network.place(request, patience());
  const log = new LineLog();
  (await rig.nextLine()).listen(log);
  await log.until(() => log.gone_ !== undefined);
  expect(log.gone_).toBe("hung-up");
  expect(log.frames).toHaveLength(50);
  expect((await rig.report("ended")).call).toMatchObject({ end: { cause: "completed", endedBy: "remote" } });
  expect(rig.reports.map(({ call }) => call.state)).toEqual(["ringing", "in-progress", "ended"]);
});

test("somebody hangs up in the middle of what the agent says", async () => {
  rig = await networkRig({ speak });
  const request = rig.request("+12025550129");
  await rig.network.place(request, patience());
  const line = await rig.nextLine();
  const log = new LineLog();
  line.listen(log);
  line.send(encodeMulaw(tone(440, 5000, 8000)));
  await log.until(() => log.gone_ !== undefined);
  expect(log.gone_).toBe("hung-up");
  expect(rig.network.call(request.dialId)!.phone!.heard.samples().length / 8).toBeLessThan(1300);
});

test.each(["the network", "our side of the socket"])(
  "a call that is ended by %s says nothing of the person",
  async (by) => {
    rig = await networkRig({ speak });
    const request = rig.request("+12025550126");
    const outcome = await rig.network.place(request, patience());
    const line = await rig.nextLine();
    const log = new LineLog();
    line.listen(log);
    await log.until(() => log.frames.length === 3);
    if (by === "the network" && outcome.type === "accepted") await rig.network.hangUp(outcome.callId);
    else line.close();
    await log.until(() => log.gone_ !== undefined);
    expect(log.gone_).toBe(by === "the network" ? "hung-up" : "closed-by-us");
    expect((await rig.report("ended")).call).toMatchObject({ end: { cause: "completed" } });
    expect(Object.keys((rig.reports.at(-1)!.call as { end: CarrierEnd }).end)).toEqual(["cause"]);
  },
);

test("the network's own time limit ends a call that nobody else ends", async () => {
  rig = await networkRig({ speak });
  await rig.network.place(rig.request("+12025550126", { timeLimitMs: 300 }), patience());
  expect((await rig.report("ended")).call).toMatchObject({ end: { cause: "time-limit" } });
});

test("a call whose sound never comes stays up without a line until it is ended", async () => {
  rig = await networkRig({ speak });
  const outcome = await rig.network.place(rig.request("+12025550121"), patience());
  await rig.report("in-progress");
  expect(rig.lines).toHaveLength(0);
  if (outcome.type === "accepted") await rig.network.hangUp(outcome.callId);
  expect((await rig.report("ended")).call).toMatchObject({ end: { cause: "completed" } });
});

test("a phone that gets no media socket ends the call as the carrier's doing", async () => {
  rig = await networkRig({ speak });
  await rig.network.place(
    rig.request("+12025550123", {
      mediaUrl: `${rig.baseUrl.replace("http", "ws")}/media/loopback/a-token-that-nobody-issued`,
    }),
    patience(),
  );
  expect((await rig.report("ended")).call).toMatchObject({ end: { cause: "completed", endedBy: "carrier" } });
});

test("a callback that finds nobody is posted again until somebody is there", async () => {
  rig = await networkRig({ speak });
  let refusals = 2;
  const [answer] = rig.server.listeners("request") as ((...args: unknown[]) => void)[];
  rig.server.removeAllListeners("request");
  rig.server.on("request", (request, response) => {
    refusals -= 1;
    if (refusals >= 0) response.writeHead(503).end();
    else answer?.(request, response);
  });
  await rig.network.place(rig.request("+12025550130"), patience());
  await rig.report("ended");
  expect(rig.reports.map(({ call }) => call.state)).toEqual(["ringing", "ended"]);
});

test("people whose lines are text cannot be called without a voice", async () => {
  rig = await networkRig({});
  expect(await rig.network.place(rig.request("+12025550123"), patience())).toEqual({
    type: "rejected",
    reason: "carrier_error",
  });
  expect(await rig.network.place(rig.request("+12025550141"), patience())).toMatchObject({ type: "accepted" });
});

test("a voice that fails ends the call as failed", async () => {
  rig = await networkRig({ speak: () => Promise.reject(new Error("no breath")) });
  await rig.network.place(rig.request("+12025550123"), patience());
  expect((await rig.report("ended")).call).toMatchObject({ end: { cause: "failed" } });
});

test("closing the network in the middle of calls leaves nothing running", async () => {
  const leaks = watchForLeaks();
  const own = await networkRig({ speak });
  for (const to of ["+12025550126", "+12025550131", "+12025550121"])
    await own.network.place(own.request(to), patience());
  await own.nextLine();
  await own.close();
  await leaks();
});

test("every number is in the block reserved for fiction and in the documentation", async () => {
  const page = await readFile(new URL("../../../../docs/carriers.md", import.meta.url), "utf8");
  expect(LOOPBACK_NUMBERS.size).toBeGreaterThan(15);
  for (const [number, { what }] of LOOPBACK_NUMBERS) {
    expect(isLoopbackNumber(number)).toBe(true);
    expect(page).toContain(`| \`${number}\` | ${what} |`);
  }
  for (const number of ["+12025550200", "+1202555010", "+120255501234", "12025550123"])
    expect(isLoopbackNumber(number)).toBe(false);
});

test("the environment can name the caller, and its mistakes are said", async () => {
  expect(await callerFromEnv({})).toBeUndefined();
  expect(await callerFromEnv({ LOOPBACK_LINES: "Hello. | Goodbye." })).toEqual({
    lines: [{ text: "Hello." }, { text: "Goodbye." }],
  });
  await expect(callerFromEnv({ LOOPBACK_LINES: "a||b" })).rejects.toThrow("none of them empty");
  await expect(callerFromEnv({ LOOPBACK_LINES: "a", LOOPBACK_CALLER: "b" })).rejects.toThrow("only one");
  await expect(callerFromEnv({ LOOPBACK_CALLER: "/nowhere/x.wav" })).rejects.toThrow("/nowhere/x.wav");
});
