import type { CallPlan } from "../../model/call-plan.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Tool } from "../../ports/language-model.ts";
import type { Dialogue, DialogueMove, Exchange } from "../dialogue.ts";
import { goodbyeOf, spokenLanguage } from "../spoken-language.ts";
import { everyFiller, everyIdleMessage } from "../call-words.ts";
import { ownWords } from "../own-words.ts";
import { builtInTools, END_CALL, offerFunctions } from "../functions.ts";
import { optionsOf, type ChosenModel } from "../prompt-dialogue.ts";
import { plainAnswer, type Answer } from "./answers.ts";
import { compileFlow, type CompiledFlow } from "./compile-flow.ts";
import { fitInputs } from "./fit-inputs.ts";
import { lastCall, resultOf } from "./function-calls.ts";
import { readOutputs } from "./function-outputs.ts";
import { Judge, JUDGING_MS } from "./judge.ts";
import type { Judgement, JudgementTask } from "./judgement-request.ts";
import type { QuestionData } from "./node-data.ts";
import { opensCall } from "./opens-call.ts";
import { enter, locate, spokenHere, timesAskedAgain, turnOf, wasPut, type Position } from "./position.ts";
import { firstRule, languageConditions } from "./rules.ts";
import { pressOnce } from "./press-once.ts";
import { transferArguments } from "./transfer-call.ts";
import { speak, speakOr, type SpeechDeps, type SpeechTask } from "./speech.ts";
import { AFTER_FUNCTION, AFTER_TRANSFER, askAgain, NOTHING_LEFT, STILL_RUNNING } from "./instructions.ts";
import { fillSpoken, fillText, fillValue, type Values } from "./values.ts";

export type FlowDeps = Readonly<{ chosen: ChosenModel; clock: Clock; logger?: Logger | undefined }>;

type Named = Readonly<Record<string, unknown>>;

/** How often a question is put again before the flow goes on without an answer; a third time would not be understood either. */
export const MAX_ASKED_AGAIN = 2;

/** One answer in the making. */
type Turn = Readonly<{
  history: readonly Exchange[];
  signal: AbortSignal;
  /** When judging has to be done, monotonic milliseconds. */
  deadline: number;
}>;

/** The rule that leads on, and what the node yields with it. */
type Departure = Readonly<{ ruleIndex: number; data: Named }>;

/**
 * The dialogue of a CUSTOM_FLOW prompt. Where the flow stands is read from the history alone (`position.ts`), in which a move appears
 * when the reply that made it was heard; an answer that is dropped leaves nothing behind. `docs/flows.md` tells what each node does.
 *
 * @throws {InvalidFlow} from the constructor, when the flow was never checked and cannot be followed.
 */
export class FlowDialogue implements Dialogue {
  readonly #plan: CallPlan;
  readonly #flow: CompiledFlow;
  readonly #judge: Judge;
  readonly #speech: SpeechDeps;
  /** What may have been said without being words of the flow, in any language of the call. */
  readonly #asides: Readonly<{ idle: readonly string[]; fillers: readonly string[] }>;
  readonly #clock: Clock;
  readonly #logger: Logger | undefined;

  constructor(plan: CallPlan, { chosen, clock, logger }: FlowDeps) {
    this.#plan = plan;
    this.#flow = compileFlow(plan.prompt.flowDefinition);
    this.#judge = new Judge({ chosen, options: optionsOf(plan), clock, logger });
    this.#speech = { plan, chosen, clock, logger, startedAt: clock.now() };
    this.#asides = { idle: everyIdleMessage(plan), fillers: everyFiller(plan) };
    this.#clock = clock;
    this.#logger = logger;
  }

  async *open(signal: AbortSignal): AsyncGenerator<DialogueMove> {
    if (opensCall(this.#plan.prompt.flowDefinition, this.#plan.direction)) yield* this.respond([], signal);
  }

  /**
   * Leaves at most one node by the caller's words, and then every node that needs no caller, until one speaks or calls a function.
   * A checked flow cannot go round in circles without the caller; an unchecked one stops after as many moves as it has nodes.
   */
  async *respond(history: readonly Exchange[], signal: AbortSignal): AsyncGenerator<DialogueMove> {
    const turn: Turn = { history, signal, deadline: this.#clock.monotonic() + JUDGING_MS };
    let position = locate(this.#flow, this.#plan.inputs, history);
    for (let moves = 0; moves < this.#flow.nodes.size + 1; moves++) {
      if (signal.aborted) return;
      const departure = yield* this.#visit(position, turn);
      const target = departure === undefined ? undefined : position.node.rules[departure.ruleIndex]?.transitionNodeId;
      const next = this.#flow.nodes.get(target ?? "");
      if (departure === undefined || next === undefined || isAborted(turn)) return;
      const { ruleIndex, data } = departure;
      yield { type: "move", fromNodeId: position.node.id, toNodeId: next.id, ruleIndex, data };
      position = enter(position, next, data);
    }
    yield* this.#converse(position, turn, NOTHING_LEFT);
  }

  /** Does what a node does; a departure when the flow goes on at once. */
  async *#visit(position: Position, turn: Turn): AsyncGenerator<DialogueMove, Departure | undefined> {
    const { content } = position.node;
    switch (content.type) {
      case "question":
        return yield* this.#question(position, turn, content.data);
      case "freeform":
        return yield* this.#freeform(position, turn, content.data.prompt);
      case "function_call": {
        const inputs = content.data.inputs ?? [];
        const values = this.#valuesOf(position);
        const args = () => Object.fromEntries(inputs.map(({ name, value }) => [name, fillValue(value, values)]));
        const read = (result: string) => readOutputs(content.data.outputs ?? [], result);
        return yield* this.#function(position, turn, { functionId: content.data.functionId, args, read });
      }
      case "transfer": {
        const { functionId, failedMessage } = content.data;
        const values = this.#valuesOf(position);
        const definition = this.#plan.functions.find(({ id }) => id === functionId);
        const task = (instructions: string) => this.#task(position, turn, instructions, []);
        const args = () => transferArguments(this.#speech, definition, content.data, values, task, turn.signal);
        const departure = yield* this.#function(position, turn, { functionId, args, read: () => ({}) });
        // Once somebody has spoken of it, it needs no telling.
        if (departure === undefined || turn.history.at(-1)?.speaker !== "function") return departure;
        const told =
          failedMessage === undefined
            ? ownWords(spokenLanguage(this.#plan, turn.history)).notConnected
            : fillSpoken(failedMessage, values);
        // What the next node says follows in the same breath.
        if (told.trim() !== "") yield { type: "say", text: `${told.trim()} ` };
        return departure;
      }
      case "set_variables": {
        const data = fillValue(content.data.values, this.#valuesOf(position)) as Named;
        const set = { ...position, variables: { ...position.variables, ...data } };
        const departure = await this.#depart(set, turn, data, true);
        if (departure === undefined) yield* this.#converse(set, turn, NOTHING_LEFT);
        return departure;
      }
      case "press_digits":
        yield* pressOnce(position, fillText(content.data.digits, this.#valuesOf(position)), this.#logger);
        return this.#depart(position, turn, {}, true);
      case "end_call": {
        const { message } = content.data;
        const text =
          message === undefined ? goodbyeOf(this.#plan, turn.history) : fillSpoken(message, this.#valuesOf(position));
        if (text.trim() !== "") yield { type: "say", text };
        yield { type: "hang-up", reason: "agent_hangup" };
        return undefined;
      }
    }
  }

  async *#question(
    position: Position,
    turn: Turn,
    data: QuestionData,
  ): AsyncGenerator<DialogueMove, Departure | undefined> {
    const values = this.#valuesOf(position);
    const { idle: messages, fillers } = this.#asides;
    const words = turnOf(position, fillers);
    const question = fillSpoken(data.question, values);
    if (words === undefined || !wasPut(position, this.#asides, words)) {
      yield { type: "say", text: question };
      return undefined;
    }
    const options = data.options?.map((option) => fillText(option, values));
    const asked = { ...data, question, ...(options === undefined ? {} : { options }) };
    const { answer, holds } = await this.#understand(position, turn, asked, words);
    if (isAborted(turn)) return undefined;
    const gaveUp = answer === undefined && timesAskedAgain(position, [...messages, ...fillers]) >= MAX_ASKED_AGAIN;
    const yielded = answer === undefined ? { answer: null } : { answer };
    const departure = await this.#depart(position, turn, yielded, answer !== undefined || gaveUp, holds);
    if (departure !== undefined || isAborted(turn)) return departure;
    const details = data.clarificationDetails ? fillText(data.clarificationDetails, values) : undefined;
    const task = this.#task(position, turn, askAgain(asked, details, answer !== undefined));
    yield* speakOr(this.#speech, task, question, turn.signal);
    return undefined;
  }

  /** The answer in the caller's words; asks the model only when they have to be judged, and then about the rules as well. */
  async #understand(
    position: Position,
    turn: Turn,
    question: QuestionData,
    words: string,
  ): Promise<Readonly<{ answer?: Answer; holds?: ReadonlySet<number> }>> {
    const answer = plainAnswer(question, words);
    if (answer !== undefined) return { answer };
    const conditions = languageConditions(position.node.rules, this.#valuesOf(position));
    const judgement = await this.#ask(position, turn, { conditions, question });
    return judgement ?? { holds: new Set() };
  }

  async *#freeform(
    position: Position,
    turn: Turn,
    prompt: string,
  ): AsyncGenerator<DialogueMove, Departure | undefined> {
    const { idle, fillers } = this.#asides;
    if (turnOf(position, fillers) !== undefined) {
      const heard = spokenHere(position, [...idle, ...fillers]);
      const departure = await this.#depart(position, turn, {}, heard);
      if (departure !== undefined || isAborted(turn)) return departure;
    }
    yield* this.#converse(position, turn, fillText(prompt, this.#valuesOf(position)), builtInTools(this.#plan));
    return undefined;
  }

  /** Calls the node's function once; when its result is in, the rules decide with its outputs. */
  async *#function(
    position: Position,
    turn: Turn,
    wanted: Readonly<{ functionId: string; args(): Named | Promise<Named>; read(result: string): Named }>,
  ): AsyncGenerator<DialogueMove, Departure | undefined> {
    const offered = offerFunctions(this.#plan.functions, this.#plan.language).find(
      ({ definition }) => definition.id === wanted.functionId,
    );
    if (offered === undefined)
      this.#logger?.warn("a flow's function is not one of the agent's", { reason: "unknown_function" });
    const name = offered?.tool.name ?? "";
    const called = lastCall(position.since, name);
    if (offered !== undefined && called === undefined) {
      // No other call of this call's life is made at this length of the history, so the id is its own and the same every time.
      const id = `flow_${turn.history.length}`;
      const args = fitInputs(await wanted.args(), offered.tool.parameters);
      if (!isAborted(turn)) yield { type: "call", call: { id, name, args: JSON.stringify(args) } };
      return undefined;
    }
    const result = called === undefined ? "null" : resultOf(called, position.since);
    if (result === undefined) {
      const moment = ownWords(spokenLanguage(this.#plan, turn.history)).fillers.at(-1) ?? "";
      yield* speakOr(this.#speech, this.#task(position, turn, STILL_RUNNING, []), moment, turn.signal);
      return undefined;
    }
    const departure = await this.#depart(position, turn, wanted.read(result), true);
    if (departure !== undefined || isAborted(turn)) return departure;
    const transfers = position.node.content.type === "transfer" && offered !== undefined;
    const tools = transfers ? [offered.tool, END_CALL] : [END_CALL];
    yield* this.#converse(position, turn, transfers ? AFTER_TRANSFER : AFTER_FUNCTION, tools);
    return undefined;
  }

  /** The first of the node's rules that holds; a judgement that was made already is used. */
  async #depart(
    position: Position,
    turn: Turn,
    yielded: Named,
    settled: boolean,
    holds?: ReadonlySet<number>,
  ): Promise<Departure | undefined> {
    const { rules } = position.node;
    const values = this.#valuesOf(position, yielded);
    const judge = async () => {
      if (holds !== undefined) return holds;
      const judgement = await this.#ask(position, turn, { conditions: languageConditions(rules, values) });
      return judgement?.holds ?? new Set<number>();
    };
    const ruleIndex = await firstRule(rules, values, settled, judge);
    return ruleIndex < 0 ? undefined : { ruleIndex, data: yielded };
  }

  #ask(
    position: Position,
    turn: Turn,
    task: Pick<JudgementTask, "question" | "conditions">,
  ): Promise<Judgement | undefined> {
    const whole = { ...task, context: this.#context(position), history: turn.history };
    return this.#judge.judge(whole, turn.deadline, turn.signal);
  }

  #converse(
    position: Position,
    turn: Turn,
    instructions: string,
    tools: readonly Tool[] = [END_CALL],
  ): AsyncGenerator<DialogueMove> {
    return speak(this.#speech, this.#task(position, turn, instructions, tools), turn.signal);
  }

  #task(position: Position, { history }: Turn, instructions: string, tools: readonly Tool[] = [END_CALL]): SpeechTask {
    const known: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(position.variables))
      if (this.#plan.inputs[name] !== value) known[name] = value;
    for (const [nodeId, outputs] of position.outputs)
      for (const [name, value] of Object.entries(outputs)) known[`node.${nodeId}.${name}`] = value;
    // Nobody has answered the phone yet, so there is nobody to hang up on.
    const offered = history.length === 0 ? [] : tools;
    return { context: this.#context(position), instructions, known, history, tools: offered };
  }

  #context(position: Position): string {
    return fillText(this.#flow.globalContext, this.#valuesOf(position, {}));
  }

  #valuesOf({ node, variables, outputs }: Position, yielded?: Named): Values {
    const own = yielded ?? outputs.get(node.id) ?? {};
    const fillEmpty = this.#plan.agent.fillEmptyStringVariables ?? false;
    return { variables, outputs: new Map(outputs).set(node.id, own), own, yields: this.#flow.yields, fillEmpty };
  }
}

/** A function, because the compiler takes a signal that was once found live for live for ever. */
const isAborted = ({ signal }: Turn): boolean => signal.aborted;
