import type { FunctionOutcome } from "../call/invocations.ts";
import {
  ALLOW_RECORDING,
  COLLECT_DIGITS,
  findFunction,
  MARK_DO_NOT_CALL,
  PRESS_DIGITS,
  SWITCH_LANGUAGE,
} from "../dialogue/functions.ts";
import { transferSummary } from "../dialogue/transfer-summary.ts";
import { transferTarget } from "../dialogue/transfer-target.ts";
import { backoff } from "../kit/backoff.ts";
import { toError } from "../kit/errors.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { FunctionDefinition } from "../model/function-definition.ts";
import { sleep, type Clock } from "../ports/clock.ts";
import type { HttpCaller, HttpOutcome } from "../ports/http-caller.ts";
import type { ToolCall } from "../ports/language-model.ts";
import type { Logger } from "../ports/logger.ts";
import type { AnswerMetrics } from "../ports/metrics.ts";
import type { Random } from "../ports/random.ts";
import { whyNeverRung } from "./destination.ts";
import { collectDigits, markDoNotCall, switchLanguage, type MarkDeps } from "./built-in-actions.ts";
import { answerOf, failure } from "./function-answer.ts";
import { allowRecording, type SwitchDeps } from "./switch-recording.ts";
import type { DialTraces } from "./dial-traces.ts";
import { compileSchema, UnusableSchema, type Check } from "./json-schema.ts";

export type InvokerDeps = Readonly<{
  clock: Clock;
  random: Random;
  logger: Logger;
  http: HttpCaller;
  metrics?: Partial<Pick<AnswerMetrics, "functionCalled">> | undefined;
  traces?: DialTraces | undefined;
}> &
  MarkDeps &
  SwitchDeps;

/** A person waits on the line: a server that has not answered by now has not answered, in milliseconds. */
export const FUNCTION_TIMEOUT_MS = 10_000;

/** Largest answer of a function, in bytes; a model is shown 8000 characters of it. */
export const MAX_ANSWER_BYTES = 65_536;

/** Longest arguments that a model may give, in UTF-16 units. */
const MAX_ARGS = 16_000;

/** A server that cannot be reached is tried this often in all, within the one time limit. */
const ATTEMPTS = 3;
const PAUSE_MS = 200;

/** Keys that can be pressed never come here as a call. */
const NO_KEYS = "Nothing was pressed: digits must be 1 to 32 of 0-9, * and #, with commas for pauses.";

/** A function that a dialogue asks for begins to run within this, in milliseconds; the call decides in between. */
const START_MS = 20;

/**
 * Runs the functions of one call. What a model gives is data: it is checked against the function's schema, sent as JSON, and chooses
 * among stored numbers; it never decides where anything is sent. A call that was made is not made again under the same id.
 */
export class FunctionInvoker {
  readonly #deps: InvokerDeps;
  readonly #plan: CallPlan;
  readonly #checks = new Map<string, Check | UnusableSchema>();
  readonly #running = new Map<string, Promise<FunctionOutcome>>();
  readonly #idle = new Set<() => void>();
  #active = 0;

  constructor(deps: InvokerDeps, plan: CallPlan) {
    this.#deps = deps;
    this.#plan = plan;
  }

  /** Runs a function, once for each call id; never rejects. */
  invoke(call: ToolCall, signal: AbortSignal): Promise<FunctionOutcome> {
    const known = this.#running.get(call.id);
    if (known !== undefined) return known;
    this.#active += 1;
    const running = this.#invoke(call, signal).finally(() => {
      this.#active -= 1;
      if (this.#active === 0) for (const wake of this.#idle) wake();
    });
    this.#running.set(call.id, running);
    return running;
  }

  /** Resolves after `ms`, true if a function is still running then; false as soon as none is, or on abort. */
  async stillRunning(ms: number, signal: AbortSignal): Promise<boolean> {
    await this.#idleFor(START_MS, signal);
    if (this.#active === 0 || signal.aborted) return false;
    await this.#idleFor(ms - START_MS, signal);
    return this.#active > 0 && !signal.aborted;
  }

  /** Resolves after `ms`, when the last running function has answered, or on abort. */
  #idleFor(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        timer.cancel();
        this.#idle.delete(settle);
        signal.removeEventListener("abort", settle);
        resolve();
      };
      const timer = this.#deps.clock.setTimer(ms, settle);
      this.#idle.add(settle);
      signal.addEventListener("abort", settle, { once: true });
      if (signal.aborted) settle();
    });
  }

  async #invoke(call: ToolCall, signal: AbortSignal): Promise<FunctionOutcome> {
    const definition = findFunction(this.#plan.functions, call.name);
    if (call.name === COLLECT_DIGITS.name) return collectDigits(call);
    if (call.name === SWITCH_LANGUAGE) return switchLanguage(this.#plan, call);
    if (call.name === MARK_DO_NOT_CALL.name) return told(await markDoNotCall(this.#deps, this.#plan));
    if (call.name === ALLOW_RECORDING.name) return told(await this.#allowRecording());
    if (call.name === PRESS_DIGITS.name) return told(failure("invalid_arguments", NO_KEYS));
    if (definition === undefined) return told(failure("unknown_function", `There is no function called ${call.name}.`));
    if (definition.type === "api") return told(await this.#api(definition, call, signal));
    const target = transferTarget(definition, call.args, whyNeverRung);
    this.#deps.logger.info("a transfer was asked for", { functionId: definition.id, outcome: target.type });
    if (target.type === "allowed") {
      const summary = transferSummary(definition, call.args, this.#plan.language);
      return { type: "transfer", to: target.to, ...(summary === undefined ? {} : { summary }) };
    }
    return told(failure("not_allowed", `Not connected: ${target.why}.`));
  }

  /** Offered where the person is asked, and of no effect elsewhere. */
  async #allowRecording(): Promise<string> {
    if (this.#plan.recording?.requireConsent === true) return allowRecording(this.#deps, this.#plan.dialId);
    return failure("not_needed", "Nothing was done: this call does not ask whether it may be recorded.");
  }

  async #api(definition: FunctionDefinition, call: ToolCall, signal: AbortSignal): Promise<string> {
    const params = argumentsOf(call.args);
    if (params === undefined)
      return failure("invalid_arguments", "The arguments must be one JSON object. Call the function again with one.");
    const check = this.#checkOf(definition);
    if (check instanceof UnusableSchema)
      return failure("misconfigured", "The function is set up wrongly and cannot be used. Nothing was done.");
    const wrong = check(params);
    if (wrong !== undefined)
      return failure("invalid_arguments", `${wrong}. Ask for what is missing, or call the function again.`);
    const fromMs = this.#deps.clock.now();
    const startedAt = this.#deps.clock.monotonic();
    const outcome = await this.#post(definition, call, params, signal);
    const ms = Math.round(this.#deps.clock.monotonic() - startedAt);
    const status = outcome.type === "answered" ? outcome.status : undefined;
    this.#deps.logger.info("a function was called", { functionId: definition.id, outcome: outcome.type, status, ms });
    const failed = status !== undefined && (status < 200 || status > 299);
    this.#deps.metrics?.functionCalled?.(failed ? "failed" : outcome.type, ms);
    const traced = { id: call.id, functionId: definition.id, fromMs, outcome: outcome.type, status };
    this.#deps.traces?.functionCalled(this.#plan.dialId, traced);
    return answerOf(definition, outcome, FUNCTION_TIMEOUT_MS);
  }

  /** Asks until the request has left, which it does once. */
  async #post(
    definition: FunctionDefinition,
    call: ToolCall,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<HttpOutcome> {
    const { clock, random, http } = this.#deps;
    const until = clock.monotonic() + FUNCTION_TIMEOUT_MS;
    const request = {
      url: definition.apiPath ?? "",
      headers: {
        ...this.#traceOf(call),
        ...headersOf(definition, `${this.#plan.dialId}/${call.id}`),
      },
      body: JSON.stringify({ dial_id: this.#plan.dialId, params, dial: dialOf(this.#plan) }),
      maxBytes: MAX_ANSWER_BYTES,
    };
    for (let attempt = 1; ; attempt++) {
      const outcome = await http.post({ ...request, timeoutMs: until - clock.monotonic() }, signal);
      const pauseMs = PAUSE_MS + backoff(random, attempt, PAUSE_MS, FUNCTION_TIMEOUT_MS);
      if (outcome.type !== "not-sent" || attempt === ATTEMPTS || clock.monotonic() + pauseMs >= until) return outcome;
      this.#deps.logger.warn("a function's server could not be reached", {
        functionId: definition.id,
        error: outcome.cause,
      });
      try {
        await sleep(clock, pauseMs, signal);
      } catch (error) {
        return { type: "not-sent", cause: toError(error) };
      }
    }
  }

  /** Lets the function's server go on with our trace, unless the customer's own headers say otherwise. */
  #traceOf(call: ToolCall): Readonly<Record<string, string>> {
    const { traces } = this.#deps;
    return traces === undefined ? {} : { traceparent: traces.functionParent(this.#plan.dialId, call.id) };
  }

  #checkOf(definition: FunctionDefinition): Check | UnusableSchema {
    const known = this.#checks.get(definition.id);
    if (known !== undefined) return known;
    const made = checkFrom(definition.inputJsonSchema);
    this.#checks.set(definition.id, made);
    return made;
  }
}

const told = (result: string): FunctionOutcome => ({ type: "result", result });

const checkFrom = (text: string | undefined): Check | UnusableSchema => {
  if (text === undefined || text.trim() === "") return () => undefined;
  try {
    return compileSchema(text);
  } catch (error) {
    if (error instanceof UnusableSchema) return error;
    throw error;
  }
};

/** Some models leave the arguments of a function without parameters empty. */
const argumentsOf = (args: string): Readonly<Record<string, unknown>> | undefined => {
  if (args.length > MAX_ARGS) return undefined;
  if (args.trim() === "") return {};
  try {
    const parsed: unknown = JSON.parse(args);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
};

/** The customer's headers may set all but the media type; the key lets a server recognize a request that it has had. */
const headersOf = ({ headers = [] }: FunctionDefinition, key: string): Readonly<Record<string, string>> => ({
  "user-agent": "call-engine",
  accept: "application/json",
  "idempotency-key": key,
  ...Object.fromEntries(headers.map((header) => [header.key.toLowerCase(), header.value])),
  "content-type": "application/json",
});

/** What a function's server may want to know of the call. */
const dialOf = (plan: CallPlan): Readonly<Record<string, unknown>> => ({
  id: plan.dialId,
  direction: plan.direction,
  call_agent_id: plan.agent.id,
  to_number: plan.toNumber ?? null,
  from_number: plan.fromNumber ?? null,
  inputs: plan.inputs,
});
