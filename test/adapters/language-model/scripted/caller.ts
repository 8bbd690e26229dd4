import type { LanguageModel, ModelMessage, ModelRequest, Tool } from "../../../../src/ports/language-model.ts";

export const END_CALL: Tool = { name: "end_call", description: "Hangs up", parameters: { type: "object" } };

/** What the agent did in one turn. */
export type Turn = Readonly<{ said: string; calls: readonly string[] }>;

/** Someone who talks with the scripted agent, turn by turn, as the service would have them talk. */
export class Caller {
  readonly #model: LanguageModel;
  readonly #tools: readonly Tool[];
  #messages: readonly ModelMessage[];
  #ended = false;

  constructor(
    model: LanguageModel,
    prompt = "You are the receptionist of Blue Dental.",
    tools: readonly Tool[] = [END_CALL],
  ) {
    this.#model = model;
    this.#tools = tools;
    this.#messages = [
      { role: "system", text: prompt },
      { role: "user", text: "[The call is connected.]" },
    ];
  }

  /** Whether the agent has hung up. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Lets the agent say its turn after `words` (nothing for the opening). `heard` cuts off what the caller hears of it. */
  async say(words?: string, heard?: (said: string) => string): Promise<Turn> {
    if (words !== undefined) this.#messages = [...this.#messages, { role: "user", text: words }];
    const request: ModelRequest = {
      model: "scripted-appointments",
      messages: this.#messages,
      tools: this.#tools,
      options: {},
    };
    let said = "";
    const calls: string[] = [];
    let last = "";
    for await (const event of this.#model.generate(request, new AbortController().signal)) {
      if (event.type === "text") said += event.text;
      if (event.type === "call") calls.push(event.call.name);
      last = event.type;
    }
    if (last !== "done") throw new Error(`the answer ended with ${last}`);
    this.#ended ||= calls.includes("end_call");
    this.#messages = [...this.#messages, { role: "assistant", text: heard === undefined ? said : heard(said) }];
    return { said, calls };
  }

  /** Says one thing after the other; answers the agent's last turn. */
  async talk(...words: readonly string[]): Promise<Turn> {
    let turn: Turn = { said: "", calls: [] };
    for (const word of words) turn = await this.say(word);
    return turn;
  }
}
