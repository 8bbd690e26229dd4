import { renderTemplate, TemplateTooLong } from "../dialogue/template.ts";
import type { Agent } from "../model/agent.ts";
import type { CallPlan } from "../model/call-plan.ts";
import { Refusal } from "./refusal.ts";

/**
 * What a call does about a voicemail: what the agent says, else it hangs up, since nobody hears a conversation with a recorder.
 *
 * @throws {Refusal} when the message with its macros filled is too long.
 */
export const planVoicemail = (
  { voicemailConfig, fillEmptyStringVariables }: Agent,
  inputs: Readonly<Record<string, unknown>>,
): NonNullable<CallPlan["voicemail"]> => {
  const { action = "hangup", message = "", carrierDetection } = voicemailConfig ?? {};
  const detection = carrierDetection === true ? ({ carrierDetection } as const) : {};
  if (action !== "leave_message") return { action, message: "", ...detection };
  try {
    return {
      action,
      message: renderTemplate(message, inputs, { fillEmpty: fillEmptyStringVariables ?? false }),
      ...detection,
    };
  } catch (error) {
    if (error instanceof TemplateTooLong)
      throw new Refusal("voicemail_message_too_long", error.message, "/callAgentInput");
    throw error;
  }
};
