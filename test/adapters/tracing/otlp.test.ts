import { afterEach, beforeEach, expect, test } from "vitest";
import { SystemRandom } from "../../../src/adapters/random/system.ts";
import { OtlpTracer, type OtlpTracerOptions } from "../../../src/adapters/tracing/otlp.ts";
import { spanIdOf } from "../../../src/kit/trace-id.ts";
import type { Span } from "../../../src/ports/tracer.ts";
import { silentLogger } from "../../kit/silent-logger.ts";
import { TraceReceiver } from "../../kit/trace-receiver.ts";
import { VirtualClock } from "../../kit/virtual-clock.ts";

const DIAL = "01a1f915-8403-702e-a77f-10eaa4c052c2";
const TRACE = "01a1f9158403702ea77f10eaa4c052c2";
const NOON = Date.parse("2026-01-05T12:00:00.000Z");

let receiver: TraceReceiver;
const tracers: OtlpTracer[] = [];
const open = (options: Partial<OtlpTracerOptions> = {}): OtlpTracer => {
  const tracer = new OtlpTracer({
    url: `${receiver.endpoint}/v1/traces`,
    headers: { authorization: "Bearer collector" },
    resource: { "service.name": "calls" },
    ratio: 1,
    clock: new VirtualClock(),
    random: new SystemRandom(),
    logger: silentLogger(),
    ...options,
  });
  tracers.push(tracer);
  return tracer;
};

beforeEach(async () => {
  receiver = await TraceReceiver.start();
});
afterEach(async () => {
  for (const tracer of tracers.splice(0)) await tracer.close();
  await receiver.close();
});

const span = (more: Partial<Span> = {}): Span => ({
  dialId: DIAL,
  name: "turn",
  fromMs: NOON + 0.25,
  untilMs: NOON + 1500,
  ...more,
});

test("spans of a dial lie below one another in the trace that has the dial's own id, whichever process told them", async () => {
  const api = open();
  api.span(span({ name: "dial", key: "dial", kind: "server" }));
  await api.close();
  const worker = open();
  worker.span(span({ name: "turn", key: "turn 1", attributes: { turn: 1, interrupted: false } }));
  worker.span(span({ name: "model", under: "turn 1", failed: true }));
  await worker.close();
  const [dial, turn, model] = receiver.spans;
  expect(receiver.spans.map(({ traceId }) => traceId)).toEqual([TRACE, TRACE, TRACE]);
  expect([dial?.parentSpanId ?? "", turn?.parentSpanId, model?.parentSpanId]).toEqual(["", dial?.spanId, turn?.spanId]);
  expect(turn).toMatchObject({
    fromMs: NOON + 0.25,
    untilMs: NOON + 1500,
    failed: false,
    attributes: { "call_engine.dial.id": DIAL, "call_engine.turn": 1, "call_engine.interrupted": false },
    resource: { "service.name": "calls", "telemetry.sdk.name": "opentelemetry" },
  });
  expect([dial?.kind, model?.kind, model?.failed]).toEqual([2, 1, true]);
  expect(receiver.headers[0]).toMatchObject({ authorization: "Bearer collector", "content-type": "application/json" });
});

test("whoever is asked goes on below the span that asks", () => {
  expect(open().traceparent(DIAL, "function 1")).toBe(`00-${TRACE}-${spanIdOf(DIAL, "function 1")}-01`);
});

test("what is not among the known attributes is not sent", async () => {
  const tracer = open();
  const attributes = { turn: 1, toNumber: "+12025550123", constructor: "x" } as Required<Span>["attributes"];
  tracer.span(span({ attributes }));
  await tracer.close();
  expect(receiver.spans).toHaveLength(1);
  expect(receiver.text).not.toContain("12025550123");
});

test("of many dials the wanted share is traced, each of them whole, and the same ones by every process", async () => {
  const random = new SystemRandom();
  const dials = Array.from({ length: 400 }, () => random.id());
  const chosen: string[][] = [];
  for (let round = 0; round < 2; round++) {
    const tracer = open({ ratio: 0.5 });
    for (const dialId of dials) {
      tracer.span(span({ dialId, name: "dial", key: "dial" }));
      tracer.span(span({ dialId, key: "call" }));
      tracer.span(span({ dialId, under: "call" }));
    }
    await tracer.close();
    const seen = receiver.spans.splice(0).map(({ traceId }) => traceId);
    chosen.push([...new Set(seen)].toSorted());
    expect(seen).toHaveLength(3 * new Set(seen).size);
    for (const dialId of dials)
      expect(tracer.traceparent(dialId, "call").endsWith("-01")).toBe(seen.includes(dialId.replaceAll("-", "")));
  }
  expect(chosen[0]).toEqual(chosen[1]);
  expect(chosen[0]?.length).toBeGreaterThan(100);
  expect(chosen[0]?.length).toBeLessThan(300);
});

test("a collector that refuses costs nobody anything but the spans, and is told of once", async () => {
  receiver.answer = 400;
  const log: string[] = [];
  const logger = { ...silentLogger(), warn: (message: string) => void log.push(message) };
  const tracer = open({ logger });
  // More than one batch.
  for (let index = 0; index < 600; index++) tracer.span(span());
  await receiver.taken();
  await tracer.close();
  expect(receiver.requests).toBeGreaterThan(1);
  expect(log.filter((line) => line.startsWith("traces were not taken"))).toHaveLength(1);
});

test("a span that ends before it begins has no length, and ids that are no UUID have a trace all the same", async () => {
  const tracer = open();
  tracer.span(span({ dialId: "dial-1", untilMs: NOON - 5000 }));
  await tracer.close();
  const [only] = receiver.spans;
  expect(only?.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(only?.untilMs).toBe(only?.fromMs);
});
