import type { CallPlan } from "../../model/call-plan.ts";
import type { FlowDefinition } from "../../model/versioned-prompt.ts";

/** Whether the agent speaks first. `aiOpen` is the older switch and counts only where the newer one is absent. */
export const opensCall = (flow: FlowDefinition | undefined, direction: CallPlan["direction"]): boolean => {
  switch (flow?.openingLineType) {
    case "NONE":
      return false;
    case "INBOUND_ONLY":
      return direction !== "outbound";
    case "INBOUND_OUTBOUND":
      return true;
    case undefined:
      return flow?.aiOpen ?? true;
  }
};
