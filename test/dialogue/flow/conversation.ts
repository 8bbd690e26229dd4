import { createDialogue } from "../../../src/dialogue/create-dialogue.ts";
import type { Dialogue, DialogueMove, Exchange } from "../../../src/dialogue/dialogue.ts";
import type { CallPlan } from "../../../src/model/call-plan.ts";
import type { FunctionDefinition } from "../../../src/model/function-definition.ts";
import type { FlowDefinition } from "../../../src/model/versioned-prompt.ts";
import type { ToolCall } from "../../../src/ports/language-model.ts";
import { VirtualClock } from "../../kit/virtual-clock.ts";
import { planWith } from "../plan.ts";
import { FlowModel } from "./flow-model.ts";

export const LOOK_UP: FunctionDefinition = {
  id: "fn-api",
  name: "look up",
  description: "Looks a customer up.",
  type: "api",
  allowedNumbers: [],
};
export const CONNECT: FunctionDefinition = {
  id: "fn-transfer",
  name: "connect",
  description: "Connects to a person.",
  type: "transfer",
  allowedNumbers: [{ number: "+14155550123" }],
};

export type Options = Readonly<{
  plan?: Partial<CallPlan>;
  model?: FlowModel;
  functions?: (call: ToolCall) => unknown;
}>;

export const flowPlan = (flow: FlowDefinition, change: Partial<CallPlan> = {}): CallPlan =>
  planWith({
    prompt: { id: "prompt-1", name: "Flow", agentType: "CUSTOM_FLOW", prompt: null, flowDefinition: flow },
    functions: [LOOK_UP, CONNECT],
    ...change,
  });

export const collect = async (moves: AsyncIterable<DialogueMove>): Promise<readonly DialogueMove[]> => {
  const collected: DialogueMove[] = [];
  for await (const move of moves) collected.push(move);
  return collected;
};

/** What an agent does in one answer, as a line a reader can follow: `a -> b` for moves, `call name {args}`, words, `hang up`. */
export const lines = (moves: readonly DialogueMove[]): readonly string[] => {
  const told: string[] = [];
  for (const move of moves) {
    if (move.type === "say") told.push(move.text);
    else if (move.type === "move") told.push(`${move.fromNodeId ?? ""} -> ${move.toNodeId} by ${move.ruleIndex ?? ""}`);
    else if (move.type === "call") told.push(`call ${move.call.name} ${move.call.args}`);
    else if (move.type === "press-digits") told.push(`press ${move.digits}`);
    else told.push("hang up");
  }
  return told;
};

/** As in the call loop. */
const MAX_CALLS_IN_A_ROW = 8;

/** A conversation as text that makes history as the call loop does: what is dropped unheard leaves nothing. */
export class Conversation {
  readonly model: FlowModel;
  readonly clock = new VirtualClock();
  readonly dialogue: Dialogue;
  history: readonly Exchange[] = [];
  readonly #functions: (call: ToolCall) => unknown;

  constructor(flow: FlowDefinition, { plan, model = new FlowModel(), functions = () => ({}) }: Options = {}) {
    this.model = model;
    this.#functions = functions;
    this.dialogue = createDialogue(flowPlan(flow, plan), {
      models: () => ({ model, modelId: "m-1" }),
      clock: this.clock,
    });
  }

  get signal(): AbortSignal {
    return new AbortController().signal;
  }

  async open(): Promise<readonly string[]> {
    return this.#heard(await collect(this.dialogue.open(this.signal)));
  }

  /** The caller speaks, and hears the answer to its end; functions answer at once. */
  async says(text: string): Promise<readonly string[]> {
    this.history = [...this.history, { speaker: "caller", text }];
    return this.#heard(await this.#respond());
  }

  /** The caller speaks and goes on before the answer is heard: it never was. */
  async saysAndGoesOn(text: string): Promise<readonly string[]> {
    return lines(await collect(this.dialogue.respond([...this.history, { speaker: "caller", text }], this.signal)));
  }

  /** The caller speaks and cuts the answer off after so many of its words. */
  async interrupts(text: string, words: number): Promise<readonly string[]> {
    this.history = [...this.history, { speaker: "caller", text }];
    const moves = await this.#respond();
    this.#remember(moves, words);
    return lines(moves);
  }

  /** Somebody asks whether the caller is still there. */
  idle(message: string): void {
    this.history = [...this.history, { speaker: "agent", text: message, interrupted: false }];
  }

  async #respond(): Promise<readonly DialogueMove[]> {
    return collect(this.dialogue.respond(this.history, this.signal));
  }

  async #heard(moves: readonly DialogueMove[], callsInARow = 0): Promise<readonly string[]> {
    const calls = this.#remember(moves);
    for (const call of calls) {
      const result = this.#functions(call);
      const text = typeof result === "string" ? result : JSON.stringify(result);
      this.history = [...this.history, { speaker: "function", callId: call.id, name: call.name, result: text }];
    }
    if (calls.length === 0 || callsInARow === MAX_CALLS_IN_A_ROW) return lines(moves);
    return [...lines(moves), ...(await this.#heard(await this.#respond(), callsInARow + 1))];
  }

  #remember(moves: readonly DialogueMove[], words?: number): readonly ToolCall[] {
    const said = moves.map((move) => (move.type === "say" ? move.text : "")).join("");
    const text = words === undefined ? said : said.split(" ").slice(0, words).join(" ");
    const calls = moves.flatMap((move) => (move.type === "call" ? [move.call] : []));
    const pressed = moves.flatMap((move) =>
      move.type === "press-digits" ? [{ id: "k", name: "press_digits", args: JSON.stringify(move.digits) }] : [],
    );
    for (const move of moves) {
      if (move.type !== "move") continue;
      const { type: _move, ...moved } = move;
      this.history = [...this.history, { speaker: "flow", ...moved }];
    }
    const all = [...pressed, ...calls];
    if (text.trim() !== "" || all.length > 0) {
      const spoken = { speaker: "agent", text: text.trim(), interrupted: words !== undefined } as const;
      this.history = [...this.history, { ...spoken, ...(all.length === 0 ? {} : { calls: all }) }];
    }
    return calls;
  }
}
