import { DeepgramClient } from "@deepgram/sdk";
import { afterEach, expect, test } from "vitest";
import { KEY, serveFlux, serveNova } from "../kit/vendors/deepgram-vendors.ts";
import type { ScriptedVendor } from "../kit/vendors/scripted-vendor.ts";
import { quietBytes, sayBytes } from "../kit/vendors/spoken-bytes.ts";

const vendors: ScriptedVendor[] = [];
afterEach(async () => {
  for (const vendor of vendors.splice(0)) await vendor.close();
});

/** Deepgram's own client, at a scripted vendor. */
const clientOf = (vendor: ScriptedVendor) => {
  vendors.push(vendor);
  const production = vendor.url.replace("http", "ws");
  const environment = { base: vendor.url, production, agent: production, agentRest: vendor.url };
  return new DeepgramClient({ apiKey: KEY, environment });
};

const ASKED = { encoding: "mulaw", sample_rate: 8000, Authorization: `Token ${KEY}`, reconnectAttempts: 0 } as const;

test("Deepgram's own client understands the server that stands in for Nova, and is understood", async () => {
  const vendor = await serveNova();
  const socket = await clientOf(vendor).listen.v1.connect({ ...ASKED, model: "nova-3", interim_results: "true" });
  const final = Promise.withResolvers<string | undefined>();
  socket.on("message", (message) => {
    if (message.type === "Results" && message.from_finalize === true)
      final.resolve(message.channel.alternatives[0]?.transcript);
  });
  socket.connect();
  await socket.waitForOpen();
  socket.sendMedia(sayBytes("book", "a", "table"));
  socket.sendKeepAlive({ type: "KeepAlive" });
  socket.sendFinalize({ type: "Finalize" });
  expect(await final.promise).toBe("book a table");
  socket.sendCloseStream({ type: "CloseStream" });
  await vendor.record.until(() => vendor.record.live === 0);
  socket.close();
  vendor.record.check();
});

test("Deepgram's own client understands the server that stands in for Flux, and is understood", async () => {
  const vendor = await serveFlux();
  const socket = await clientOf(vendor).listen.v2.connect({ ...ASKED, model: "flux-general-en" });
  const events: string[] = [];
  const ended = Promise.withResolvers<string>();
  socket.on("message", (message) => {
    if (message.type !== "TurnInfo") return;
    events.push(message.event);
    if (message.event === "EndOfTurn") ended.resolve(message.transcript);
  });
  socket.connect();
  await socket.waitForOpen();
  socket.sendMedia(sayBytes("one", "two"));
  socket.sendMedia(quietBytes(1600));
  expect(await ended.promise).toBe("one two");
  expect(events).toEqual(expect.arrayContaining(["StartOfTurn", "Update", "EagerEndOfTurn", "EndOfTurn"]));
  socket.sendCloseStream({ type: "CloseStream" });
  await vendor.record.until(() => vendor.record.live === 0);
  socket.close();
  vendor.record.check();
});
