import type { CallPlan } from "./call-plan.ts";

/** A plan without what it says of the person who was called: what remains is how the customer had set the agent up. */
export const erasedPlan = <Plan extends Partial<CallPlan> & Pick<CallPlan, "transcriber">>(plan: Plan): Plan => {
  const { carrierCallId: _call, openingLine: _opening, ...kept } = plan;
  const { startedMessages: _started, voicemail: _voicemail, ...config } = kept;
  return { ...config, inputs: {}, transcriber: { ...plan.transcriber, keywords: [] }, warnings: [] } as unknown as Plan;
};
