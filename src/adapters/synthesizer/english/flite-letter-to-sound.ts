import { runFlite } from "./flite-program.ts";
import { isVowel, type LetterToSound, type Phones } from "./pronunciation.ts";

/**
 * Flite's trained letter-to-sound rules for words that no dictionary knows. The program prints phones without stress, so
 * stress is put where most English nouns and names have it: on the first full vowel, and secondary on every second full
 * vowel after it.
 */
export const fliteLetterToSound =
  (module: WebAssembly.Module): LetterToSound =>
  (word) => {
    // The diphone voice has the same rules as the others and is the fastest to run.
    const { printed } = runFlite(module, ["-voice", "kal", "-ps"], word);
    return stressed(printed.split(/\s+/u).filter((phone) => phone !== "" && phone !== "pau"));
  };

/** Phones as flite names them → ARPABET with stress. */
export const stressed = (phones: readonly string[]): Phones => {
  let fullVowels = 0;
  return phones.map((phone) => {
    if (phone === "ax") return "AH0";
    const name = phone.toUpperCase();
    if (!isVowel(name)) return name;
    fullVowels += 1;
    if (fullVowels === 1) return `${name}1`;
    return `${name}${fullVowels % 2 === 1 ? 2 : 0}`;
  });
};
