import type { CallPlan } from "../model/call-plan.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { BoundedDialogue } from "./bounded-dialogue.ts";
import { fillersOf } from "./call-words.ts";
import type { Dialogue, Exchange } from "./dialogue.ts";
import { FillerDialogue } from "./filler-dialogue.ts";
import { FlowDialogue } from "./flow/flow-dialogue.ts";
import { IvrDialogue } from "./ivr-dialogue.ts";
import { MenuDialogue } from "./menu-dialogue.ts";
import { ScreenedDialogue } from "./screened-dialogue.ts";
import { PromptDialogue, type ChosenModel } from "./prompt-dialogue.ts";
import { spokenLanguage } from "./spoken-language.ts";

/** Finds a prompt's model by `aiModelId`; the deployment's default for `undefined`. Throws when there is no such model. */
export type ModelLookup = (aiModelId: string | undefined) => ChosenModel;

export type DialogueDeps = Readonly<{ models: ModelLookup; clock: Clock; logger?: Logger }>;

/**
 * The dialogue that a call's prompt asks for.
 *
 * @throws {InvalidFlow} for a CUSTOM_FLOW prompt whose flow was never checked and cannot be followed.
 */
export const createDialogue = (plan: CallPlan, { models, clock, logger }: DialogueDeps): Dialogue => {
  const chosen = models(plan.prompt.aiModelId);
  const main =
    plan.prompt.agentType === "CUSTOM_FLOW"
      ? new FlowDialogue(plan, { chosen, clock, logger })
      : new PromptDialogue(plan, chosen, clock);
  const { ivrPrompt, filler } = plan;
  const ending = new BoundedDialogue(main);
  // A script has its words at once.
  const messages = (history: readonly Exchange[]) => fillersOf(plan, spokenLanguage(plan, history));
  const spoken =
    filler === undefined || chosen.model.scripted
      ? ending
      : new FillerDialogue(ending, { afterMs: filler.afterMs, messages }, clock);
  // Only those whom we call have assistants; a script has no words for them.
  const screened =
    plan.direction === "outbound" && !chosen.model.scripted
      ? new ScreenedDialogue(spoken, plan, chosen, clock)
      : spoken;
  if (ivrPrompt === undefined) return screened;
  return new IvrDialogue(
    screened,
    new MenuDialogue({ ...plan, prompt: ivrPrompt }, models(ivrPrompt.aiModelId), clock),
  );
};
