import { toError } from "../kit/errors.ts";
import type { Scope } from "../kit/scope.ts";
import { withDeadline, type Clock } from "../ports/clock.ts";
import type { ToolCall } from "../ports/language-model.ts";
import type { CallHappening } from "./events.ts";
import type { TransferWish } from "./transfer-wish.ts";
import type { WantedKeys } from "./wanted-keys.ts";

/**
 * What came of a function: its result as JSON text, a number to connect the other party to with what is told there first, keys that they are to press, or a language
 * (BCP 47) to change to, with the result that tells of it.
 */
export type FunctionOutcome =
  | Readonly<{ type: "result"; result: string }>
  | (Readonly<{ type: "transfer" }> & TransferWish)
  | Readonly<{ type: "collect"; wanted: WantedKeys }>
  | Readonly<{ type: "language"; language: string; result: string }>;

/** Connects the other party to another number and lets go of the call; `failed`: they are still with us. */
export type Transfer = (wish: TransferWish, signal: AbortSignal) => Promise<"transferred" | "failed">;

export type InvocationDeps = Readonly<{
  clock: Clock;
  scope: Scope;
  /** Runs a function that the dialogue asked for; never rejects. */
  invoke(call: ToolCall, signal: AbortSignal): Promise<FunctionOutcome>;
  transfer: Transfer;
  emit(happening: CallHappening): void;
}>;

/** A function that is not done by now is answered for, in milliseconds; its own limit is shorter. */
const FUNCTION_DEADLINE_MS = 60_000;

/**
 * A carrier that has not said by now whether they talk has failed, in milliseconds; phones ring for 20 to 30 s, and what is told there first
 * takes 20 s.
 */
const TRANSFER_DEADLINE_MS = 60_000;

/**
 * Functions and transfers under way. They run under the call and not under the reply: cutting the agent off does not undo what
 * they have begun.
 */
export class Invocations {
  readonly #deps: InvocationDeps;

  constructor(deps: InvocationDeps) {
    this.#deps = deps;
  }

  async run(reply: number, call: ToolCall): Promise<void> {
    const { clock, scope, invoke, emit } = this.#deps;
    const running = scope.child(`function ${call.name}`);
    const { id: callId, name } = call;
    const outcome = await withDeadline(clock, FUNCTION_DEADLINE_MS, "the function", invoke(call, running.signal)).catch(
      (error: unknown) => ({ type: "result", result: JSON.stringify({ error: toError(error).message }) }) as const,
    );
    await running.close();
    if (outcome.type === "transfer") emit({ ...outcome, type: "transfer-wanted", reply, callId, name });
    else if (outcome.type === "collect") emit({ type: "digits-wanted", reply, callId, name, wanted: outcome.wanted });
    else if (outcome.type === "language")
      emit({ type: "language-wanted", reply, callId, name, language: outcome.language, result: outcome.result });
    else emit({ type: "function-result", reply, callId, name, result: outcome.result });
  }

  async transfer({ to, summary }: TransferWish): Promise<void> {
    const wish = { to, ...(summary === undefined ? {} : { summary }) };
    const { clock, scope, transfer, emit } = this.#deps;
    const running = scope.child("transfer");
    const outcome = await withDeadline(
      clock,
      TRANSFER_DEADLINE_MS,
      "the transfer",
      transfer(wish, running.signal),
    ).catch(() => "failed");
    await running.close();
    emit({ type: "transfer-ended", transferred: outcome === "transferred" });
  }
}
