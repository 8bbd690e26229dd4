import type { ModelMessage } from "../../../ports/language-model.ts";

/** What the messages say, before its meaning is known. */
export type Line = Readonly<{ type: "said"; text: string }> | Readonly<{ type: "silence" | "turn" | "result" }>;

/**
 * The messages line by line. In a user's message, a line in square brackets is a note of whoever runs the call; of those, only
 * the caller's silence matters here.
 */
export const linesOf = (messages: readonly ModelMessage[]): readonly Line[] =>
  messages.flatMap((message): readonly Line[] => {
    if (message.role === "assistant") return [{ type: "turn" }];
    if (message.role === "tool") return [{ type: "result" }];
    if (message.role === "system") return [];
    return message.text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .flatMap((line): readonly Line[] => {
        if (!(line.startsWith("[") && line.endsWith("]"))) return [{ type: "said", text: line.slice(0, MAX_LINE) }];
        return SILENCE.test(line) ? [{ type: "silence" }] : [];
      });
  });

/**
 * The business that a prompt is for, where it says so in a plain way: "You are the receptionist of Blue Dental."
 * `undefined` where it does not; nothing else of a prompt is used.
 */
export const businessOf = (messages: readonly ModelMessage[]): string | undefined => {
  const prompt = messages.find((message) => message.role === "system");
  const text = prompt?.role === "system" ? prompt.text.slice(0, MAX_PROMPT) : "";
  return BUSINESS.exec(text)?.groups?.["name"]?.replace(/[.,;:!?]+$/u, "");
};

/** Nobody says more in one breath; keeps the patterns quick whatever comes in. */
const MAX_LINE = 1000;

const MAX_PROMPT = 5000;

const SILENCE = /\b(?:silent|silence|quiet|said nothing|not responding)\b/iu;

/** Who answers and for whom ("receptionist of", "answering calls at"), or a name that is given as one; then a row of capitals. */
const BUSINESS =
  /\b(?:(?:receptionist|assistant|agent|desk|representative|team|behalf|works?|working|answer(?:s|ing)?|calls?|calling|telephone|phone)\b[\w ]{0,20}? (?:for|at|of|from|with)|(?:business|company|clinic|practice|office|shop)(?: name)?(?: is|:)(?: called| named)?) ["“]?(?<name>(?!I\b|The\b|You\b|Today\b)[A-Z][\p{L}\p{N}&'’-]{1,30}(?: (?:[A-Z&][\p{L}\p{N}&'’-]{0,30}|of|and|the)(?=[ .,;:!?"”\n]|$)){0,5}(?<! of| and| the))/u;
