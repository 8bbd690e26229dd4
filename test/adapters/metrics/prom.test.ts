import { readFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { PromMetrics } from "../../../src/adapters/metrics/prom.ts";
import { measure } from "../../../src/call/measure.ts";
import { callEnd } from "../../../src/model/call-end.ts";
import { sleep } from "../../../src/ports/clock.ts";

const made: PromMetrics[] = [];
const metrics = () => {
  const fresh = new PromMetrics();
  made.push(fresh);
  return fresh;
};
afterEach(() => {
  for (const one of made.splice(0)) one.close();
});

test("dials are counted by reason, status, result and fault", async () => {
  const counted = metrics();
  counted.dialCreated("outbound");
  counted.dialEnded(callEnd("busy", "remote"));
  counted.dialEnded(callEnd("agent_hangup", "agent"));
  counted.dialEnded(callEnd("agent_hangup", "agent"));
  const { body, contentType } = await counted.expose();
  expect(contentType).toMatch(/^text\/plain/);
  expect(body).toContain('call_engine_dials_created_total{direction="outbound"} 1');
  expect(body).toContain('call_engine_dials_ended_total{reason="busy",status="busy",result="BUSY",fault="caller"} 1');
  expect(body).toContain(
    'call_engine_dials_ended_total{reason="agent_hangup",status="completed",result="none",fault="none"} 2',
  );
});

test("latency is given in seconds, by stage", async () => {
  const counted = metrics();
  counted.stage("heard", 740);
  counted.stage("heard", 1260);
  const { body } = await counted.expose();
  expect(body).toContain('call_engine_turn_latency_seconds_sum{stage="heard"} 2');
  expect(body).toContain('call_engine_turn_latency_seconds_bucket{le="0.7",stage="heard"} 0');
  expect(body).toContain('call_engine_turn_latency_seconds_bucket{le="0.8",stage="heard"} 1');
});

test("active calls go up and down and leave their duration", async () => {
  const counted = metrics();
  counted.callStarted();
  counted.callStarted();
  counted.callEnded(61_000);
  const { body } = await counted.expose();
  expect(body).toContain("call_engine_active_calls 1");
  expect(body).toContain('call_engine_call_duration_seconds_bucket{le="120"} 1');
});

test("a blocked event loop shows as lag in the scrape that follows, and only there", async () => {
  const clock = new SystemClock();
  const counted = metrics();
  const lag = async () =>
    Number(/^call_engine_event_loop_lag_max_seconds (\S+)$/m.exec((await counted.expose()).body)?.[1]);
  expect(await lag()).toBe(0);
  await sleep(clock, 50);
  const until = clock.monotonic() + 150;
  while (clock.monotonic() < until);
  await sleep(clock, 30);
  const blocked = await lag();
  expect(blocked).toBeGreaterThan(0.08);
  expect(await lag()).toBeLessThan(blocked);
});

test("every metric is described in docs/metrics.md, and nothing else is", async () => {
  const counted = metrics();
  const { body } = await counted.expose();
  const exposed = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
  const documented = [...(await readFile("docs/metrics.md", "utf8")).matchAll(/^\| `(call_engine_\w+)` \| (\w+) \|/gm)];
  expect(exposed.length).toBeGreaterThan(10);
  expect(documented.map(([, name, type]) => `${name} ${type}`).toSorted()).toEqual(exposed.toSorted());
});

test("turns are counted by reason, and what each stage added adds up to what was heard", async () => {
  const counted = metrics();
  const turn = { index: 1, startMs: 0, endReason: "silence", interrupted: true } as const;
  // The model had begun before the turn was judged complete: it added nothing.
  measure(counted, { ...turn, endpointMs: 500, modelFirstTokenMs: 450, audioSentMs: 700, heardMs: 740 });
  measure(counted, { ...turn, endReason: "opening", interrupted: false, heardMs: 30 });
  const { body } = await counted.expose();
  const sums = [...body.matchAll(/^call_engine_turn_stage_added_seconds_sum\{stage="(\w+)"\} (\S+)$/gm)].map(
    ([, stage, sum]) => [stage, Math.round(Number(sum) * 1000)],
  );
  expect(sums).toEqual([
    ["endpoint", 500],
    ["model", 0],
    ["sent", 200],
    ["heard", 40],
  ]);
  expect(body).toContain('call_engine_turns_total{reason="silence",interrupted="true"} 1');
  expect(body).toContain('call_engine_turns_total{reason="opening",interrupted="false"} 1');
});

test("words that come after the wait a turn deserved are the transcriber's time, and not the wait for the turn's end", async () => {
  const counted = metrics();
  const turn = { index: 1, startMs: 0, interrupted: false, endpoint: { waitMs: 300 } } as const;
  measure(counted, { ...turn, endReason: "transcript", endpointMs: 940, transcriptMs: 940, heardMs: 1000 });
  measure(counted, { ...turn, endReason: "silence", endpointMs: 305, transcriptMs: 250, heardMs: 400 });
  // The words were overdue, and it went by what there was.
  measure(counted, { ...turn, endReason: "timeout", endpointMs: 2000, heardMs: 2100 });
  const { body } = await counted.expose();
  const sum = (name: string, stage: string) =>
    Math.round(
      Number(new RegExp(`^call_engine_${name}_seconds_sum\\{stage="${stage}"\\} (\\S+)$`, "m").exec(body)?.[1]) * 1000,
    );
  expect(["endpoint", "transcript", "heard"].map((stage) => sum("turn_stage_added", stage))).toEqual([905, 2340, 255]);
  expect(["endpoint", "transcript"].map((stage) => sum("turn_latency", stage))).toEqual([905, 3190]);
});

test("webhooks that are given up are counted from nought, so that the first of them is an increase", async () => {
  const { body } = await metrics().expose();
  expect(body).toContain('call_engine_webhooks_dead_total{why="exhausted"} 0');
  expect(body).toContain('call_engine_webhooks_dead_total{why="gone"} 0');
});

test("what can be listed beforehand is counted from nought as well", async () => {
  const counted = metrics();
  counted.mayFail("synthesizer", "openai");
  counted.mayTakeOver("synthesizer", "openai", "flite");
  const nought = async () =>
    [...(await counted.expose()).body.matchAll(/^call_engine_(\w+_total)\{(.*)\} 0$/gm)].map(
      ([, name, labels]) => `${name} ${labels}`,
    );
  expect(await nought()).toEqual(
    expect.arrayContaining([
      'provider_errors_total port="synthesizer",provider="openai"',
      'fallbacks_total port="synthesizer",from="openai",to="flite"',
      'hedges_total won="second"',
      'frames_dropped_total where="out"',
      'barge_ins_total decision="resumed"',
      'dials_created_total direction="inbound"',
      'dials_ended_total reason="worker_lost",status="failed",result="FAILED",fault="platform"',
      'dials_ended_total reason="agent_hangup",status="completed",result="none",fault="none"',
    ]),
  );
  counted.providerError("synthesizer", "openai");
  counted.mayFail("synthesizer", "openai");
  expect((await counted.expose()).body).toContain(
    'call_engine_provider_errors_total{port="synthesizer",provider="openai"} 1',
  );
});

test("what is not known about the room has no sample, and comes back when it is known", async () => {
  const counted = metrics();
  const samples = async () =>
    [...(await counted.expose()).body.matchAll(/^call_engine_((?:worker|queue)_\w+) (\S+)$/gm)].map(
      ([, name, value]) => `${name} ${value}`,
    );
  expect(await samples()).toEqual([]);
  let away = false;
  let asked = 0;
  counted.watchWorker(() => ({ slots: 10, held: 3, waiting: 1 }));
  counted.watchBacklog(async () => {
    asked += 1;
    if (away) throw new Error("The database is away.");
    return { count: 0, oldestMs: 1500 };
  });
  const worker = ["worker_slots 10", "worker_slots_held 3", "worker_dials_waiting 1"];
  const queue = ["queue_dials 0", "queue_oldest_seconds 1.5"];
  expect(await samples()).toEqual([...worker, ...queue]);
  expect(asked).toBe(1);
  away = true;
  expect(await samples()).toEqual(worker);
  away = false;
  expect(await samples()).toEqual([...worker, ...queue]);
});
