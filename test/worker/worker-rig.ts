import type { CallHandle, CallJournal, PrepareCall } from "../../src/call/call.ts";
import type { OperatorOrder } from "../../src/call/operator-order.ts";
import type { Transfer } from "../../src/call/invocations.ts";
import { report } from "../../src/dials/report.ts";
import { deferred } from "../../src/kit/deferred.ts";
import type { Agent } from "../../src/model/agent.ts";
import { callEnd, type CallEnd } from "../../src/model/call-end.ts";
import type { CallPlan } from "../../src/model/call-plan.ts";
import type { VersionedPrompt } from "../../src/model/versioned-prompt.ts";
import type { AnsweredBy } from "../../src/ports/carrier.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { LiveEvent } from "../../src/model/live-event.ts";
import type { CallCommand, LiveState, MediaTicket } from "../../src/ports/live.ts";
import type { LogFields, Logger } from "../../src/ports/logger.ts";
import type { Metrics } from "../../src/ports/metrics.ts";
import type { DialQueue } from "../../src/ports/queue.ts";
import type { Recorder } from "../../src/ports/recorder.ts";
import type { Transport } from "../../src/ports/transport.ts";
import { Lines } from "../../src/worker/lines.ts";
import { Reaper } from "../../src/worker/reaper.ts";
import { Worker, type WorkerDeps, type WorkerOptions } from "../../src/worker/worker.ts";
import { MemoryStore } from "../kit/memory-store.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";
import { SimCarrier, type Script } from "./sim-carrier.ts";

/** A number of its own for every dial: two claims between the same two numbers may not be open at once. */
const numberOf = (dialId: string): string => {
  let number = 1;
  for (const byte of Buffer.from(dialId)) number = (number * 31 + byte) % 1e7;
  return `+1202${number.toString().padStart(7, "0")}`;
};

export const planOf = (dialId: string, changes: Partial<CallPlan> = {}): CallPlan => ({
  dialId,
  workspaceId: "workspace",
  direction: "outbound",
  toNumber: numberOf(dialId),
  fromNumber: "+12025550100",
  carrier: "sim",
  agent: { id: "agent" } as Agent,
  prompt: { id: "prompt" } as VersionedPrompt,
  inputs: {},
  functions: [],
  language: "en",
  transcriber: { type: "local", keywords: [] },
  voice: { id: "voice", options: [], volumeDb: 0 },
  sensitivity: "MEDIUM",
  endpoint: { type: "SIMPLE", mode: "DEFAULT" },
  idle: { enabled: false, messages: [], afterMs: 0, maxMessages: 0 },
  maxDurationMs: 600_000,
  ringTimeoutMs: 30_000,
  warnings: [],
  ...changes,
});

/** Live state in memory; `away` makes everything that may fail reject. */
export class SimLive implements LiveState {
  away = false;
  readonly events: { dialId: string; event: LiveEvent }[] = [];
  readonly tickets = new Map<string, MediaTicket>();
  readonly #handlers = new Map<string, (command: CallCommand) => void>();

  publish(dialId: string, event: LiveEvent): void {
    this.events.push({ dialId, event });
  }

  /** The statuses that followers of a dial were told, in order. */
  statuses(dialId: string): string[] {
    return this.events.flatMap((one) =>
      one.dialId === dialId && one.event.type === "status" ? [one.event.status] : [],
    );
  }

  async *follow(): AsyncGenerator<never> {
    // Nobody follows here.
  }

  async command(dialId: string, command: CallCommand): Promise<boolean> {
    this.#handlers.get(dialId)?.(command);
    return this.#handlers.has(dialId);
  }

  async onCommand(dialId: string, handler: (command: CallCommand) => void): Promise<() => void> {
    this.#handlers.set(dialId, handler);
    return () => {
      if (this.#handlers.get(dialId) === handler) this.#handlers.delete(dialId);
    };
  }

  async isHeard(dialId: string): Promise<boolean> {
    if (this.away) throw new Error("live state is away");
    return this.#handlers.has(dialId);
  }

  async forget(dialId: string): Promise<void> {
    const left = this.events.filter((one) => one.dialId !== dialId);
    this.events.splice(0, this.events.length, ...left);
  }

  async issueTicket(token: string, ticket: MediaTicket): Promise<void> {
    if (this.away) throw new Error("live state is away");
    this.tickets.set(token, ticket);
  }

  async takeTicket(token: string): Promise<MediaTicket | undefined> {
    const ticket = this.tickets.get(token);
    this.tickets.delete(token);
    return ticket;
  }

  async close(): Promise<void> {}
}

/** A queue in memory that hands every job to one of its consumers at once. */
export class SimQueue implements DialQueue {
  readonly added: string[] = [];
  readonly #waiting: { dialId: string; jobId: string }[] = [];
  readonly #consumers = new Set<{ paused: boolean; handler: (dialId: string, jobId: string) => Promise<void> }>();

  async add(dialId: string): Promise<string> {
    this.added.push(dialId);
    const jobId = `job-${this.added.length}`;
    this.#waiting.push({ dialId, jobId });
    this.#deliver();
    return jobId;
  }

  async consume(handler: (dialId: string, jobId: string) => Promise<void>) {
    const consumer = { paused: false, handler };
    this.#consumers.add(consumer);
    this.#deliver();
    return {
      pause: async () => {
        consumer.paused = true;
      },
      resume: () => {
        consumer.paused = false;
        this.#deliver();
      },
      close: async () => void this.#consumers.delete(consumer),
    };
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async close(): Promise<void> {}

  /** A consumer that is gone without a word takes no more jobs. */
  forget(): void {
    this.#consumers.clear();
  }

  #deliver(): void {
    for (const consumer of this.#consumers) {
      while (!consumer.paused) {
        const job = this.#waiting.shift();
        if (job === undefined) return;
        void consumer.handler(job.dialId, job.jobId);
      }
    }
  }
}

export class SimLog implements Logger {
  readonly lines: string[] = [];
  debug(): void {}
  info(): void {}
  warn(message: string, fields?: LogFields): void {
    this.#note(message, fields);
  }
  error(message: string, fields?: LogFields): void {
    this.#note(message, fields);
  }
  child(): Logger {
    return this;
  }
  #note(message: string, fields?: LogFields): void {
    const error = fields?.["error"];
    this.lines.push(error instanceof Error ? `${message}: ${error.message}` : message);
  }
}

export class SimMetrics implements Metrics {
  readonly ended: CallEnd[] = [];
  started = 0;
  readonly durations: number[] = [];
  dialCreated(): void {}
  dialEnded(end: CallEnd): void {
    this.ended.push(end);
  }
  callStarted(): void {
    this.started += 1;
  }
  callEnded(durationMs: number): void {
    this.durations.push(durationMs);
  }
  stage(): void {}
  stageAdded(): void {}
  turnEnded(): void {}
  lapsed = 0;
  leasesLapsed(count: number): void {
    this.lapsed += count;
  }
  bargeIn(): void {}
  providerError(): void {}
  framesDropped(): void {}
  framesLate(): void {}
  httpRequest(): void {}
  async expose() {
    return { contentType: "text/plain", body: "" };
  }
}

/** What the call does by itself, in milliseconds from the answer. */
export type CallScript = Readonly<{ agentHangsUpMs?: number; transfersMs?: number; deaf?: boolean }>;

/** Calls without engines: they end with their line, by their script, or when asked. */
export class SimCalls {
  readonly prepared: string[] = [];
  readonly discarded: string[] = [];
  readonly answered: { dialId: string; at: number }[] = [];
  /** Calls that were asked to end with a goodbye. */
  readonly polite: string[] = [];
  readonly orders: { dialId: string; order: OperatorOrder }[] = [];
  readonly detected: { dialId: string; by: AnsweredBy }[] = [];
  readonly #clock: Clock;
  readonly #scripts = new Map<string, CallScript>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  script(dialId: string, script: CallScript): void {
    this.#scripts.set(dialId, script);
  }

  readonly prepare: PrepareCall = ({ dialId }, journal, transfer) => {
    this.prepared.push(dialId);
    return {
      answer: (line) => this.#answer(dialId, journal, line, transfer),
      discard: async () => {
        if (!this.discarded.includes(dialId)) this.discarded.push(dialId);
      },
    };
  };

  #answer(dialId: string, journal: CallJournal, line: Transport, transfer: Transfer): CallHandle {
    const script = this.#scripts.get(dialId) ?? {};
    this.answered.push({ dialId, at: this.#clock.monotonic() });
    journal.transcript(0, { text: "Hello.", speaker: "AI", detailType: null, startTimeMs: 0, endTimeMs: 500 });
    const finished = deferred<CallEnd>();
    const timer = this.#clock.setTimer(script.agentHangsUpMs ?? 1e9, () => {
      finished.resolve(callEnd("agent_hangup", "agent"));
    });
    let asked: ReturnType<Transfer> | undefined;
    const transferring = this.#clock.setTimer(script.transfersMs ?? 1e9, () => {
      asked = transfer({ to: "+12025550199" }, new AbortController().signal);
      void asked.then((outcome) => {
        if (outcome === "transferred") finished.resolve(callEnd("transferred", "agent"));
      });
    });
    void finished.promise.then(() => {
      timer.cancel();
      transferring.cancel();
    });
    line.listen({
      frame: () => undefined,
      digit: () => undefined,
      mark: () => undefined,
      gone: (why) => {
        const end = why === "lost" ? callEnd("media_lost", "carrier") : callEnd("counterparty_hangup", "remote");
        void Promise.resolve(asked).then((outcome) => {
          if (outcome !== "transferred") finished.resolve(end);
        });
      },
    });
    return {
      finished: finished.promise,
      hangUp: (reason, endedBy, politely) => {
        if (politely === true) this.polite.push(dialId);
        if (script.deaf !== true) finished.resolve(callEnd(reason, endedBy));
      },
      order: (order) => {
        this.orders.push({ dialId, order });
      },
      answeredBy: (by) => {
        this.detected.push({ dialId, by });
      },
    };
  }
}

/** Everything around a worker, in virtual time. */
export class WorkerRig {
  readonly clock = new VirtualClock();
  readonly store = new MemoryStore(this.clock);
  readonly live = new SimLive();
  readonly queue = new SimQueue();
  readonly log = new SimLog();
  readonly metrics = new SimMetrics();
  readonly carrier = new SimCarrier(this.clock);
  readonly calls = new SimCalls(this.clock);
  readonly lines = new Lines();
  readonly tapes: { dialId: string; sampleRate: number; closed: boolean }[] = [];
  readonly refused: string[] = [];
  readonly random = new SeededRandom(7);
  readonly deps: WorkerDeps;
  readonly worker: Worker;
  readonly reaper: Reaper;

  constructor(options: Partial<WorkerOptions> = {}, changes: (deps: WorkerDeps) => WorkerDeps = (deps) => deps) {
    const { clock, live, queue, metrics, random, lines } = this;
    this.deps = changes({
      clock,
      live,
      queue,
      metrics,
      random,
      lines,
      logger: this.log,
      dials: this.store.store.dials,
      carriers: new Map([["sim", this.carrier]]),
      prepare: this.calls.prepare,
      recorder: this.#recorder(),
      gates: [],
      publicWsUrl: "wss://calls.test",
      statusUrl: ({ dialId }) => `https://calls.test/status/${dialId}`,
      answerUrl: ({ dialId }) => `https://calls.test/answer/${dialId}`,
    });
    this.worker = new Worker(this.deps, {
      owner: "worker-1",
      slots: 10,
      perSecond: 1000,
      perWorkspace: 10,
      reserve: 0,
      drainMs: 60_000,
      ...options,
    });
    this.reaper = new Reaper(this.deps, { owner: "reaper-1", queueMaxAgeMs: 600_000 });
    this.carrier.onReport = (word) => {
      report(this.deps, word).then(
        () => {
          this.worker.nudge(word.dialId);
        },
        () => {
          // The store is away, and this carrier does not repeat its callbacks.
        },
      );
    };
    this.carrier.onMedia = (mediaUrl, line) => {
      void this.live.takeTicket(mediaUrl.slice(mediaUrl.lastIndexOf("/") + 1)).then((ticket) => {
        if (ticket !== undefined && this.lines.arrived(ticket, line)) return;
        this.refused.push(line.carrierCallId ?? "");
        line.close();
      });
    };
  }

  /** Creates a dial and queues it. */
  async dial(dialId: string, script: Script, changes: Partial<CallPlan> = {}): Promise<void> {
    this.carrier.script(dialId, script);
    await this.store.store.dials.create({ plan: planOf(dialId, changes), sessionId: `session-${dialId}` });
    const jobId = await this.queue.add(dialId);
    await this.store.store.dials.enqueued(dialId, jobId);
  }

  /** Lets a started worker run until a dial is over, and answers how and when. */
  async ended(dialId: string, limitMs = 3_600_000): Promise<CallEnd & { at: number; evidence: number }> {
    await this.clock.until(() => this.store.row(dialId).state === "ENDED", limitMs);
    const { end, evidence } = this.store.row(dialId);
    const at = this.clock.monotonic();
    // Whatever the end leaves to be done is done soon after.
    await this.clock.until(() => this.worker.held === 0, 120_000);
    return { ...(end ?? callEnd("worker_lost", "system")), at, evidence };
  }

  #recorder(): Recorder {
    return {
      open: async ({ dialId, sampleRate }) => {
        const tape = { dialId, sampleRate, closed: false };
        this.tapes.push(tape);
        return {
          write: () => undefined,
          close: async () => {
            tape.closed = true;
            return { durationMs: 1234.4 };
          },
        };
      },
      read: async () => undefined,
      remove: async () => undefined,
      recover: async () => undefined,
      tend: async () => undefined,
      close: async () => undefined,
    };
  }
}
