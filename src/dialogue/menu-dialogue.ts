import type { CallPlan } from "../model/call-plan.ts";
import type { Clock } from "../ports/clock.ts";
import type { ModelMessage, Tool, ToolCall } from "../ports/language-model.ts";
import { withinWindow } from "./context-window.ts";
import type { Dialogue, DialogueMove, Exchange } from "./dialogue.ts";
import { END_CALL, PRESS_DIGITS } from "./functions.ts";
import { keysIn } from "./keys.ts";
import { optionsOf, type ChosenModel } from "./prompt-dialogue.ts";
import { fillIn, systemMessage } from "./system-message.ts";
import { untilAborted } from "./until-aborted.ts";

/**
 * A prompt's way through an automated menu. Its model presses keys, waits, hangs up, or says what a menu that listens asks for. An answer
 * is taken when it is whole: words beside a key are thoughts that no menu needs to hear, and no words at all mean waiting.
 */
export class MenuDialogue implements Pick<Dialogue, "respond"> {
  readonly #plan: CallPlan;
  readonly #chosen: ChosenModel;
  readonly #system: ModelMessage & Readonly<{ role: "system" }>;

  constructor(plan: CallPlan, chosen: ChosenModel, clock: Clock) {
    this.#plan = plan;
    this.#chosen = chosen;
    const text = `${fillIn(plan, plan.prompt.prompt ?? "").trim()}\n\n${RULES}`;
    this.#system = { role: "system", text: systemMessage(plan, text, clock.now()) };
  }

  async *respond(history: readonly Exchange[], signal: AbortSignal): AsyncGenerator<DialogueMove> {
    const request = {
      model: this.#chosen.modelId,
      messages: withinWindow(this.#chosen, this.#system, history, [PRESS_DIGITS, WAIT, END_CALL]),
      tools: [PRESS_DIGITS, WAIT, END_CALL],
      options: optionsOf(this.#plan),
    };
    let words = "";
    const calls: ToolCall[] = [];
    for await (const event of untilAborted(this.#chosen.model.generate(request, signal), signal)) {
      if (event.type === "text") words += event.text;
      else if (event.type === "call") calls.push(event.call);
    }
    if (signal.aborted) return;
    if (calls.length === 0 && words.trim() !== "") yield { type: "say", text: words };
    const presses = calls.filter(({ name }) => name === PRESS_DIGITS.name);
    for (const call of presses) {
      const digits = keysIn(call);
      // What is no key is answered like any call that cannot be made, and the model tries again.
      yield digits === undefined ? { type: "call", call } : { type: "press-digits", digits };
    }
    if (presses.length === 0 && calls.some(({ name }) => name === END_CALL.name))
      yield { type: "hang-up", reason: "agent_hangup" };
  }
}

const WAIT: Tool = {
  name: "wait",
  description:
    "Does and says nothing, and listens on: while the menu is still talking, plays music, or looks something up.",
  parameters: { type: "object", properties: {}, additionalProperties: false },
};

const RULES = `# Who is on the line
An automated phone menu is on the line, not a person. It hears keys, and words only when it asks for them.
- Press keys with the press_digits function as soon as the option that you need was offered.
- Call the wait function when the option that you need was not offered yet, or when you are asked to hold.
- Write words only when the menu asks you to say something; then write just what it asks for. Never greet, thank or explain.`;
