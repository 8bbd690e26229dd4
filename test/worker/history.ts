import { expect } from "vitest";
import { hangUp } from "../../src/dials/hang-up.ts";
import { report } from "../../src/dials/report.ts";
import type { EndReason } from "../../src/model/call-end.ts";
import type { Carrier } from "../../src/ports/carrier.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { DialStore } from "../../src/ports/store.ts";
import { Lines } from "../../src/worker/lines.ts";
import { Reaper } from "../../src/worker/reaper.ts";
import { Worker } from "../../src/worker/worker.ts";
import { MemoryStore } from "../kit/memory-store.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";
import { SimCarrier, type Answer, type Script } from "./sim-carrier.ts";
import { SimProcess, type Fault } from "./sim-process.ts";
import { planOf, SimCalls, SimLive, SimLog, SimMetrics, SimQueue } from "./worker-rig.ts";

/** What a mutant does to the protocol, at the ports that it goes through. */
export type Mutation = Readonly<{
  dials?: (dials: DialStore, store: MemoryStore) => DialStore;
  carrier?: (carrier: Carrier) => Carrier;
  /** What befalls the first process, instead of what is drawn. */
  faults?: (random: SeededRandom) => readonly Fault[];
  clock?: (process: SimProcess) => Clock;
  /** What happens, instead of what is drawn; the second process has no faults then. */
  story?: Story;
}>;

export type Story = Readonly<{ script: Script; agentHangsUpMs: number | undefined; calledOffAt: number | undefined }>;

/**
 * One dial, two processes with a worker and a reaper each, and everything that may go wrong, in every order that a seed can
 * give: processes die or stand still at any await, statements fail before or after their effect, the carrier's answers, lists
 * and callbacks are late or lost, people answer, are busy, hang up, or are called off. However it goes: at most one phone rings
 * once, the dial ends once, for a true reason, and nobody is left on the line.
 */
export class History {
  readonly clock = new VirtualClock();
  readonly store = new MemoryStore(this.clock);
  readonly live = new SimLive();
  readonly queue = new SimQueue();
  readonly carrier = new SimCarrier(this.clock);
  readonly calls = new SimCalls(this.clock);
  readonly metrics = new SimMetrics();
  readonly random: SeededRandom;
  readonly story: Story;
  readonly faults: Fault[] = [];
  /** Terminal statements that decided, and those that corrected. */
  readonly ends = { first: 0, corrected: 0 };
  /** What the first process awaited until the dial had ended. */
  stepsToTheEnd: readonly string[] = [];
  readonly dials: DialStore;
  readonly #members: { process: SimProcess; lines: Lines; worker: Worker; reaper: Reaper }[] = [];

  readonly #mutation: Mutation;

  constructor(seed: number, mutation: Mutation = {}) {
    this.#mutation = mutation;
    this.random = new SeededRandom(seed);
    const honest = reachable(this.store.store.dials);
    const dials = mutation.dials?.(honest, this.store) ?? honest;
    this.dials = {
      ...dials,
      end: async (dialId, ending) => {
        const outcome = await dials.end(dialId, ending);
        if (outcome.changed) this.ends[outcome.corrected ? "corrected" : "first"] += 1;
        return outcome;
      },
    };
    this.story = mutation.story ?? this.#write();
    this.carrier.script("d1", this.story.script);
    const { agentHangsUpMs } = this.story;
    if (agentHangsUpMs !== undefined) this.calls.script("d1", { agentHangsUpMs });
    this.carrier.onReport = (word) => void report(this.#api(), word);
    this.carrier.onMedia = (mediaUrl, line) => {
      const ticket = this.live.tickets.get(mediaUrl.slice(mediaUrl.lastIndexOf("/") + 1));
      let taken = false;
      for (const { process, lines } of this.#members)
        process.reach(() => {
          if (ticket !== undefined && !taken && lines.arrived(ticket, line)) taken = true;
        });
    };
  }

  async run(): Promise<void> {
    await this.dials.create({ plan: planOf("d1"), sessionId: "session" });
    await this.#start("one", this.#draw([0, 1, 1, 1, 2]));
    const others = this.#draw([0, 0, 0, 1]);
    await this.#start("two", this.#mutation.story === undefined ? others : 0);
    await this.dials.enqueued("d1", await this.queue.add("d1"));
    if (this.story.calledOffAt !== undefined)
      this.clock.setTimer(this.story.calledOffAt, () => void hangUp(this.#api(), "workspace", "d1"));
    await this.clock.until(() => this.store.row("d1").state === "ENDED", 1_500_000).catch(() => undefined);
    this.stepsToTheEnd = this.#members[0]?.process.steps.slice() ?? [];
    // Long enough for whoever stood still to wake and do harm.
    await this.clock.advance(130_000);
    for (const { process } of this.#members) process.kill();
  }

  #api() {
    return { dials: this.dials, live: this.live, metrics: this.metrics, logger: new SimLog() };
  }

  async #start(name: string, faultCount: number): Promise<void> {
    const drawn = Array.from({ length: faultCount }, () => this.#fault());
    const faults = name === "one" ? (this.#mutation.faults?.(this.random) ?? drawn) : drawn;
    this.faults.push(...faults);
    const process = new SimProcess(name, this.clock, faults, () => {
      // Its sockets close with it, and somebody starts it again.
      this.carrier.callOf("d1")?.line?.drop("lost");
      this.queue.forget();
      this.clock.setTimer(3_000, () => void this.#revive(name));
    });
    const lines = new Lines();
    const carrier = process.carrier(this.carrier);
    const deps = {
      clock: this.#mutation.clock?.(process) ?? process.clock,
      random: new SeededRandom(this.random.fraction() * 2 ** 32),
      logger: new SimLog(),
      metrics: this.metrics,
      dials: process.dials(this.dials),
      live: process.port("live", this.live),
      queue: process.port("queue", this.queue),
      lines,
      carriers: new Map([["sim", this.#mutation.carrier?.(carrier) ?? carrier]]),
      prepare: this.calls.prepare,
      recorder: {
        open: async () => ({ write: () => undefined, close: async () => ({ durationMs: 1 }) }),
        read: async () => undefined,
        close: async () => undefined,
      },
      gates: [],
      publicWsUrl: "wss://calls.test",
      statusUrl: () => "https://calls.test/status",
      answerUrl: () => "https://calls.test/answer",
    };
    const worker = new Worker(deps, {
      owner: name,
      slots: 2,
      perSecond: 100,
      perWorkspace: 2,
      reserve: 0,
      drainMs: 1_000,
    });
    const reaper = new Reaper(deps, { owner: `${name}'s reaper`, queueMaxAgeMs: 600_000 });
    this.#members.push({ process, lines, worker, reaper });
    reaper.start();
    void worker.start();
    await this.clock.settle();
  }

  async #revive(name: string): Promise<void> {
    if (this.#members.filter(({ process }) => !process.dead).length < 2) await this.#start(`${name}+`, 0);
  }

  #fault(): Fault {
    // Most of what matters happens in the first steps after the claim; the reaper's sweeps take steps too.
    const step = Math.floor(this.random.fraction() ** 2 * 120);
    const kind = this.random.fraction();
    if (kind < 0.4) return { step, type: "kill" };
    if (kind < 0.75) return { step, type: "pause", ms: 1_000 + this.random.fraction() ** 2 * 120_000 };
    return { step, type: "statement-fails", effect: this.random.fraction() < 0.5 };
  }

  #write(): Story {
    const answers = this.#draw<readonly Answer[]>([
      ["accepted"],
      ["accepted"],
      ["accepted"],
      ["lost-after"],
      ["lost-after"],
      ["lost-before"],
      ["hangs"],
      ["not-sent", "accepted"],
      ["not-sent"],
      [{ retryAfterMs: 500 }, "accepted"],
      [{ rejected: "invalid_number" }],
    ]);
    const breaks = this.random.fraction() < 0.15;
    const off = this.random.fraction() < 0.25;
    const agent = this.random.fraction() < 0.5;
    return {
      agentHangsUpMs: agent ? 1_000 + this.random.fraction() * 60_000 : undefined,
      calledOffAt: off ? this.random.fraction() ** 2 * 40_000 : undefined,
      script: {
        answers,
        answerMs: this.#draw([50, 200, 3_000, 9_000]),
        person: this.#draw(["answers", "answers", "answers", "busy", "ignores", "fails"]),
        ringMs: 500 + this.random.fraction() * 20_000,
        ...(this.random.fraction() < 0.5 ? { talkMs: 1_000 + this.random.fraction() * 90_000 } : {}),
        media: this.random.fraction() < 0.95,
        ...(breaks ? { mediaBreaksMs: this.random.fraction() * 30_000 } : {}),
        callbacks: this.random.fraction() < 0.7,
        callbackMs: this.random.fraction() ** 3 * 30_000,
        listMs: this.random.fraction() ** 2 * 60_000,
      },
    };
  }

  #draw<T>(items: readonly T[]): T {
    return items[Math.floor(this.random.fraction() * items.length)] as T;
  }
}

/** The store's methods as plain properties, so that one can be replaced. */
const reachable = (dials: DialStore): DialStore => {
  const names = Object.keys(dials) as (keyof DialStore)[];
  return Object.fromEntries(names.map((name) => [name, dials[name]])) as unknown as DialStore;
};

/** What may truly be said of how a history went. */
const truths = (history: History): ReadonlySet<EndReason> => {
  const { carrier, story, faults } = history;
  const call = carrier.callOf("d1");
  const { intent } = history.store.row("d1");
  const may = new Set<EndReason>();
  if (faults.length > 0) may.add("worker_lost");
  if (intent !== undefined) may.add(intent.reason);
  if (story.calledOffAt !== undefined) may.add("canceled").add("operator_hangup");
  if (call === undefined) {
    for (const answer of story.script.answers) {
      if (typeof answer === "object") may.add("rejected" in answer ? answer.rejected : "rate_limited");
      else may.add("carrier_error");
    }
    return may;
  }
  const cutByUs = carrier.hangUps.some((hangUp) => hangUp.callId === call.callId && hangUp.at <= (call.endedAt ?? 0));
  if (call.end?.cause === "busy") may.add("busy");
  if (call.end?.cause === "no-answer") may.add("no_answer");
  if (call.end?.cause === "failed") may.add("carrier_error");
  if (call.end?.cause === "time-limit") may.add("max_duration");
  if (call.end?.cause === "completed" && !cutByUs) may.add("counterparty_hangup");
  if (
    call.end?.cause === "completed" &&
    (story.script.media === false || story.script.mediaBreaksMs !== undefined || faults.length > 0)
  )
    may.add("media_lost");
  return may;
};

/** Throws what is wrong with a history that has run. */
export const check = (history: History, seed: number): void => {
  const row = history.store.row("d1");
  const tale = () =>
    JSON.stringify({ seed, story: history.story, faults: history.faults, rings: history.carrier.rings, end: row.end });
  expect(history.carrier.rings.length, `one person is called at most once: ${tale()}`).toBeLessThanOrEqual(1);
  expect(row.state, `the dial ends: ${tale()}`).toBe("ENDED");
  expect(history.ends.first, `it ends once: ${tale()}`).toBe(1);
  expect(history.ends.corrected, `it is corrected once at most: ${tale()}`).toBeLessThanOrEqual(1);
  expect(history.metrics.ended.length, `it is counted once at most: ${tale()}`).toBeLessThanOrEqual(1);
  expect(history.carrier.callOf("d1")?.state ?? "ended", `nobody is left on the line: ${tale()}`).toBe("ended");
  expect([...truths(history)], `the result is true: ${tale()}`).toContain(row.end?.reason);
  const [ring] = history.carrier.rings;
  const endedAt = (row.endedAt ?? 0) - history.clock.now() + history.clock.monotonic();
  // Only who is called off in the moment of being claimed may still ring, and is then hung up.
  if (ring !== undefined && ring.at > endedAt)
    expect([row.end?.reason, ring.at - endedAt < 15_000], `no phone rings after the end: ${tale()}`).toEqual([
      "canceled",
      true,
    ]);
};
