import type { CallPlan } from "../model/call-plan.ts";
import type { Clock } from "../ports/clock.ts";
import type { Dialogue } from "./dialogue.ts";
import { PromptDialogue, type ChosenModel } from "./prompt-dialogue.ts";

/** Finds a prompt's model by `aiModelId`; the deployment's default for `undefined`. Throws when there is no such model. */
export type ModelLookup = (aiModelId: string | undefined) => ChosenModel;

export type DialogueDeps = Readonly<{ models: ModelLookup; clock: Clock }>;

/** The prompt is a flow, and this service cannot follow it. */
export class FlowNotSupported extends Error {
  override readonly name = "FlowNotSupported";
  constructor() {
    super("this prompt is a CUSTOM_FLOW, which cannot be followed yet; dial with a STANDARD prompt");
  }
}

/**
 * The dialogue that a call's prompt asks for.
 *
 * @throws {FlowNotSupported} for a CUSTOM_FLOW prompt.
 */
export const createDialogue = (plan: CallPlan, deps: DialogueDeps): Dialogue => {
  if (plan.prompt.agentType === "CUSTOM_FLOW") throw new FlowNotSupported();
  return new PromptDialogue(plan, deps.models(plan.prompt.aiModelId), deps.clock);
};
