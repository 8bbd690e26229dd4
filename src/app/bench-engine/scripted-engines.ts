import type { CallParts } from "../../call/call-parts.ts";
import { Breakers } from "../../kit/breakers.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { VoiceActivityDetector } from "../../ports/vad.ts";
import { EnginesUnavailable } from "../engines-unavailable.ts";
import type { RunningEngines } from "../engines.ts";
import type { Note } from "./event-log.ts";
import type { Scenario } from "./scenario.ts";
import { scriptedModel } from "./scripted-model.ts";
import { scriptedTranscriber, type ScriptedParts } from "./scripted-transcriber.ts";
import { scriptedVoice } from "./scripted-voice.ts";

type EngineParts = Readonly<{
  clock: Clock;
  logger: Logger;
  now(): number;
  scenario: Scenario;
  vad: VoiceActivityDetector;
}>;

/** Engines that each call has of its own, so that what they note can be told apart: all three are named by the dial's id. */
export class ScriptedEngines {
  readonly #parts: EngineParts;
  readonly #calls = new Map<string, ScriptedParts>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  /** Makes the engines of a dial known until the returned function is called. */
  open(dialId: string, note: Note): () => void {
    const { clock, now, scenario } = this.#parts;
    this.#calls.set(dialId, { clock, now, scenario, note });
    return () => this.#calls.delete(dialId);
  }

  get running(): RunningEngines {
    const { clock, logger, vad } = this.#parts;
    return {
      vad,
      turnDetector: undefined,
      transcribers: [],
      synthesizers: [],
      models: [],
      tiers: [],
      catalogue: { transcribers: [], knownTranscribers: [], synthesizers: [], models: [] },
      transcriberFor: (name) => scriptedTranscriber(name, this.#of(name)),
      synthesizerFor: (voiceId) => scriptedVoice(voiceId, this.#of(voiceId)),
      modelFor: (modelId = "") => ({ model: scriptedModel(modelId, this.#of(modelId)), modelId }),
      breakers: new Breakers({ clock, logger }),
      close: () => vad.close(),
    };
  }

  /**
   * What the scenario decides of a call: it does not speak first, an interruption counts after `vadStartMs`, and an answer is begun
   * when the turn is over and not before, so that what a provider took can be subtracted.
   */
  readonly tune = (parts: CallParts): CallParts => {
    const { scenario } = this.#parts;
    const waitMs = Math.max(scenario.endpointMs, scenario.vadStopMs);
    return {
      ...parts,
      rules: {
        ...parts.rules,
        bargeInMs: scenario.vadStartMs,
        endpoint: () => ({ waitMs }),
        endpointHardMs: waitMs + scenario.sttFinalMs + GRACE_MS,
        speculates: false,
      },
      dialogue: {
        open: nothing,
        respond: (history, signal) => parts.dialogue.respond(history, signal),
      },
    };
  };

  #of(dialId: string): ScriptedParts {
    const found = this.#calls.get(dialId);
    if (found === undefined) throw new EnginesUnavailable(`no call of this measurement is ${dialId}`);
    return found;
  }
}

/** A final transcript that is this late will not come. */
const GRACE_MS = 2000;

// oxlint-disable-next-line require-yield -- a dialogue that does not open yields nothing
async function* nothing(): AsyncGenerator<never> {
  // The other party speaks first.
}
