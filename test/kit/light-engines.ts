import { catalogueModels, modelLookUp } from "../../src/app/model-look-up.ts";
import type { startEngines } from "../../src/app/engines.ts";
import { KNOWN_TRANSCRIBERS, transcriberLookUp } from "../../src/app/transcriber-look-up.ts";
import { encodeSamples } from "../../src/audio/convert.ts";
import { Breakers } from "../../src/kit/breakers.ts";
import type { AudioFormat } from "../../src/model/audio.ts";
import type { LanguageModel, ModelEvent } from "../../src/ports/language-model.ts";
import type { SpeechSynthesizer, SpokenChunk } from "../../src/ports/synthesizer.ts";
import { ScriptedTranscriber, ScriptedVad } from "./scripted-engines.ts";
import { tone } from "./tones.ts";

/** What the agent's voice sounds like, in Hz. */
export const VOICE_HZ = 440;

/** How long it takes for a letter, in milliseconds. */
export const LETTER_MS = 25;

/** Says everything as a tone, at once. */
class ToneVoice implements SpeechSynthesizer {
  readonly name = "tones";
  readonly voices = [
    { id: "tone", name: "Tone", voiceType: "tones", voiceTier: "STANDARD", description: "A tone." } as const,
  ];
  readonly firstAudioDeadlineMs = 10_000;

  supports(): boolean {
    return true;
  }

  formatFor(line: AudioFormat): AudioFormat {
    return line;
  }

  async *synthesize(pieces: AsyncIterable<string>, _voice: unknown, line: AudioFormat): AsyncGenerator<SpokenChunk> {
    for await (const piece of pieces) {
      const samples = tone(VOICE_HZ, piece.length * LETTER_MS, line.sampleRate, 0.4);
      yield { audio: encodeSamples(line.encoding, samples), endOfPiece: true };
    }
  }

  async close(): Promise<void> {
    // It holds nothing.
  }
}

class PlainModel implements LanguageModel {
  readonly name = "plain";
  readonly scripted = true;
  readonly models = [{ id: "plain", name: "Plain", modelOptions: [] }];

  async *generate(): AsyncGenerator<ModelEvent> {
    yield { type: "text", text: "I see." };
    yield { type: "done" };
  }

  async close(): Promise<void> {
    // It holds nothing.
  }
}

/** Engines that compute nothing: loud sound is speech of which no word is understood, and the agent speaks in tones. For a whole service of which only the calls themselves matter. */
export const lightEngines: typeof startEngines = async (config, _env, deps) => {
  const vad = new ScriptedVad();
  const transcribers = [new ScriptedTranscriber(deps.clock, () => [])];
  const voice = new ToneVoice();
  const models = [new PlainModel()];
  const breakers = new Breakers(deps);
  return {
    vad,
    turnDetector: undefined,
    transcribers,
    synthesizers: [voice],
    models,
    tiers: [],
    catalogue: {
      transcribers,
      knownTranscribers: KNOWN_TRANSCRIBERS,
      synthesizers: [voice],
      defaultVoiceId: "tone",
      models: catalogueModels(models),
      scripted: true,
    },
    transcriberFor: transcriberLookUp(config, transcribers, deps, breakers),
    synthesizerFor: () => voice,
    modelFor: modelLookUp(config, models, deps, breakers),
    breakers,
    close: async () => undefined,
  };
};
