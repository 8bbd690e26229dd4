import { millisecondsOf, type AudioFormat } from "../../../model/audio.ts";
import type { Voice } from "../../../model/voice.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { SpeechSynthesizer, SpokenChunk, VoiceSettings } from "../../../ports/synthesizer.ts";
import { untilAborted } from "../threaded/until-aborted.ts";
import { isSpeakable, wordsOf } from "../threaded/utterances.ts";
import { shifted, unspokenWords } from "../threaded/word-times.ts";
import type { PieceSpeaker, VendorVoice } from "./piece-speaker.ts";
import type { VoiceList } from "./voice-list.ts";
import { WordMatch } from "./word-match.ts";

export type VendorSynthesizerOptions = Readonly<{
  /** The descriptor's name; voices are called `<name>-<the vendor's id>`. */
  name: string;
  speaker: PieceSpeaker;
  voices: VoiceList;
  formatFor(line: AudioFormat): AudioFormat;
}>;

/** What a vendor's first sound may take before another voice is looked for, the way there included, in milliseconds. */
const FIRST_AUDIO_DEADLINE_MS = 800;

/** A vendor's voices as a synthesizer: each piece of text is one request, and the next is made as soon as the one before is complete. */
export class VendorSynthesizer implements SpeechSynthesizer {
  readonly name: string;
  readonly firstAudioDeadlineMs = FIRST_AUDIO_DEADLINE_MS;
  readonly #options: VendorSynthesizerOptions;
  #closing: Promise<void> | undefined;

  constructor(options: VendorSynthesizerOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get voices(): readonly Voice[] {
    return this.#options.voices.voices;
  }

  /** A voice that names no languages speaks all that the vendor has. */
  supports(language: string, voiceId?: string): boolean {
    const wanted = primary(language);
    return this.voices.some(
      ({ id, languages }) =>
        (voiceId === undefined || id === voiceId) &&
        (languages === undefined || languages.some((one) => primary(one) === wanted)),
    );
  }

  formatFor(line: AudioFormat): AudioFormat {
    return this.#options.formatFor(line);
  }

  async *synthesize(
    pieces: AsyncIterable<string>,
    voice: VoiceSettings,
    line: AudioFormat,
    signal: AbortSignal,
  ): AsyncGenerator<SpokenChunk, void, undefined> {
    const vendorVoice = this.#vendorVoice(voice);
    const format = this.formatFor(line);
    let atMs = 0;
    for await (const piece of untilAborted(pieces, signal)) {
      if (this.#closing !== undefined) throw new ProviderError(this.name, "unavailable", "is closed");
      const match = new WordMatch(wordsOf(piece));
      let pieceMs = 0;
      if (isSpeakable(piece)) {
        for await (const { audio, words } of this.#options.speaker.speak(piece, vendorVoice, format, signal)) {
          yield words === undefined ? { audio } : { audio, words: shifted(match.times(words), atMs) };
          pieceMs += millisecondsOf(format, audio.length);
        }
        if (signal.aborted) return;
      }
      const rest = this.#rest(piece, match, atMs, pieceMs);
      atMs += pieceMs;
      yield { audio: EMPTY, ...(rest === undefined ? {} : { words: rest }), endOfPiece: true };
      if (signal.aborted) return;
    }
  }

  warm(voice: VoiceSettings, line: AudioFormat): void {
    if (this.#closing === undefined && this.voices.some(({ id }) => id === voice.voiceId))
      this.#options.speaker.warm(this.#vendorVoice(voice), this.formatFor(line));
  }

  close(): Promise<void> {
    this.#closing ??= this.#options.speaker.close().finally(() => {
      this.#options.voices.close();
    });
    return this.#closing;
  }

  /** Times for the words that the vendor told nothing of; none where it told nothing at all, so that they are estimated as one. */
  #rest(piece: string, match: WordMatch, atMs: number, pieceMs: number) {
    if (!isSpeakable(piece)) return unspokenWords(wordsOf(piece), atMs);
    return match.timed ? shifted(match.rest(pieceMs), atMs) : undefined;
  }

  #vendorVoice({ voiceId, language, options }: VoiceSettings): VendorVoice {
    if (!this.voices.some(({ id }) => id === voiceId))
      throw new ProviderError(this.name, "rejected", `has no voice ${voiceId}; GET /voices lists what it has`);
    return { id: voiceId.slice(this.name.length + 1), language, options };
  }
}

const EMPTY = new Uint8Array(0);

const primary = (language: string): string => language.split("-")[0]?.toLowerCase() ?? "";
