import type { DialStatus } from "../../model/call-end.ts";
import type { LiveEvent } from "../../model/live-event.ts";

/** How much of a dial's stream is kept. */
export const KEPT_ENTRIES = 1_000;
/** How long a stream is kept after its last entry, in milliseconds. */
export const KEPT_MS = 3_600_000;

const TERMINAL: ReadonlySet<DialStatus> = new Set(["completed", "failed", "canceled", "busy", "no-answer"]);

/** Whether nothing comes after this event. */
export const isLast = (event: LiveEvent): boolean => event.type === "status" && TERMINAL.has(event.status);
