import { memoryLiveState } from "../../../src/adapters/live/memory.ts";
import { PromMetrics } from "../../../src/adapters/metrics/prom.ts";
import type { CallParts } from "../../../src/call/call-parts.ts";
import type { PrepareCall } from "../../../src/call/call.ts";
import { Pacer } from "../../../src/call/pacer.ts";
import { compileRules } from "../../../src/call/rules.ts";
import { prepareCall } from "../../../src/call/run-call.ts";
import { DialTraces } from "../../../src/dials/dial-traces.ts";
import { traceCalls } from "../../../src/dials/trace-calls.ts";
import { report } from "../../../src/dials/report.ts";
import type { CallPlan } from "../../../src/model/call-plan.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import type { Tracer } from "../../../src/ports/tracer.ts";
import type { Carrier } from "../../../src/ports/carrier.ts";
import { Lines } from "../../../src/worker/lines.ts";
import { Reaper } from "../../../src/worker/reaper.ts";
import { Worker, type WorkerDeps } from "../../../src/worker/worker.ts";
import { MemoryStore } from "../../kit/memory-store.ts";
import { hangsUp, says, ScriptedDialogue, type Answer } from "../../kit/scripted-dialogue.ts";
import {
  callerVoice,
  ScriptedTranscriber,
  ScriptedVad,
  ScriptedVoice,
  type CallerLine,
} from "../../kit/scripted-engines.ts";
import { ScriptedLine } from "../../kit/scripted-line.ts";
import { SeededRandom } from "../../kit/seeded-random.ts";
import { silentLogger } from "../../kit/silent-logger.ts";
import { VirtualClock } from "../../kit/virtual-clock.ts";
import { SimCarrier, type Script } from "../../worker/sim-carrier.ts";
import { planOf, SimQueue } from "../../worker/worker-rig.ts";

/** Ways in which a call goes; one after another, so that every ending is among any eight. */
const WAYS: readonly Script[] = [
  { answers: ["accepted"], person: "answers", ringMs: 1_000 },
  { answers: ["accepted"], person: "answers", ringMs: 1_000, talkMs: 1_500 },
  { answers: ["accepted"], person: "answers", ringMs: 500, talkMs: 20 },
  { answers: ["accepted"], person: "answers", ringMs: 1_000, mediaBreaksMs: 1_200 },
  { answers: ["accepted"], person: "busy", ringMs: 500 },
  { answers: ["accepted"], person: "fails", ringMs: 500 },
  { answers: [{ rejected: "carrier_error" }], person: "answers" },
  { answers: ["lost-after"], person: "answers", ringMs: 1_000, listMs: 100, callbackMs: 300 },
];

/** What may be other than usual. */
export type Soaking = Readonly<{
  logger?: Logger;
  /** What a dial is made of, by its id. */
  plan?: (dialId: string) => Partial<CallPlan>;
  caller?: readonly CallerLine[];
  opening?: Answer;
  answers?: readonly Answer[];
  /** Runs the functions of a call. */
  invoke?: (plan: CallPlan) => CallParts["invoke"];
  /** Sees what is traced. */
  tracer?: Tracer;
}>;

const CALLER: readonly CallerLine[] = [
  { text: "Stop.", fromMs: 300, untilMs: 600 },
  { text: "Is it open?", fromMs: 1800, untilMs: 2300 },
];

const OPENING: Answer = [says("Hello there, this is the office.")];

const ANSWERS: readonly Answer[] = [
  [says("Yes?")],
  [says("One moment."), { type: "call", call: { id: "call-1", name: "hours", args: "{}" } }],
  [says("It is. Bye."), hangsUp],
  [says("Bye."), hangsUp],
];

/** One worker that lives for as many calls as are wanted, with real calls in it over scripted engines, in virtual time. */
export class SoakedWorker {
  readonly clock = new VirtualClock();
  readonly #metrics = new PromMetrics();
  readonly #live = memoryLiveState({ clock: this.clock });
  readonly #lines = new Lines();
  readonly #queue = new SimQueue();
  readonly #store = new MemoryStore(this.clock);
  readonly #carriers = new Map<string, Carrier>();
  readonly #pacer = new Pacer(this.clock);
  readonly #worker: Worker;
  readonly #reaper: Reaper;
  #begun = 0;

  constructor(soaking: Soaking = {}) {
    this.#soaking = soaking;
    const { clock } = this;
    const traces = soaking.tracer === undefined ? undefined : new DialTraces(soaking.tracer, clock);
    const deps: WorkerDeps = {
      clock,
      live: this.#live,
      queue: this.#queue,
      metrics: this.#metrics,
      random: new SeededRandom(11),
      lines: this.#lines,
      logger: soaking.logger ?? silentLogger(),
      traces,
      dials: this.#store.store.dials,
      carriers: this.#carriers,
      prepare: traces === undefined ? this.#prepare : traceCalls(this.#prepare, traces, clock),
      recorder: {
        open: async () => ({ write: () => undefined, close: async () => ({ durationMs: 1 }) }),
      },
      gates: [],
      publicWsUrl: "wss://calls.test",
      statusUrl: ({ dialId }) => `https://calls.test/status/${dialId}`,
      answerUrl: ({ dialId }) => `https://calls.test/answer/${dialId}`,
    };
    const limits = { slots: 100, perSecond: 10_000, perWorkspace: 1000, reserve: 0 };
    this.#worker = new Worker(deps, { owner: "soaked", drainMs: 60_000, ...limits });
    this.#reaper = new Reaper(deps, { owner: "reaper", queueMaxAgeMs: 600_000 });
    this.#deps = deps;
  }

  readonly #deps: WorkerDeps;
  readonly #soaking: Soaking;

  async start(): Promise<void> {
    await this.#worker.start();
    this.#reaper.start();
  }

  /** Lets so many calls happen side by side, and resolves when nothing of them is left that should not be. Answers how many talked. */
  async batch(count: number): Promise<number> {
    const carrier = this.#newCarrier();
    const ids = Array.from({ length: count }, () => `dial-${(this.#begun += 1)}`);
    for (const [index, dialId] of ids.entries()) {
      carrier.script(dialId, WAYS[index % WAYS.length] as Script);
      await this.#store.store.dials.create({
        plan: planOf(dialId, this.#soaking.plan?.(dialId)),
        sessionId: `session-${dialId}`,
      });
      await this.#store.store.dials.enqueued(dialId, await this.#queue.add(dialId));
    }
    const over = () => ids.every((dialId) => this.#store.row(dialId).state === "ENDED") && this.#worker.held === 0;
    await this.clock.until(over, 600_000);
    const talked = ids.filter((dialId) => this.#store.row(dialId).transcript.length > 0).length;
    // What is kept on purpose is kept for an hour.
    await this.clock.advance(30_000);
    for (const dialId of ids) await this.#live.forget(dialId);
    this.#store.rows.clear();
    this.#queue.added.length = 0;
    return talked;
  }

  /** What is counted, as it is exposed. */
  async exposed(): Promise<string> {
    return (await this.#metrics.expose()).body;
  }

  get #caller(): readonly CallerLine[] {
    return this.#soaking.caller ?? CALLER;
  }

  /** Lines that somebody waits for, and dials that are held. */
  get left(): number {
    return this.#lines.size + this.#worker.held;
  }

  /** Stops everything; answers how many timers are left then. */
  async stop(): Promise<number> {
    await this.#reaper.stop();
    await this.#worker.drain();
    await this.#live.close();
    this.#metrics.close();
    await this.clock.settle();
    return this.clock.pending;
  }

  #newCarrier(): SimCarrier {
    const carrier = new SimCarrier(this.clock);
    this.#carriers.set("sim", carrier);
    carrier.onReport = (word) =>
      void report(this.#deps, word).then(() => {
        this.#worker.nudge(word.dialId);
      });
    carrier.onMedia = (url, far) => {
      const line = new ScriptedLine(this.clock, { carrierCallId: far.carrierCallId });
      far.listen({
        frame: () => undefined,
        digit: () => undefined,
        mark: () => undefined,
        gone: (why) => line.end(why),
      });
      void this.#live.takeTicket(url.slice(url.lastIndexOf("/") + 1)).then((ticket) => {
        if (ticket === undefined || !this.#lines.arrived(ticket, line)) line.close();
        else line.openMicrophone(callerVoice(() => this.#caller));
      });
    };
    return carrier;
  }

  readonly #prepare: PrepareCall = (plan, journal, transfer) => {
    const { clock } = this;
    return prepareCall({
      clock,
      logger: this.#soaking.logger?.child({ dialId: plan.dialId }) ?? silentLogger(),
      metrics: this.#metrics,
      pacer: this.#pacer,
      rules: compileRules(plan, { speculates: true }),
      journal,
      dialogue: new ScriptedDialogue(clock, this.#soaking.opening ?? OPENING, this.#soaking.answers ?? ANSWERS),
      transcriber: new ScriptedTranscriber(clock, () => this.#caller),
      synthesizer: new ScriptedVoice(clock, 100, true),
      voice: { voiceId: "scripted", language: "en", options: {} },
      vad: new ScriptedVad(),
      keywords: [],
      volumeDb: 0,
      leadMs: 400,
      expectedFormat: { encoding: "mulaw", sampleRate: 8000 },
      invoke: this.#soaking.invoke?.(plan) ?? (() => Promise.resolve({ type: "result", result: "{}" })),
      transfer,
    });
  };
}
