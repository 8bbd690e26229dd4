import { BROWSER_FORMAT } from "../adapters/browser/browser-format.ts";
import type { CallParts, LanguageEngines } from "../call/call-parts.ts";
import type { PrepareCall } from "../call/call.ts";
import { Pacer } from "../call/pacer.ts";
import { compileRules } from "../call/rules.ts";
import { prepareCall } from "../call/run-call.ts";
import { Takeovers } from "../call/takeovers.ts";
import { announceFunctions, bridgeSilence } from "../dials/announce-function.ts";
import type { DialTraces } from "../dials/dial-traces.ts";
import { FunctionInvoker } from "../dials/invoke-function.ts";
import { traceCalls } from "../dials/trace-calls.ts";
import { AnnouncedDialogue } from "../dialogue/announced-dialogue.ts";
import { createDialogue } from "../dialogue/create-dialogue.ts";
import { FallbackModel } from "../dialogue/fallback-model.ts";
import type { ChosenModel } from "../dialogue/prompt-dialogue.ts";
import { toSpeakable } from "../dialogue/speakable.ts";
import type { AudioFormat } from "../model/audio.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { Carrier } from "../ports/carrier.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import type { DoNotCallRecords } from "../ports/do-not-call.ts";
import type { HttpCaller } from "../ports/http-caller.ts";
import type { LiveState } from "../ports/live.ts";
import type { AnswerMetrics, FailureMetrics, Metrics, PhraseMetrics } from "../ports/metrics.ts";
import type { Phrases } from "../ports/phrases.ts";
import { EnginesUnavailable } from "./engines-unavailable.ts";
import type { RunningEngines } from "./engines.ts";
import { tellUnknownFallbacks } from "./unknown-fallbacks.ts";
import { voiceChain, type VoiceChainDeps } from "./voice-chain.ts";

/** What most carriers stream; a line of another format than expected is noticed when it comes. */
const USUAL_FORMAT: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };

const formatOf = (
  { carrier }: CallPlan,
  carriers: ReadonlyMap<string, Pick<Carrier, "format">> | undefined,
): AudioFormat => (carrier === undefined ? undefined : carriers?.get(carrier)?.format) ?? USUAL_FORMAT;

/** The last word on what a call is made of, for measurements. */
type Tuning = (parts: CallParts) => CallParts;

/**
 * Makes calls out of plans: looks up the engines that a plan names and wires them into one call.
 *
 * @throws {EnginesUnavailable} when the deployment names voices that nobody has.
 */
export const callFactory = (
  deps: AdapterDeps &
    Readonly<{
      http: HttpCaller;
      doNotCall: Pick<DoNotCallRecords, "addDoNotCall">;
      live: Pick<LiveState, "command">;
      phrases: Phrases;
      voiceFallbacks: readonly string[];
      /** By the ids of their accounts. */
      carriers?: ReadonlyMap<string, Pick<Carrier, "format">> | undefined;
      metrics: Metrics & Partial<AnswerMetrics & FailureMetrics & PhraseMetrics>;
      traces?: DialTraces | undefined;
    }>,
  engines: RunningEngines,
  leadMs: number,
  tune: Tuning = (parts) => parts,
): PrepareCall => {
  const pacer = new Pacer(deps.clock);
  const warmWords = wordsWarmer();
  refuseUnknown(deps.voiceFallbacks, engines);
  const prepare: PrepareCall = (plan, journal, transfer) => {
    for (const { language } of [plan, ...(plan.languages ?? [])]) warmWords(language);
    const logger = deps.logger.child({ dialId: plan.dialId });
    const invoker = new FunctionInvoker({ ...deps, logger }, plan);
    tellUnknownFallbacks(plan.agent, engines, logger);
    const takeovers = new Takeovers();
    const models = (id: string | undefined) => engines.modelFor(id, plan.agent.fallbacks?.models, takeovers.note);
    const dialogue = createDialogue(plan, { models, clock: deps.clock, logger });
    const enginesOf = languageEngines(plan, engines, { ...deps, logger, tookOver: takeovers.note });
    const own = enginesOf(plan.language, plan.transcriber.type, plan.voice.id);
    return prepareCall(
      tune({
        clock: deps.clock,
        logger,
        metrics: deps.metrics,
        pacer,
        rules: compileRules(plan, { finalMs: own.transcriber.finalMs, speculates: true }),
        journal,
        dialogue: new AnnouncedDialogue(
          dialogue,
          announceFunctions(plan, deps.random),
          bridgeSilence(plan, (ms, signal) => invoker.stillRunning(ms, signal)),
        ),
        ...ofFirstModel(models(plan.prompt.aiModelId)),
        ...own,
        languages: otherLanguages(plan, own, enginesOf),
        keywords: plan.transcriber.keywords,
        vad: engines.vad,
        turnDetector: engines.turnDetector,
        volumeDb: plan.voice.volumeDb,
        leadMs,
        expectedFormat: plan.direction === "browser" ? BROWSER_FORMAT : formatOf(plan, deps.carriers),
        invoke: (call, signal) => invoker.invoke(call, signal),
        transfer,
        takeovers,
      }),
    );
  };
  return deps.traces === undefined ? prepare : traceCalls(prepare, deps.traces, deps.clock);
};

/**
 * The patterns that make text speakable are compiled when they are first used, which takes 20 ms a language: before a caller waits for
 * it. English is everybody's at the start.
 */
const wordsWarmer = (): ((language: string) => void) => {
  const warm = new Set<string>();
  const make = (language: string) => {
    const primary = language.slice(0, 2).toLowerCase();
    if (warm.has(primary)) return;
    warm.add(primary);
    toSpeakable("Yes.", primary);
  };
  make("en");
  return make;
};

type EnginesOf = (language: string, transcriber: string, voiceId: string) => LanguageEngines;

/** What hears and speaks each language that the call may change to; `own` those of the one that it begins in. */
const otherLanguages = (plan: CallPlan, own: LanguageEngines, enginesOf: EnginesOf): Map<string, LanguageEngines> =>
  new Map(
    (plan.languages ?? []).map(({ language, transcriber, voiceId }) => [
      language,
      language === plan.language ? own : enginesOf(language, transcriber, voiceId),
    ]),
  );

/** What the call loop knows of the model that is asked first. */
const ofFirstModel = ({ model }: ChosenModel): Pick<CallParts, "modelProvider" | "warmModel"> => ({
  modelProvider: model instanceof FallbackModel ? undefined : model.name,
  warmModel: () => model.warm?.(),
});

const refuseUnknown = (voiceIds: readonly string[], { synthesizers }: RunningEngines): void => {
  const known = new Set(synthesizers.flatMap(({ voices }) => voices.map(({ id }) => id)));
  const unknown = voiceIds.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw new EnginesUnavailable(
      `VOICE_FALLBACKS names ${unknown.join(", ")}, which no engine here has; GET /voices lists them`,
    );
};

/** What hears and speaks a language of a plan. */
const languageEngines =
  (plan: CallPlan, engines: RunningEngines, deps: VoiceChainDeps): EnginesOf =>
  (language, transcriber, voiceId) => ({
    transcriber: engines.transcriberFor(transcriber, {
      language,
      fallbacks: plan.agent.fallbacks?.transcribers,
      tookOver: deps.tookOver,
    }),
    synthesizer: voiceChain(plan, engines, { voiceId, language }, deps),
    // Options are those of one voice.
    voice: { voiceId, language, options: voiceId === plan.voice.id ? optionsOf(plan) : {} },
  });

const optionsOf = (plan: CallPlan): Readonly<Record<string, string>> =>
  Object.fromEntries(plan.voice.options.map(({ optionId, value }) => [optionId, value]));
