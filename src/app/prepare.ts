import type { PrepareCall } from "../call/call.ts";
import { Pacer } from "../call/pacer.ts";
import { compileRules } from "../call/rules.ts";
import { prepareCall } from "../call/run-call.ts";
import { createDialogue } from "../dialogue/create-dialogue.ts";
import type { AudioFormat } from "../model/audio.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import type { ToolCall } from "../ports/language-model.ts";
import type { RunningEngines } from "./engines.ts";

/** What every carrier of the Twilio dialect streams; a line of another format is noticed when it comes. */
const USUAL_FORMAT: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };

/** Makes calls out of plans: looks up the engines that a plan names and wires them into one call. */
export const callFactory = (deps: AdapterDeps, engines: RunningEngines, leadMs: number): PrepareCall => {
  const pacer = new Pacer(deps.clock);
  return (plan, journal) =>
    prepareCall({
      clock: deps.clock,
      logger: deps.logger.child({ dialId: plan.dialId }),
      metrics: deps.metrics,
      pacer,
      rules: compileRules(plan),
      journal,
      dialogue: createDialogue(plan, { models: engines.modelFor, clock: deps.clock }),
      transcriber: engines.transcriberFor(plan.transcriber.type),
      keywords: plan.transcriber.keywords,
      vad: engines.vad,
      synthesizer: engines.synthesizerFor(plan.voice.id),
      voice: { voiceId: plan.voice.id, language: plan.language, options: optionsOf(plan) },
      volumeDb: plan.voice.volumeDb,
      leadMs,
      expectedFormat: USUAL_FORMAT,
      invoke: refuseFunction,
    });
};

const optionsOf = (plan: CallPlan): Readonly<Record<string, string>> =>
  Object.fromEntries(plan.voice.options.map(({ optionId, value }) => [optionId, value]));

/** A model that calls what it was not offered is told so, and goes on. */
const refuseFunction = (call: ToolCall): Promise<string> =>
  Promise.resolve(JSON.stringify({ error: `there is no function called ${call.name}` }));
