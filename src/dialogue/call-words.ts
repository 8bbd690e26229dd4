import type { CallPlan } from "../model/call-plan.ts";
import { ownWordsIn } from "./own-words.ts";

type Planned = Pick<CallPlan, "language" | "languages" | "filler" | "idle">;

/**
 * What asks for a moment in the language (BCP 47) that a call is in: the agent's own in the call's first language, the project's in others.
 * The agent's own stand in where the project has none; nothing when it asks for no moments.
 */
export const fillersOf = (plan: Pick<Planned, "language" | "filler">, language: string): readonly string[] => {
  const { filler } = plan;
  if (filler === undefined) return [];
  const own = sameLanguage(plan.language, language) ? undefined : ownWordsIn(language)?.fillers;
  return own ?? filler.messages;
};

/** What asks whether somebody is there, in the language that a call is in; as {@link fillersOf}. */
export const idleMessagesOf = (plan: Pick<Planned, "language" | "idle">, language: string): readonly string[] => {
  const own = sameLanguage(plan.language, language) ? undefined : ownWordsIn(language)?.stillThere;
  return own === undefined ? plan.idle.messages : [own];
};

/** What may have asked for a moment in a call, whatever languages it was in. */
export const everyFiller = (plan: Planned): readonly string[] =>
  languagesOf(plan).flatMap((language) => fillersOf(plan, language));

/** What may have asked in a call whether somebody is there. */
export const everyIdleMessage = (plan: Planned): readonly string[] =>
  languagesOf(plan).flatMap((language) => idleMessagesOf(plan, language));

const languagesOf = ({ language, languages = [] }: Planned): readonly string[] => [
  language,
  ...languages.map((one) => one.language).filter((one) => !sameLanguage(one, language)),
];

/** "en-GB" and "en-US" are the same to somebody who listens. */
const sameLanguage = (one: string, other: string): boolean =>
  one.split("-", 1)[0]?.toLowerCase() === other.split("-", 1)[0]?.toLowerCase();
