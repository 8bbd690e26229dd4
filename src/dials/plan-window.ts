import type { Agent } from "../model/agent.ts";
import { isOpen, windowIn, type PlannedWindow } from "../model/calling-window.ts";
import { zonesOf } from "./number-zones.ts";

/** The agent's calling window where the number is; a warning says that the dial waits for it, or that nobody knows where that is. */
export const planWindow = (
  { callingWindow }: Agent,
  toNumber: string | undefined,
  now: number | undefined,
): Readonly<{ value?: PlannedWindow; warnings: readonly string[] }> => {
  if (callingWindow === undefined || toNumber === undefined) return { warnings: [] };
  const zones = zonesOf(toNumber);
  const value = windowIn(callingWindow, zones.length === 0 ? ["UTC"] : zones);
  const unknown =
    zones.length === 0 ? ["The number's time zone is not known; its calling window is taken as UTC."] : [];
  const waits =
    now === undefined || isOpen(value, now)
      ? []
      : ["The dial waits until people may be called where the number is, as the agent's callingWindow says."];
  return { value, warnings: [...unknown, ...waits] };
};
