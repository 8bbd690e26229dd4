import { BROWSER_FORMAT } from "../adapters/browser/browser-format.ts";
import type { PrepareCall } from "../call/call.ts";
import { FallbackVoice } from "../call/fallback-voice.ts";
import { Pacer } from "../call/pacer.ts";
import { compileRules } from "../call/rules.ts";
import { prepareCall } from "../call/run-call.ts";
import { announceFunctions, bridgeSilence } from "../dials/announce-function.ts";
import { FunctionInvoker } from "../dials/invoke-function.ts";
import { AnnouncedDialogue } from "../dialogue/announced-dialogue.ts";
import { createDialogue } from "../dialogue/create-dialogue.ts";
import type { AudioFormat } from "../model/audio.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import type { DoNotCallRecords } from "../ports/do-not-call.ts";
import type { HttpCaller } from "../ports/http-caller.ts";
import type { SpeechSynthesizer } from "../ports/synthesizer.ts";
import type { RunningEngines } from "./engines.ts";

/** What most carriers stream, and what browsers' lines speak; a line of another format is noticed when it comes. */
const USUAL_FORMAT: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };

/** Makes calls out of plans: looks up the engines that a plan names and wires them into one call. */
export const callFactory = (
  deps: AdapterDeps & Readonly<{ http: HttpCaller; doNotCall: Pick<DoNotCallRecords, "addDoNotCall"> }>,
  engines: RunningEngines,
  leadMs: number,
): PrepareCall => {
  const pacer = new Pacer(deps.clock);
  return (plan, journal, transfer) => {
    const logger = deps.logger.child({ dialId: plan.dialId });
    const invoker = new FunctionInvoker({ ...deps, logger }, plan);
    const models = (id: string | undefined) => engines.modelFor(id, plan.agent.fallbacks?.models);
    const dialogue = createDialogue(plan, { models, clock: deps.clock, logger });
    const transcriber = engines.transcriberFor(plan.transcriber.type);
    return prepareCall({
      clock: deps.clock,
      logger,
      metrics: deps.metrics,
      pacer,
      rules: compileRules(plan, { finalMs: transcriber.finalMs, speculates: true }),
      journal,
      dialogue: new AnnouncedDialogue(
        dialogue,
        announceFunctions(plan, deps.random),
        bridgeSilence(plan.language, (ms, signal) => invoker.stillRunning(ms, signal)),
      ),
      transcriber,
      keywords: plan.transcriber.keywords,
      vad: engines.vad,
      turnDetector: engines.turnDetector,
      synthesizer: voiceFor(plan, engines, { ...deps, logger }),
      voice: { voiceId: plan.voice.id, language: plan.language, options: optionsOf(plan) },
      volumeDb: plan.voice.volumeDb,
      leadMs,
      expectedFormat: plan.direction === "browser" ? BROWSER_FORMAT : USUAL_FORMAT,
      invoke: (call, signal) => invoker.invoke(call, signal),
      transfer,
    });
  };
};

/** The plan's voice, with another engine behind it where there is one that speaks the language. */
const voiceFor = (plan: CallPlan, engines: RunningEngines, deps: AdapterDeps): SpeechSynthesizer => {
  const preferred = engines.synthesizerFor(plan.voice.id);
  const standIn = engines.synthesizers.find((other) => other !== preferred && other.supports(plan.language));
  const standInVoiceId = standIn?.voices[0]?.id;
  if (standIn === undefined || standInVoiceId === undefined) return preferred;
  const { clock, logger, metrics } = deps;
  return new FallbackVoice({ preferred, standIn, standInVoiceId, clock, logger, metrics });
};

const optionsOf = (plan: CallPlan): Readonly<Record<string, string>> =>
  Object.fromEntries(plan.voice.options.map(({ optionId, value }) => [optionId, value]));
