import { readWav } from "../../../audio/wav.ts";
import { alignedWords, type Phone } from "../english/phone-alignment.ts";
import { runFlite } from "../english/flite-program.ts";
import { fliteLetterToSound } from "../english/flite-letter-to-sound.ts";
import { Pronunciation } from "../english/pronunciation.ts";
import type { Engine } from "../threaded/serve-speech.ts";
import { trimSilence } from "../threaded/silence.ts";
import { wordsOf } from "../threaded/utterances.ts";

/** Flite over its compiled module. Word times are those of the phones that the engine made. */
export const fliteEngine = (module: WebAssembly.Module): Engine => {
  const pronunciation = new Pronunciation(fliteLetterToSound(module));
  return {
    speak: ({ text, voice, speed }) => {
      const { printed, wav } = runFlite(module, ["-voice", voice, "-psdur", ...paceOf(speed)], text);
      const sound = readWav(wav);
      const trimmed = trimSilence(sound.samples, sound.sampleRate, text);
      const words = wordsOf(text);
      const phones = phonesOf(printed).map((phone) => ({
        name: phone.name,
        startMs: Math.max(0, phone.startMs - trimmed.cutMs),
        endMs: Math.max(0, phone.endMs - trimmed.cutMs),
      }));
      return {
        samples: trimmed.samples,
        sampleRate: sound.sampleRate,
        words: alignedWords(words, pronunciation.ofWords(words), phones),
      };
    },
    close: () => undefined,
  };
};

/**
 * Reads flite's `name:end` pairs, `end` in seconds; a text that flite took as several utterances starts again from zero at each.
 */
export const phonesOf = (printed: string): readonly Phone[] => {
  const phones: Phone[] = [];
  let utteranceMs = 0;
  let lastMs = 0;
  for (const [, name = "", end = ""] of printed.matchAll(/(\w+):(\d+(?:\.\d+)?)/gu)) {
    const endMs = Number(end) * 1000;
    if (utteranceMs + endMs < lastMs) utteranceMs = lastMs;
    phones.push({ name, startMs: lastMs, endMs: utteranceMs + endMs });
    lastMs = utteranceMs + endMs;
  }
  return phones;
};

const paceOf = (speed: number): readonly string[] =>
  speed === 1 ? [] : ["--setf", `duration_stretch=${(1 / speed).toFixed(3)}`];
