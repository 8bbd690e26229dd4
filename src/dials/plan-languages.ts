import type { Agent } from "../model/agent.ts";
import type { PlannedLanguage } from "../model/call-plan.ts";
import type { Voice } from "../model/voice.ts";
import { findVoice, voiceFor, type Engines } from "./engines.ts";
import type { Chosen } from "./choose-engines.ts";

/**
 * The languages that a call may change to, its own first, each with what hears and speaks it: the call's own engines where they can, else
 * the first that do. Fewer than two are none. What nothing here hears and speaks is warned of.
 */
export const planLanguages = (
  engines: Engines,
  { language: own, additionalLanguages = [] }: Agent,
  transcriber: string,
  voice: Voice,
): Chosen<readonly PlannedLanguage[] | undefined> => {
  const known: PlannedLanguage[] = [{ language: own, transcriber, voiceId: voice.id }];
  const warnings: string[] = [];
  for (const language of new Set(additionalLanguages)) {
    if (known.some((one) => one.language.toLowerCase() === language.toLowerCase())) continue;
    const hears = engines.transcribers.filter((one) => one.supports(language));
    const listener = hears.find(({ name }) => name === transcriber) ?? hears[0];
    const speaker = findVoice(engines, voice.id, language)?.speaks === true ? voice : voiceFor(engines, language);
    if (listener !== undefined && speaker !== undefined)
      known.push({ language, transcriber: listener.name, voiceId: speaker.id });
    else
      warnings.push(
        `The call cannot change to ${language}, because nothing that is configured here ${listener === undefined ? "hears" : "speaks"} it.`,
      );
  }
  return { value: known.length > 1 ? known : undefined, warnings };
};
