import type { CallPlan } from "../model/call-plan.ts";
import type { Clock } from "../ports/clock.ts";
import type { ModelMessage } from "../ports/language-model.ts";
import { partyOfWords } from "./answering-party.ts";
import { withinWindow } from "./context-window.ts";
import type { Dialogue, DialogueMove, Exchange } from "./dialogue.ts";
import { END_CALL } from "./functions.ts";
import { answer, optionsOf, type ChosenModel } from "./prompt-dialogue.ts";
import { fillIn, systemMessage } from "./system-message.ts";

/** An assistant screens calls only in the beginning; so many turns in, somebody else is there. */
const MOST_TURNS = 5;

/**
 * A dialogue behind an assistant that screens calls. While that is on the line the agent says who calls and why, and waits; the main
 * dialogue hears of it when the person comes on, who has heard nothing of the agent. Who is there is read from the history alone.
 */
export class ScreenedDialogue implements Dialogue {
  readonly #main: Dialogue;
  readonly #plan: CallPlan;
  readonly #chosen: ChosenModel;
  readonly #system: ModelMessage & Readonly<{ role: "system" }>;

  constructor(main: Dialogue, plan: CallPlan, chosen: ChosenModel, clock: Clock) {
    this.#main = main;
    this.#plan = plan;
    this.#chosen = chosen;
    const task = plan.prompt.prompt ?? plan.prompt.flowDefinition?.globalContext ?? "";
    this.#system = {
      role: "system",
      text: systemMessage(plan, `${fillIn(plan, task).trim()}\n\n${RULES}`, clock.now()),
    };
  }

  open(signal: AbortSignal): AsyncIterable<DialogueMove> {
    return this.#main.open(signal);
  }

  respond(history: readonly Exchange[], signal: AbortSignal): AsyncIterable<DialogueMove> {
    const { who, since } = screeningOf(history);
    if (who === "nobody") return this.#main.respond(history, signal);
    if (who === "person") return this.#main.respond(withoutScreener(history, since), signal);
    if (who === "holding") return silence();
    const request = {
      model: this.#chosen.modelId,
      messages: withinWindow(this.#chosen, this.#system, history, [END_CALL]),
      tools: [END_CALL],
      options: optionsOf(this.#plan),
    };
    return answer(this.#chosen, request, this.#plan.language, signal);
  }
}

/** `since`: the exchange with which the person came on. */
type Screening = Readonly<{ who: "nobody" | "screener" | "holding" | "person"; since: number }>;

/** Whether an assistant that screens calls is or was there. */
export const screeningOf = (history: readonly Exchange[]): Screening => {
  let screening: Screening = { who: "nobody", since: 0 };
  let turns = 0;
  for (const [index, exchange] of history.entries()) {
    if (exchange.speaker !== "caller" || screening.who === "person") continue;
    turns += 1;
    if (turns > MOST_TURNS) return screening.who === "nobody" ? screening : { who: "person", since: index };
    const party = partyOfWords(exchange.text);
    if (party === "screener") screening = { who: "screener", since: index };
    else if (screening.who !== "nobody")
      screening = { who: party === "ivr" || HOLDING.test(exchange.text) ? "holding" : "person", since: index };
  }
  return screening;
};

/** Whether an assistant that screens calls is there, and not the person yet. */
export const isScreened = (history: readonly Exchange[]): boolean => {
  const { who } = screeningOf(history);
  return who === "screener" || who === "holding";
};

const HOLDING = /\b(?:hold|wait|moment|stay on|thanks|thank you|connect|warten|espere|patient|attenda|aguarde)/iu;

/** What was said to or by the person; the moves of a flow are kept. */
const withoutScreener = (history: readonly Exchange[], since: number): readonly Exchange[] => [
  ...history.slice(0, since).filter(({ speaker }) => speaker === "flow"),
  PERSON_CAME,
  ...history.slice(since),
];

const PERSON_CAME: Exchange = {
  speaker: "event",
  text: "An assistant that screens calls was on the line and has told the person who you are and why you call. The person is there now and has heard nothing of you yet. Open the conversation with them.",
};

async function* silence(): AsyncGenerator<DialogueMove> {
  // The assistant asks the person; whatever is said now, nobody hears.
}

const RULES = `# Who is on the line
An assistant that screens calls is on the line, not the person whom you call. It passes on what you say.
- Say in one or two short sentences who you are, for whom you call, and why. Answer what else it asks.
- Say nothing private about the person, and do not begin the conversation; that comes when the person is there.
- Call end_call when it says that the person does not take the call.`;
