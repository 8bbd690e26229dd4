import type { Voice } from "../model/voice.ts";
import type { CatalogueModel } from "../ports/language-model.ts";

/** A synthesizer, as far as choosing a voice needs it. */
export type VoiceSource = Readonly<{ voices: readonly Voice[]; supports(language: string, voiceId?: string): boolean }>;

/** A transcriber that runs here, as far as choosing one needs it. */
export type TranscriberSource = Readonly<{ name: string; supports(language: string): boolean }>;

/** What this deployment can hear, say and think with. The first of each list is the default. */
export type Engines = Readonly<{
  transcribers: readonly TranscriberSource[];
  /** Transcribers that may be asked for though they do not run here (no key); the default stands in, with a warning. */
  knownTranscribers: readonly string[];
  synthesizers: readonly VoiceSource[];
  /** Must be one of the voices; absent: the first voice. */
  defaultVoiceId?: string;
  models: readonly CatalogueModel[];
  /** There is no language model, and a script stands in for one. */
  scripted?: boolean;
}>;

/** A voice and whether it speaks a language. */
export type FoundVoice = Readonly<{ voice: Voice; speaks: boolean }>;

/** Every voice of every synthesizer, in order of preference. */
export const voicesOf = (engines: Engines): readonly Voice[] => engines.synthesizers.flatMap((source) => source.voices);

/** The voice with an id, and whether it speaks `language`. */
export const findVoice = (engines: Engines, id: string, language: string): FoundVoice | undefined => {
  for (const source of engines.synthesizers) {
    const voice = source.voices.find((one) => one.id === id);
    if (voice !== undefined) return { voice, speaks: source.supports(language, id) };
  }
  return undefined;
};

/** A synthesizer's first voice that speaks a language. */
export const firstVoice = (source: VoiceSource, language: string): Voice | undefined =>
  source.supports(language) ? source.voices.find(({ id }) => source.supports(language, id)) : undefined;

/** The deployment's voice for a language: its default when that speaks it, else the first that does. */
export const voiceFor = (engines: Engines, language: string): Voice | undefined => {
  const preferred = engines.defaultVoiceId;
  const found = preferred === undefined ? undefined : findVoice(engines, preferred, language);
  if (found?.speaks) return found.voice;
  for (const source of engines.synthesizers) {
    const first = firstVoice(source, language);
    if (first !== undefined) return first;
  }
  return undefined;
};
