import type { Agent } from "../../../model/agent.ts";
import type { CallPlan } from "../../../model/call-plan.ts";

/** What a dial shows of its plan, and has a column of its own: plans hold whole prompts. */
export type ShownOfPlan = Readonly<{
  agent: Agent;
  inputs: Readonly<Record<string, unknown>>;
  warnings: readonly string[];
  voiceId: string;
  promptId: string;
  fromNumberId: string | null;
}>;

export const shownOfPlan = (
  plan: Pick<CallPlan, "agent" | "inputs" | "warnings" | "voice" | "prompt" | "fromNumberId">,
): ShownOfPlan => ({
  agent: plan.agent,
  inputs: plan.inputs,
  warnings: plan.warnings,
  voiceId: plan.voice.id,
  promptId: plan.prompt.id,
  fromNumberId: plan.fromNumberId ?? null,
});
