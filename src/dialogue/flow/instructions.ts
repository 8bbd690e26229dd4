import type { QuestionData } from "./node-data.ts";

/** A node's rules have not led on, and nothing in it says what to do. */
export const NOTHING_LEFT =
  "Go on helping the other party within what you know. If there is nothing more to do, ask whether they need anything else.";

/** The caller speaks while a function runs. */
export const STILL_RUNNING =
  "Something is being looked up for the other party, and the result is not there yet. Answer what they just said in one short sentence " +
  "and ask them to wait a moment. Do not guess the result.";

/** A function has answered, and no rule leads on. */
export const AFTER_FUNCTION =
  "The function has answered; its result is above. Tell the other party what matters to them in it, or that it could not be done, and " +
  "go on helping within what you know.";

/** A transfer has not happened, and no rule leads on. */
export const AFTER_TRANSFER =
  "The other party was to be connected, which has not happened; the reason is above. Tell them, and ask how else you can help. Connect " +
  "them again only when they ask for it.";

/** Somebody takes the call over. */
export const summarize = (language: string): string =>
  "The other party is about to be connected with somebody. Write what that person is told before they talk: who is calling, what they want, " +
  `and what was done or found out so far. One or two sentences in the language "${language}", nothing but what the call says, and nothing to the other party.`;

/** A question is put again: after words that did not answer it, or after an answer from which no rule leads on. */
export const askAgain = (question: QuestionData, details: string | undefined, answered: boolean): string => {
  const { options = [] } = question;
  const why = answered
    ? "They have answered, but the call cannot go on with that answer."
    : "What they said does not answer it, or it was not clear.";
  const lines = [
    `You asked the other party: ${JSON.stringify(question.question)}`,
    ...(options.length === 0
      ? []
      : [`Possible answers: ${options.map((option) => JSON.stringify(option)).join(", ")}.`]),
    `${why} If they asked something, answer it in one short sentence. Then put the question again in other words, so that it is easier to answer.`,
    ...(details === undefined || details.trim() === "" ? [] : [`What helps to clarify it: ${details}`]),
  ];
  return lines.join("\n");
};
