import { expect, test } from "vitest";
import { Scope } from "../../src/kit/scope.ts";
import type { Transport } from "../../src/ports/transport.ts";
import type { HeldDial } from "../../src/worker/held-dial.ts";
import { keepLine } from "../../src/worker/keep-line.ts";
import { Lines } from "../../src/worker/lines.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const TICKET = { dialId: "dial", epoch: 1, carrier: "sim" };

const lineNaming = (carrierCallId: string | undefined): Transport => ({
  format: { encoding: "mulaw", sampleRate: 8000 },
  queue: "far-end",
  carrierCallId,
  bufferedAmount: 0,
  listen: () => undefined,
  send: () => undefined,
  mark: () => undefined,
  clear: () => undefined,
  close: () => undefined,
});

/** A held dial whose line is kept, of a carrier that comes back after a broken socket. */
const kept = (callId: string | undefined, first: Transport) => {
  const lines = new Lines();
  const held = { carrier: { connect: () => undefined }, claim: TICKET, callId, transferring: false };
  const scope = new Scope("test");
  const deps = { clock: new VirtualClock(), logger: silentLogger(), lines };
  const line = keepLine(deps, held as unknown as HeldDial, first, scope);
  line.listen({ frame: () => undefined, digit: () => undefined, mark: () => undefined, gone: () => undefined });
  return { lines, scope };
};

test.each([
  ["names the call", "call", "call", "call", true],
  ["names no call, as the one before it", "call", undefined, undefined, true],
  ["names no call, though the one before it did", "call", "call", undefined, true],
  ["names a call that was never told", undefined, undefined, "call", true],
  ["names another call", "call", "call", "other", false],
])("a media line that comes back and %s is taken or not", async (_, callId, first, next, taken) => {
  const { lines, scope } = kept(callId, lineNaming(first));
  expect(lines.arrived(TICKET, lineNaming(next))).toBe(taken);
  await scope.close();
  expect(lines.size).toBe(0);
});
