import { expect } from "vitest";
import type { LanguageEngines } from "../../src/call/call-parts.ts";
import type { CallHandle, PreparedCall } from "../../src/call/call.ts";
import type { CallEvent } from "../../src/call/events.ts";
import type { FunctionOutcome, Transfer } from "../../src/call/invocations.ts";
import type { Dialogue } from "../../src/dialogue/dialogue.ts";
import { Pacer } from "../../src/call/pacer.ts";
import type { Takeovers } from "../../src/call/takeovers.ts";
import { compileRules, type CallRules } from "../../src/call/rules.ts";
import { prepareCall } from "../../src/call/run-call.ts";
import type { CallEnd } from "../../src/model/call-end.ts";
import type { CallPlan } from "../../src/model/call-plan.ts";
import type { TranscriptEntry } from "../../src/model/transcript.ts";
import type { TurnRecord } from "../../src/model/turn-record.ts";
import type { Logger } from "../../src/ports/logger.ts";
import type { Metrics } from "../../src/ports/metrics.ts";
import type { TurnDetector } from "../../src/ports/turn-detector.ts";
import type { Transcriber } from "../../src/ports/transcriber.ts";
import type { Transport } from "../../src/ports/transport.ts";
import type { VoiceActivityDetector } from "../../src/ports/vad.ts";
import type { ToolCall } from "../../src/ports/language-model.ts";
import { ScriptedDialogue, says, type Answer } from "./scripted-dialogue.ts";
import { callerVoice, ScriptedTranscriber, ScriptedVad, ScriptedVoice, type CallerLine } from "./scripted-engines.ts";
import { ScriptedLine, type LineOptions } from "./scripted-line.ts";
import { VirtualClock } from "./virtual-clock.ts";

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
};

export const noMetrics: Metrics = {
  dialCreated: () => undefined,
  dialEnded: () => undefined,
  callStarted: () => undefined,
  callEnded: () => undefined,
  stage: () => undefined,
  stageAdded: () => undefined,
  turnEnded: () => undefined,
  leasesLapsed: () => undefined,
  bargeIn: () => undefined,
  providerError: () => undefined,
  framesDropped: () => undefined,
  framesLate: () => undefined,
  httpRequest: () => undefined,
  expose: () => Promise.resolve({ contentType: "text/plain", body: "" }),
};

export const testPlan: CallPlan = {
  dialId: "dial-1",
  workspaceId: "workspace-1",
  direction: "outbound",
  agent: { id: "agent-1", name: "Test", language: "en" },
  prompt: { id: "prompt-1", name: "Test", agentType: "STANDARD", prompt: "Be brief." },
  inputs: {},
  functions: [],
  language: "en",
  transcriber: { type: "scripted", keywords: [] },
  voice: { id: "scripted", options: [], volumeDb: 0 },
  sensitivity: "MEDIUM",
  endpoint: { type: "SIMPLE", mode: "DEFAULT" },
  idle: { enabled: false, messages: [], afterMs: 10_000, maxMessages: 2 },
  maxDurationMs: 600_000,
  ringTimeoutMs: 45_000,
  warnings: [],
};

export type RigOptions = Readonly<{
  plan?: Partial<CallPlan>;
  opening?: Answer;
  answers?: readonly Answer[];
  /** In place of the scripted one. */
  dialogue?: (clock: VirtualClock) => Dialogue;
  caller?: readonly CallerLine[];
  line?: LineOptions;
  leadMs?: number;
  finalMs?: number;
  words?: boolean;
  turnDetector?: TurnDetector;
  /** Sound of a piece comes in chunks of this length; at once when absent. */
  chunkMs?: number;
  /** What the call gets in place of the line, which may lose or delay what passes through. */
  through?: (line: ScriptedLine, clock: VirtualClock) => Transport;
  /** Engines for further languages. */
  languages?: (rig: CallRig) => ReadonlyMap<string, LanguageEngines>;
  invoke?: (call: ToolCall, signal: AbortSignal) => Promise<string | FunctionOutcome>;
  transfer?: Transfer;
  /** Whether replies are begun before their turn is taken; no when absent, so that scripts need not count them. */
  speculates?: boolean;
  logger?: Logger;
  takeovers?: Takeovers;
  /** In place of the scripted ones, with the clock that waits for them. */
  engines?: Readonly<{ clock: VirtualClock; vad: VoiceActivityDetector; transcriber?: Transcriber }>;
  /** Hears when the model is made ready. */
  warmModel?: () => void;
  /** The caller's frames, in place of a voice that is only loud or not. */
  microphone?: (frame: number) => Uint8Array;
}>;

/** A whole call over scripted engines in virtual time. */
export class CallRig {
  readonly clock: VirtualClock;
  readonly line: ScriptedLine;
  readonly vad = new ScriptedVad();
  readonly transcriber: ScriptedTranscriber;
  readonly voice: ScriptedVoice;
  readonly dialogue: ScriptedDialogue;
  readonly transcript: TranscriptEntry[] = [];
  /** Every writing of an entry, in order. */
  readonly written: TranscriptEntry[] = [];
  readonly turns: TurnRecord[] = [];
  readonly interims: string[] = [];
  readonly events: CallEvent[] = [];
  readonly recorded: { side: "caller" | "agent"; atMs: number; samples: Int16Array }[] = [];
  readonly bargeIns: string[] = [];
  readonly rules: CallRules;
  caller: CallerLine[];
  end: CallEnd | undefined;
  readonly #prepared: PreparedCall;
  readonly #microphone: (frame: number) => Uint8Array;
  readonly #through: (line: ScriptedLine, clock: VirtualClock) => Transport;
  handle: CallHandle | undefined;
  #answeredMs = 0;

  constructor(options: RigOptions = {}) {
    const plan = { ...testPlan, ...options.plan };
    this.clock = options.engines?.clock ?? new VirtualClock();
    this.#microphone = options.microphone ?? callerVoice(() => this.caller);
    this.caller = [...(options.caller ?? [])];
    this.#through = options.through ?? ((line) => line);
    this.line = new ScriptedLine(this.clock, options.line);
    this.transcriber = new ScriptedTranscriber(this.clock, () => this.caller, options.finalMs);
    this.voice = new ScriptedVoice(this.clock, 100, options.words ?? true, options.chunkMs);
    this.dialogue = new ScriptedDialogue(this.clock, options.opening ?? [says("Hello there.")], options.answers ?? []);
    this.rules = compileRules(plan, { speculates: options.speculates ?? false });
    this.#prepared = prepareCall({
      clock: this.clock,
      logger: options.logger ?? silentLogger,
      metrics: { ...noMetrics, bargeIn: (decision) => this.bargeIns.push(decision) },
      pacer: new Pacer(this.clock),
      rules: this.rules,
      journal: {
        transcript: (index, entry) => {
          this.transcript[index] = entry;
          this.written.push(entry);
        },
        interim: (text) => {
          this.interims.push(text);
        },
        turn: (turn) => {
          this.turns.push(turn);
        },
      },
      dialogue: options.dialogue?.(this.clock) ?? this.dialogue,
      transcriber: options.engines?.transcriber ?? this.transcriber,
      keywords: [],
      vad: options.engines?.vad ?? this.vad,
      turnDetector: options.turnDetector,
      warmModel: options.warmModel,
      synthesizer: this.voice,
      voice: { voiceId: "scripted", language: "en", options: {} },
      volumeDb: plan.voice.volumeDb,
      leadMs: options.leadMs ?? 400,
      expectedFormat: { encoding: "mulaw", sampleRate: 8000 },
      ...(options.languages === undefined ? {} : { languages: options.languages(this) }),
      invoke: async (call, signal) => {
        const outcome = (await options.invoke?.(call, signal)) ?? "{}";
        return typeof outcome === "string" ? { type: "result", result: outcome } : outcome;
      },
      transfer: options.transfer ?? (() => Promise.resolve("failed")),
      takeovers: options.takeovers,
      observe: (event) => this.events.push(event),
    });
  }

  /** Lets the phone ring for a while, answers, and opens the microphone. */
  async answer(ringMs = 2000): Promise<void> {
    await this.clock.advance(ringMs);
    this.#answeredMs = this.clock.monotonic();
    this.handle = this.#prepared.answer(this.#through(this.line, this.clock), {
      write: (side, samples, atMs) => {
        this.recorded.push({ side, atMs, samples });
      },
      close: () => Promise.resolve({ durationMs: 0 }),
    });
    void this.handle.finished.then((end) => {
      this.end = end;
    });
    this.line.openMicrophone(this.#microphone);
    await this.clock.settle();
  }

  /** Milliseconds since answer. */
  get now(): number {
    return this.clock.monotonic() - this.#answeredMs;
  }

  async at(ms: number): Promise<void> {
    await this.clock.advance(ms - this.now);
  }

  /** When what the caller heard began and ended, since answer. */
  get playback(): readonly Readonly<{ fromMs: number; untilMs: number }>[] {
    const stretches: { fromMs: number; untilMs: number }[] = [];
    for (const { fromMs, untilMs } of this.line.heard) {
      const last = stretches.at(-1);
      if (last !== undefined && fromMs - last.untilMs < 1) last.untilMs = untilMs;
      else stretches.push({ fromMs, untilMs });
    }
    return stretches.map((stretch) => ({
      fromMs: stretch.fromMs - this.#answeredMs,
      untilMs: stretch.untilMs - this.#answeredMs,
    }));
  }

  async untilEnd(limitMs = 120_000): Promise<CallEnd> {
    await this.clock.until(() => this.end !== undefined, limitMs);
    return this.end as CallEnd;
  }

  discard(): Promise<void> {
    return this.#prepared.discard();
  }

  /** Closes everything and proves that nothing is left: no timer, no unasked answer. */
  async close(): Promise<void> {
    this.line.close();
    await this.#prepared.discard();
    await this.clock.settle();
    expect(this.clock.pending, "timers left running").toBe(0);
    expect(this.dialogue.left, "answers that nobody asked for").toBe(0);
  }
}
