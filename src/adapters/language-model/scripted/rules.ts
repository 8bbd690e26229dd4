import { agreement } from "./agreement.ts";
import { answer, begin, complete, detailsIn, doneOf, hasAny, phoneNote, proceed } from "./booking.ts";
import type { Intent } from "./intents.ts";
import { ADDRESS, DURATION, HOURS, PRICE } from "./office.ts";
import { questionOf } from "./questions.ts";
import type { Heard, Question, Reply, Scene, State, Task } from "./state.ts";

/** One way to answer; `undefined` when it does not apply. */
export type Rule = (state: State, heard: Heard, scene: Scene) => Reply | undefined;

const again: Rule = (state, heard, scene) =>
  heard.intent === "repeat" && state.last !== "" && !hasAny(detailsIn(state, heard, scene))
    ? { state: { ...state, misses: 0 }, say: state.last }
    : undefined;

const patience: Rule = (state, heard, scene) =>
  heard.intent === "wait" && !hasAny(detailsIn(state, heard, scene))
    ? { state: { ...state, misses: 0 }, say: "Of course, take your time." }
    : undefined;

const farewell: Rule = (state, heard) => {
  const agreed = agreement(heard.plain);
  const declines =
    (state.asked === "more" || state.asked === "task") && agreed === "no" && !TASKS.has(heard.intent ?? "other");
  // "Yes, perfect" is near to a goodbye in meaning, so an answer that agrees needs the words of one.
  const leaves = heard.intent === "goodbye" && (heard.cued || agreed === undefined);
  if (!leaves && !(declines && !INFORMED.has(heard.intent ?? "other"))) return undefined;
  if (state.asked !== "confirm" || agreed !== "yes") return { ...answer(ended(state), goodbyeOf(state)), ends: true };
  const done = complete(state);
  return { ...answer(ended(done.state), `${doneOf(state)} ${goodbyeOf(done.state)}`), ends: true };
};

const ended = (state: State): State => ({ ...state, task: undefined, wanted: {}, asked: "more" });

const goodbyeOf = (state: State): string => {
  const open = state.task === undefined ? "" : "All right, then I leave everything as it is.";
  const booked = state.settled === undefined ? "Thank you for calling." : "Thank you, and see you then.";
  return `${open} ${booked} Goodbye!`;
};

const letGo: Rule = (state, heard) => {
  const drops = heard.intent === "cancel" && state.task === "book" && !EXISTING.test(heard.plain);
  if (heard.intent !== "never-mind" && !drops) return undefined;
  const next: State = { ...state, task: undefined, wanted: {}, asked: "more", misses: 0 };
  return answer(next, `No problem, I leave everything as it is. ${questionOf(next)}`);
};

/** "My appointment" was made before; "cancel that" means the one that is being made. */
const EXISTING = /\b(?:my|the|an) (?:\w+ )?(?:appointment|booking|visit|reservation)\b/u;

const takeUp: Rule = (state, heard, scene) => {
  const task = TASKS.get(heard.intent ?? "other");
  if (task === undefined || task === state.task) return undefined;
  // Within a booking that is not confirmed yet, a change is a correction of it.
  if (task === "move" && state.task === "book") return undefined;
  // "Can I come at three instead?" is an answer when a day or time is being settled.
  if (task === "book" && state.task !== undefined && !(heard.cued && NEW_ONE.test(heard.plain))) return undefined;
  return begin(state, task, heard, scene);
};

const NEW_ONE = /\b(?:new|another|second|book|make) .{0,20}\b(?:appointment|booking)\b/u;

const handOver: Rule = (state, heard) =>
  heard.intent === "human"
    ? {
        ...answer({ ...state, misses: 0 }, `I'm sorry, nobody else is here in this demo. ${questionOf(state)}`),
        handOver: true,
      }
    : undefined;

const inform: Rule = (state, heard, scene) => {
  const text = INFORMED.get(heard.intent ?? "other");
  if (text === undefined || (!heard.cued && hasAny(detailsIn(state, heard, scene)))) return undefined;
  const next: State = { ...state, asked: state.task === undefined ? "more" : state.asked, misses: 0 };
  return answer(next, `${text} ${questionOf(next)}`);
};

const fillIn: Rule = (state, heard, scene) => {
  const details = detailsIn(state, heard, scene);
  const agreed = agreement(heard.plain);
  const changed = Object.entries(details).some(([part, value]) => state.wanted[part as "day"] !== value);
  if (!hasAny(details)) return undefined;
  if (state.task === undefined)
    return details.day === undefined && details.time === undefined ? undefined : begin(state, "book", heard, scene);
  if (state.asked === "confirm" && !changed && agreed !== "no") return undefined;
  const corrects = state.asked === "confirm" || state.asked === "change";
  return proceed(state, { ...state.wanted, ...details }, scene, corrects ? "All right." : phoneNote(heard));
};

const confirm: Rule = (state, heard) => {
  if (state.asked !== "confirm") return undefined;
  const agreed = agreement(heard.plain);
  if (agreed === "yes" || (heard.intent === "thanks" && heard.cued)) return complete(state);
  const change = changeOf(state, heard);
  if (change !== undefined) return change;
  if (agreed !== "no") return undefined;
  const next: State = { ...state, asked: state.task === "cancel" ? "more" : "change" };
  if (state.task !== "cancel") return answer(next, `I'm sorry. ${questionOf(next)}`);
  return answer({ ...next, task: undefined, wanted: {} }, `Then I leave it as it is. ${questionOf(next)}`);
};

const changeNamed: Rule = (state, heard) => (state.task === undefined ? undefined : changeOf(state, heard));

/** "The time is wrong": the part that is named without a new value is asked for again. */
const changeOf = (state: State, heard: Heard): Reply | undefined => {
  if (state.asked !== "confirm" && state.asked !== "change" && heard.intent !== "move") return undefined;
  const part = PARTS.find(([words]) => words.test(heard.plain))?.[1];
  if (part === undefined) return undefined;
  const { [part]: _old, ...kept } = state.wanted;
  const next: State = { ...state, wanted: kept, asked: part, misses: 0 };
  return answer(next, `All right. ${questionOf(next)}`);
};

const PARTS: readonly (readonly [RegExp, Extract<Question, "day" | "time" | "name">])[] = [
  [/\b(?:time|hour|earlier|later)\b/u, "time"],
  [/\b(?:day|date)\b/u, "day"],
  [/\bname\b/u, "name"],
];

const more: Rule = (state, heard) => {
  if (state.asked !== "more" || agreement(heard.plain) !== "yes" || heard.intent === "thanks") return undefined;
  return answer({ ...state, asked: "task", misses: 0 }, "What can I do for you?");
};

const courtesy: Rule = (state, heard) => {
  const said = COURTESIES.get(heard.intent ?? "other");
  if (said === undefined) return undefined;
  const reply = answer({ ...state, misses: 0 }, `${said} ${questionOf(state)}`);
  return { ...reply, weak: true };
};

const unsure: Rule = (state) => {
  const misses = state.misses + 1;
  const next: State = { ...state, misses };
  const sorry = misses === 1 ? SORRY[state.asked] : "I'm sorry, I still don't follow.";
  const options = state.task === undefined && misses > 1 ? ABILITIES : "";
  return { ...answer(next, `${sorry} ${options} ${questionOf(next, misses > 1)}`), weak: true };
};

const ABILITIES =
  "I can book, move or cancel an appointment, and tell you our opening hours, our address and the price.";

const SORRY: Readonly<Record<Question, string>> = {
  task: "Sorry, could you say that another way?",
  more: "Sorry, could you say that another way?",
  name: "Sorry, I didn't catch the name.",
  day: "Sorry, I didn't catch the day.",
  time: "Sorry, I didn't catch the time.",
  confirm: "Sorry, was that a yes or a no?",
  change: "Sorry, could you say that another way?",
};

const TASKS: ReadonlyMap<Intent, Task> = new Map([
  ["book", "book"],
  ["move", "move"],
  ["cancel", "cancel"],
]);

const COURTESIES: ReadonlyMap<Intent, string> = new Map([
  ["thanks", "You're welcome."],
  ["greeting", "Hello!"],
]);

const INFORMED: ReadonlyMap<Intent, string> = new Map([
  ["hours", HOURS],
  ["address", ADDRESS],
  ["price", PRICE],
  ["duration", DURATION],
  ["identity", "I'm a scripted demo agent: a program that follows a script, not a person and not a language model."],
  ["help", ABILITIES],
  ["how-are-you", "I'm well, thank you."],
]);

/** Tried in this order; the last one always answers. */
export const RULES: readonly Rule[] = [
  again,
  patience,
  farewell,
  letGo,
  takeUp,
  handOver,
  inform,
  fillIn,
  confirm,
  changeNamed,
  more,
  courtesy,
  unsure,
];
