import { answer } from "./booking.ts";
import { questionOf } from "./questions.ts";
import { RULES } from "./rules.ts";
import { BEGINNING, type Heard, type Reply, type Scene, type State } from "./state.ts";

/** What happened in a conversation, in order; made from the messages. */
export type Happening =
  | Readonly<{ type: "heard"; heard: Heard }>
  /** A note from whoever runs the call says that the caller is silent. */
  | Readonly<{ type: "silence" }>
  /** The agent had its turn: what follows belongs to a new one. */
  | Readonly<{ type: "turn" }>
  /** A function gave its result; the only one that the script calls is the transfer, which did not succeed if we still talk. */
  | Readonly<{ type: "result" }>;

/**
 * What the agent answers to everything that has happened so far. Nothing is remembered from turn to turn: the conversation is
 * lived through again from its beginning, so that an interruption or another process cannot lead to another state.
 */
export const converse = (happenings: readonly Happening[], scene: Scene): Reply => {
  let state = BEGINNING;
  let reply: Reply | undefined;
  for (const happening of happenings) {
    if (happening.type === "turn") {
      reply = undefined;
      continue;
    }
    const next = reactionTo(happening, state, scene);
    state = next.state;
    // Of several answers to one turn the last counts, unless it only says that nothing was understood.
    if (reply === undefined || next.weak !== true) reply = next;
    else state = { ...state, last: reply.say };
  }
  if (reply !== undefined) return { ...reply, state };
  return state.last === "" ? greeting(scene) : answer(state, `Please go on. ${questionOf(state)}`);
};

const reactionTo = (happening: Exclude<Happening, { type: "turn" }>, state: State, scene: Scene): Reply => {
  if (happening.type === "silence") return onSilence(state);
  if (happening.type === "result") {
    const next: State = { ...state, asked: state.task === undefined ? "more" : state.asked };
    return answer(next, `I'm sorry, I could not connect you. ${questionOf(next)}`);
  }
  const spoken: State = { ...state, silences: 0 };
  if (happening.heard.plain === "") return { ...answer(spoken, questionOf(spoken)), weak: true };
  for (const rule of RULES) {
    const reply = rule(spoken, happening.heard, scene);
    if (reply !== undefined) return reply;
  }
  return answer(spoken, questionOf(spoken));
};

/** Silences in a row after which the agent hangs up. */
const MAX_SILENCES = 3;

const onSilence = (state: State): Reply => {
  const silences = state.silences + 1;
  const next: State = { ...state, silences };
  if (silences >= MAX_SILENCES)
    return { ...answer(next, "I can't hear you, so I'll hang up now. Goodbye!"), ends: true };
  return answer(next, `Are you still there? ${questionOf(next)}`);
};

const greeting = (scene: Scene): Reply => {
  const of = scene.business === undefined ? "" : ` of ${scene.business}`;
  return answer(
    BEGINNING,
    `Hello, this is the scripted demo agent${of}. I can book, move or cancel an appointment, or answer a question. What can I do for you?`,
  );
};
