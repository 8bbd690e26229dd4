import type { FunctionOutcome } from "../call/invocations.ts";
import type { InvokerDeps } from "../dials/invoke-function.ts";
import { FunctionInvoker } from "../dials/invoke-function.ts";
import { findFunction } from "../dialogue/functions.ts";
import type { CallPlan } from "../model/call-plan.ts";
import { sleep } from "../ports/clock.ts";
import type { HttpCaller, HttpOutcome, HttpPost } from "../ports/http-caller.ts";
import type { ToolCall } from "../ports/language-model.ts";
import type { ScriptedAnswer } from "./conversation-schema.ts";
import type { TextClock } from "./text-clock.ts";

/** A function that was called, and what came of it; nothing while it runs. */
export type CalledFunction = Readonly<{ callId: string; name: string; args: string; result: string }>;

export type ScriptedFunctionsDeps = Readonly<{
  clock: TextClock;
  random: InvokerDeps["random"];
  logger: InvokerDeps["logger"];
  plan: CallPlan;
  answers: Readonly<Record<string, ScriptedAnswer | readonly ScriptedAnswer[]>>;
  /** Calls functions that have no answer in the script; absent where that is not allowed. */
  http?: HttpCaller | undefined;
}>;

/**
 * The functions of a conversation in text. They run as in every call, arguments and answers are checked as always; only the server behind
 * them is the script, or the real one where that is allowed.
 */
export class ScriptedFunctions {
  readonly called: CalledFunction[] = [];
  /** Functions that were called and have no answer. */
  readonly unanswered: string[] = [];
  readonly #deps: ScriptedFunctionsDeps;
  readonly #invoker: FunctionInvoker;
  readonly #names = new Map<string, string>();
  readonly #uses = new Map<string, number>();

  constructor(deps: ScriptedFunctionsDeps) {
    this.#deps = deps;
    const { clock, random, logger, plan } = deps;
    const http = { post: (request: HttpPost, signal: AbortSignal) => this.#post(request, signal), close: nothing };
    const asked = deps.http === undefined ? withoutOwnKeys(plan) : plan;
    this.#invoker = new FunctionInvoker({ clock, random, logger, http }, asked);
  }

  async invoke(call: ToolCall, signal: AbortSignal): Promise<FunctionOutcome> {
    const definition = findFunction(this.#deps.plan.functions, call.name);
    this.#names.set(call.id, definition?.name ?? call.name);
    const called = { callId: call.id, name: definition?.name ?? call.name, args: call.args };
    const place = this.called.push({ ...called, result: "" }) - 1;
    const outcome = await this.#invoker.invoke(call, signal);
    this.called[place] = { ...called, result: "result" in outcome ? outcome.result : JSON.stringify(outcome) };
    return outcome;
  }

  stillRunning(ms: number, signal: AbortSignal): Promise<boolean> {
    return this.#invoker.stillRunning(ms, signal);
  }

  async #post(request: HttpPost, signal: AbortSignal): Promise<HttpOutcome> {
    const { clock, http } = this.#deps;
    const callId = request.headers["idempotency-key"]?.split("/").at(-1) ?? "";
    const name = this.#names.get(callId) ?? "";
    const answer = this.#next(name);
    if (answer === undefined) {
      if (http !== undefined) return clock.outside(http.post(request, signal));
      this.unanswered.push(name);
      return { type: "refused", why: "the script has no answer for it" };
    }
    const waitMs = answer.fails === "timeout" ? request.timeoutMs : Math.min(answer.afterMs ?? 0, request.timeoutMs);
    await sleep(clock, waitMs, signal).catch(() => undefined);
    return signal.aborted || (answer.afterMs ?? 0) > request.timeoutMs ? { type: "timeout" } : outcomeOf(answer);
  }

  #next(name: string): ScriptedAnswer | undefined {
    const { answers } = this.#deps;
    if (!Object.hasOwn(answers, name)) return undefined;
    const given = answers[name];
    const all = Array.isArray(given) ? (given as readonly ScriptedAnswer[]) : [given as ScriptedAnswer];
    const used = this.#uses.get(name) ?? 0;
    this.#uses.set(name, used + 1);
    return all[Math.min(used, all.length - 1)];
  }
}

const nothing = (): Promise<void> => Promise.resolve();

/** The key of a request tells which call it is of; a header of the customer's own would hide it. */
const withoutOwnKeys = (plan: CallPlan): CallPlan => ({
  ...plan,
  functions: plan.functions.map((definition) =>
    definition.headers === undefined
      ? definition
      : { ...definition, headers: definition.headers.filter(({ key }) => key.toLowerCase() !== "idempotency-key") },
  ),
});

const outcomeOf = (answer: ScriptedAnswer): HttpOutcome => {
  const { fails, status = 200, body, result } = answer;
  switch (fails) {
    case "timeout":
      return { type: "timeout" };
    case "unreachable":
      return { type: "not-sent", cause: new Error("the script lets the server be unreachable") };
    case "broken":
      return { type: "broken", cause: new Error("the script breaks the connection") };
    case "too-large":
      return { type: "too-large", status };
    case "refused":
      return { type: "refused", why: "the script refuses the address" };
    default:
      return {
        type: "answered",
        status,
        contentType: body === undefined ? "application/json" : "text/plain",
        body: new TextEncoder().encode(body ?? (result === undefined ? "" : JSON.stringify(result))),
      };
  }
};
