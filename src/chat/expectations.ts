import { RE2JS } from "re2js";
import { outcomeOf } from "../model/call-end.ts";
import type { CallEnd } from "../model/call-end.ts";
import type { NodeMove } from "../dialogue/dialogue.ts";
import type { Extraction } from "../dialogue/extraction.ts";
import type { ExpectedResult, ExpectedWords, Step } from "./conversation-schema.ts";
import type { CalledFunction } from "./scripted-functions.ts";

/** What the agent did since the caller last did something. */
export type Seen = Readonly<{
  words: string;
  moves: readonly NodeMove[];
  functions: readonly CalledFunction[];
  /** Keys that were pressed, in their order. */
  keys: string;
  end: CallEnd | undefined;
}>;

/** What a step expected and did not find. */
export type Unmet = Readonly<{ expected: string; found: string }>;

/** Needs more than what was seen: asks whether words mean something, and what an extractor finds. */
export type Judges = Readonly<{
  means(words: string, meaning: string): Promise<boolean>;
  extraction(): Promise<Pick<Extraction, "values" | "evidence"> | undefined>;
}>;

/** Everything that a step expects and that was not seen; nothing when all of it was. */
export const unmetBy = async (step: Step, seen: Seen, judges: Judges): Promise<readonly Unmet[]> => [
  ...(await unmetWords(list(step.expects), seen.words, judges)),
  ...unmetMoves(step.expectsTransition, seen.moves),
  ...unmetFunctions(step.expectsFunction, seen.functions),
  ...(step.expectsKeys === undefined || step.expectsKeys === seen.keys
    ? []
    : [{ expected: `keys "${step.expectsKeys}"`, found: `"${seen.keys}"` }]),
  ...(await unmetResult(step.expectsResult, seen.end, judges)),
];

const list = <T>(value: T | readonly T[] | undefined): readonly T[] => {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
};

const unmetWords = async (
  expected: readonly ExpectedWords[],
  words: string,
  judges: Judges,
): Promise<readonly Unmet[]> => {
  const unmet: Unmet[] = [];
  const said = plain(words);
  const miss = (what: string) => unmet.push({ expected: what, found: words === "" ? "silence" : `"${words}"` });
  for (const one of expected) {
    const { text, regex, not, meaning } = typeof one === "string" ? { text: one } : one;
    for (const part of list(text)) if (!said.includes(plain(part))) miss(`words "${part}"`);
    for (const pattern of list(regex)) if (!matches(pattern, words)) miss(`words that match /${pattern}/`);
    for (const part of list(not)) if (said.includes(plain(part))) miss(`no words "${part}"`);
    for (const one of list(meaning)) if (!(await judges.means(words, one))) miss(`words that mean: ${one}`);
  }
  return unmet;
};

/** Without regard to case, marks and blanks, which say nothing in speech. */
const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[‘’]/gu, "'")
    .replaceAll(/[^\p{L}\p{M}\p{N}']+/gu, " ")
    .trim();

/** RE2 cannot backtrack, so no pattern of a file can hang the run. */
const matches = (pattern: string, words: string): boolean =>
  RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE).matcher(words).find();

type Named = Readonly<Record<string, unknown>>;

const unmetMoves = (expected: Step["expectsTransition"], moves: readonly NodeMove[]): readonly Unmet[] => {
  if (expected === undefined) return [];
  const found = moves.length === 0 ? "none" : moves.map((move) => tellMove(move)).join(", then ");
  const fits = (wanted: (typeof expected & object) | string, move: NodeMove | undefined) => {
    if (move === undefined) return false;
    if (typeof wanted === "string") return move.toNodeId === wanted;
    const { to, from, rule, data } = wanted as Readonly<{ to: string; from?: string; rule?: number; data?: Named }>;
    return (
      move.toNodeId === to &&
      (from === undefined || move.fromNodeId === from) &&
      (rule === undefined || move.ruleIndex === rule) &&
      (data === undefined || contains(move.data, data))
    );
  };
  if (!Array.isArray(expected))
    return moves.some((move) => fits(expected, move)) ? [] : [{ expected: `a transition to ${tell(expected)}`, found }];
  const all = expected.length === moves.length && expected.every((one, index) => fits(one, moves[index]));
  return all ? [] : [{ expected: `exactly the transitions ${tell(expected)}`, found }];
};

const tellMove = ({ fromNodeId, toNodeId, ruleIndex, data }: NodeMove): string =>
  `${fromNodeId ?? "?"} → ${toNodeId} by rule ${ruleIndex ?? "?"} with ${JSON.stringify(data)}`;

const unmetFunctions = (expected: Step["expectsFunction"], called: readonly CalledFunction[]): readonly Unmet[] => {
  if (expected === undefined) return [];
  const found = called.length === 0 ? "none" : called.map(({ name, args }) => `${name} ${args}`).join(", then ");
  const fits = (wanted: unknown, one: CalledFunction | undefined) => {
    if (one === undefined) return false;
    if (typeof wanted === "string") return one.name === wanted;
    const { name, args, result } = wanted as Readonly<{ name: string; args?: Named; result?: unknown }>;
    return (
      one.name === name &&
      (args === undefined || contains(json(one.args), args)) &&
      (result === undefined || contains(json(one.result), result))
    );
  };
  if (!Array.isArray(expected))
    return called.some((one) => fits(expected, one)) ? [] : [{ expected: `a call of ${tell(expected)}`, found }];
  const all = expected.length === called.length && expected.every((one, index) => fits(one, called[index]));
  return all ? [] : [{ expected: `exactly the calls ${tell(expected)}`, found }];
};

const unmetResult = async (
  expected: Step["expectsResult"],
  end: CallEnd | undefined,
  judges: Judges,
): Promise<readonly Unmet[]> => {
  if (expected === undefined) return [];
  if (expected === null) return end === undefined ? [] : [{ expected: "a call that goes on", found: tellEnd(end) }];
  if (end === undefined) return [{ expected: `the end ${tell(expected)}`, found: "a call that goes on" }];
  const { aiResult, aiResultEvidence, ...wanted }: ExpectedResult =
    typeof expected === "string" ? { endReason: expected } : expected;
  const had = { endReason: end.reason, endedBy: end.endedBy, ...outcomeOf(end.reason) };
  const unmet: Unmet[] = contains(had, wanted) ? [] : [{ expected: `the end ${tell(wanted)}`, found: tell(had) }];
  if (aiResult === undefined && aiResultEvidence === undefined) return unmet;
  const extracted = await judges.extraction();
  const compare = (name: string, found: unknown, expected: unknown) => {
    if (expected !== undefined && !contains(found, expected))
      unmet.push({ expected: `${name} ${tell(expected)}`, found: tell(found) });
  };
  compare("aiResult", extracted?.values, aiResult);
  compare("aiResultEvidence", extracted?.evidence, aiResultEvidence);
  return unmet;
};

const tellEnd = ({ reason, endedBy }: CallEnd): string => `an end: ${reason} by ${endedBy}`;

const tell = (value: unknown): string => (typeof value === "string" ? `"${value}"` : JSON.stringify(value ?? "none"));

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Whether a value is the wanted one; objects may have more than is wanted of them. */
const contains = (value: unknown, wanted: unknown): boolean => {
  if (typeof wanted !== "object" || wanted === null) return Object.is(value, wanted);
  if (typeof value !== "object" || value === null || Array.isArray(value) !== Array.isArray(wanted)) return false;
  if (Array.isArray(wanted) && (value as readonly unknown[]).length !== wanted.length) return false;
  return Object.entries(wanted).every(
    ([key, part]) => Object.hasOwn(value, key) && contains((value as Named)[key], part),
  );
};
