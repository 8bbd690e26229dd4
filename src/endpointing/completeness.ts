/**
 * How finished an English turn looks by its words alone, 0 (surely goes on) to 1 (surely over).
 *
 * The local transcriber puts a full stop after almost everything, truncated or not, so final punctuation is no cue here except
 * a question mark. A function word at the end is the strongest sign of going on: 32–37 % of truncated utterances end in one,
 * 5–9 % of complete ones.
 */
export const completeness = (text: string): number => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}'@.-]*[\p{L}\p{N}]/gu) ?? [];
  const last = words.at(-1);
  if (last === undefined) return 0.3;
  if (HESITATIONS.has(last)) return 0.05;
  if (OPEN_TAILS.has(last)) return 0.15;
  if (words.length === 1 && ANSWERS.has(last)) return 0.9;
  if (/^\d+$/.test(last) && last.length < 4) return 0.45;
  if (text.trimEnd().endsWith("?")) return 0.9;
  return words.length === 1 ? 0.6 : 0.75;
};

const HESITATIONS = new Set(["uh", "um", "er", "erm", "hmm", "eh", "uhm"]);

const OPEN_TAILS = new Set(
  (
    "a an the my your his her its our their this that these those to of in on at for from with by about into and or but so " +
    "because if when while as than is are was were be been am i i'm we you he she they it's i'd i'll we'd i've would could " +
    "should can will may might must want need like have has had do does next last another any some every which what who " +
    "where how also then maybe actually between until till since after before"
  ).split(" "),
);

const ANSWERS = new Set(
  "yes no yeah yep nope sure okay ok right correct exactly thanks bye goodbye hello hi stop wait never nothing none".split(
    " ",
  ),
);
