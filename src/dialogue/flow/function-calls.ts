import type { ToolCall } from "../../ports/language-model.ts";
import type { Exchange } from "../dialogue.ts";

/** The last call of a function in a stretch of history, by the tool's name. */
export const lastCall = (since: readonly Exchange[], name: string): ToolCall | undefined =>
  since
    .flatMap((exchange) => (exchange.speaker === "agent" ? (exchange.calls ?? []) : []))
    .findLast((call) => call.name === name);

/** What a call has come to; `undefined` while it runs. */
export const resultOf = (call: ToolCall, since: readonly Exchange[]): string | undefined =>
  since.flatMap((exchange) =>
    exchange.speaker === "function" && exchange.callId === call.id ? [exchange.result] : [],
  )[0];
