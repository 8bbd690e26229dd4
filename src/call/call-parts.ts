import type { Dialogue } from "../dialogue/dialogue.ts";
import type { AudioFormat } from "../model/audio.ts";
import type { Clock } from "../ports/clock.ts";
import type { ToolCall } from "../ports/language-model.ts";
import type { Logger } from "../ports/logger.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { SpeechSynthesizer, VoiceSettings } from "../ports/synthesizer.ts";
import type { Transcriber } from "../ports/transcriber.ts";
import type { TurnDetector } from "../ports/turn-detector.ts";
import type { VoiceActivityDetector } from "../ports/vad.ts";
import type { CallJournal } from "./call.ts";
import type { CallEvent } from "./events.ts";
import type { FunctionOutcome, Transfer } from "./invocations.ts";
import type { Pacer } from "./pacer.ts";
import type { CallRules } from "./rules.ts";
import type { Takeovers } from "./takeovers.ts";

/** What hears and speaks a language in a call. */
export type LanguageEngines = Readonly<{
  transcriber: Transcriber;
  synthesizer: SpeechSynthesizer;
  voice: VoiceSettings;
}>;

/** Everything that one call is made of. */
export type CallParts = LanguageEngines &
  Readonly<{
    clock: Clock;
    logger: Logger;
    metrics: Metrics;
    pacer: Pacer;
    rules: CallRules;
    journal: CallJournal;
    dialogue: Dialogue;
    /** The provider of the dialogue's model, where no other one stands behind it; for metrics and the log. */
    modelProvider?: string | undefined;
    /** Makes ready for the dialogue's next question, when the call is answered and whenever the caller begins to speak. */
    warmModel?: (() => void) | undefined;
    keywords: readonly string[];
    vad: VoiceActivityDetector;
    turnDetector?: TurnDetector | undefined;
    volumeDb: number;
    leadMs: number;
    /** The format that the carrier's lines are expected to have; the opening is made in it while the phone rings. */
    expectedFormat: AudioFormat;
    /** Engines for the languages that the call may change to, by language. */
    languages?: ReadonlyMap<string, LanguageEngines>;
    /** Runs a function that the dialogue asked for; never rejects. */
    invoke(call: ToolCall, signal: AbortSignal): Promise<FunctionOutcome>;
    transfer: Transfer;
    /** Tells of providers that took over from others, for the turns' records. */
    takeovers?: Takeovers | undefined;
    /** Sees every event that enters `step`, in order; kept, they replay the call. */
    observe?: ((event: CallEvent) => void) | undefined;
  }>;
