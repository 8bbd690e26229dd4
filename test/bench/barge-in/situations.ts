import type { Sensitivity } from "../../../src/model/agent.ts";
import { NOISES } from "../../kit/noises.ts";
import { hangsUp, says } from "../../kit/scripted-dialogue.ts";
import { LETTER_MS } from "../../kit/scripted-engines.ts";
import type { CallerSound } from "../../kit/sounding-caller.ts";
import { heardCall, REPLY, type Engines, type HeardCall, type Scene } from "./heard-call.ts";
import { said, someoneOf, type Person, type Talk } from "./people.ts";

export const SENSITIVITIES: readonly Sensitivity[] = ["ULTRA_FAST", "FAST", "MEDIUM", "SLOW"];

const SMALL_WORDS = ["Okay.", "I see.", "Right.", "Sure.", "Yes.", "Yeah."];
const STOPS = ["Wait, stop.", "Stop talking.", "No, no.", "Excuse me.", "Just a moment, please."];
const REQUEST = "I would like a table for tonight.";
const FURTHER = "For four people, please.";
export const TURNS: readonly string[] = [
  "I have a different question.",
  "How much is it?",
  "Four people on Friday.",
  "She is not here today.",
  "What about the breakfast?",
  "Can you repeat that?",
  "Have you got anything cheaper?",
  "That is far too late for me.",
  "Seven of us are coming.",
  "Should I bring anything?",
];

/** All that anybody says. */
export const TEXTS: readonly string[] = [...SMALL_WORDS, ...STOPS, ...TURNS, REQUEST, FURTHER];

/** Any speech while the agent speaks: only how soon it is silent is looked at, which no word decides. */
export const anySpeech = async (
  engines: () => Engines,
  talk: Talk,
  people: readonly Person[],
  sensitivity: Sensitivity,
  count: number,
): Promise<readonly number[]> => {
  const texts = [...SMALL_WORDS, ...STOPS, ...TURNS];
  const sounds = Array.from({ length: count }, (_, index): CallerSound => ({
    // In steps, so that each person comes to say all of it.
    sound: said(talk, texts[(index * 5 + Math.floor(index / 21)) % texts.length] ?? "Yes.", someoneOf(people, index)),
    once: "agent-speaks",
    afterMs: 500 + ((index * 137) % 900),
  }));
  // Without words nobody is answered, so the agent has one long thing to say.
  const { reactions } = await heardCall(engines(), sounds, { sensitivity, opening: `${REPLY} `.repeat(count) });
  return reactions.map(({ silentAfterMs }) => silentAfterMs ?? Infinity);
};

/** One row of the matrix: what the caller does, and whether what the agent did was right. */
export type Situation = Readonly<{
  name: string;
  wanted: string;
  scene?: Scene;
  cases: (talk: Talk) => readonly (readonly CallerSound[])[];
  right: (call: HeardCall) => boolean;
}>;

const whole = ({ agentWords }: HeardCall): boolean => agentWords.join(" ") === REPLY;

/** The agent is back within two seconds, and says everything that it had to, once. */
const goesOn = (call: HeardCall): boolean =>
  whole(call) && call.answers === 0 && call.reactions.every(({ backAfterMs }) => (backAfterMs ?? Infinity) <= 2000);

const LONGEST_WORD_MS = Math.max(...REPLY.split(" ").map((word) => word.length + 1)) * LETTER_MS;

/** It goes on at the word where it paused, give or take that word. */
const goesOnFromThere = (call: HeardCall): boolean => {
  const playedMs = call.played.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);
  const tooMuchMs = playedMs - REPLY.length * LETTER_MS;
  // A word of which more than half was heard is not said again, and spaces do not sound.
  return goesOn(call) && Math.abs(tooMuchMs) <= LONGEST_WORD_MS + LETTER_MS;
};

const takesTheFloor = (call: HeardCall): boolean =>
  call.answers > 0 && call.decisions.at(-1) === "committed" && call.agentWords.at(-1) === REPLY && !whole(call);

/** What is written of the interrupted reply is what sounded of it, but for a word. */
const keepsWhatWasHeard = ({ agentWords, played }: HeardCall): boolean => {
  const [{ fromMs, untilMs } = { fromMs: 0, untilMs: 0 }] = played;
  return Math.abs((agentWords[0]?.length ?? 0) * LETTER_MS - (untilMs - fromMs)) <= LONGEST_WORD_MS;
};

type When = Pick<CallerSound, "once" | "afterMs">;

/** Everybody says each of the texts, each at a slightly different time, up to four times `spreadMs` later. */
const each =
  (texts: readonly string[], people: readonly Person[], { once, afterMs }: When, spreadMs = 90) =>
  (talk: Talk) =>
    texts.flatMap((text, index) =>
      people.map((person) => [
        { sound: said(talk, text, person), once, afterMs: afterMs + spreadMs * (index % 5) } satisfies CallerSound,
      ]),
    );

const over = (afterMs: number): When => ({ once: "agent-speaks", afterMs });
const into = (afterMs: number): When => ({ once: "agent-is-silent", afterMs });

/** What is said over the agent, and when. */
export const situations = (people: readonly Person[]): readonly Situation[] => [
  {
    name: "small words over the agent",
    wanted: "goes on from where it paused",
    cases: each(SMALL_WORDS, people, over(1200)),
    right: goesOnFromThere,
  },
  {
    name: "“wait”, “stop” and the like",
    wanted: "falls silent and answers",
    cases: each(STOPS, people, over(1200)),
    right: takesTheFloor,
  },
  {
    name: "a turn over the agent",
    wanted: "falls silent and answers",
    cases: each(TURNS, people, over(1200)),
    right: takesTheFloor,
  },
  {
    name: "a turn at the agent's first word",
    wanted: "falls silent and answers",
    cases: each(TURNS, people, over(40)),
    right: takesTheFloor,
  },
  {
    name: "a turn when all sound was sent and most has not played",
    wanted: "falls silent, keeps what was heard and answers",
    scene: { leadMs: 10_000 },
    cases: each(TURNS, people, over(1200)),
    right: (call) => takesTheFloor(call) && keepsWhatWasHeard(call),
  },
  {
    name: "a turn over the last word, all sound sent",
    wanted: "answers",
    scene: { opening: SHORT_REPLY },
    cases: each(TURNS, people, over(LAST_WORD_MS), 50),
    right: ({ answers, agentWords }) => answers > 0 && agentWords.at(-1) === REPLY,
  },
  {
    name: "more words before the answer sounds",
    wanted: "answers one longer turn",
    scene: { opening: SHORT_REPLY },
    cases: (talk) =>
      people.map((person) => [
        { sound: said(talk, REQUEST, person), ...into(700) },
        { sound: said(talk, FURTHER, person), ...into(350) },
      ]),
    right: ({ callerWords, agentWords }) => callerWords.length === 1 && agentWords.length === 2,
  },
  ...whileItWorks(people),
  {
    name: "small words into its silence",
    wanted: "answers",
    scene: { opening: SHORT_REPLY },
    cases: each(SMALL_WORDS, people, into(900)),
    right: ({ answers, agentWords }) => answers > 0 && agentWords.at(-1) === REPLY,
  },
  ...Object.entries(NOISES).map(([name, sound]): Situation => ({
    name: `${name} over the agent`,
    wanted: "goes on",
    cases: () => people.map((_, seed) => [{ sound: sound(seed * 31 + 5), ...over(1100 + 150 * seed) }]),
    right: goesOn,
  })),
];

/** While a function runs, and while the agent says goodbye. */
const whileItWorks = (people: readonly Person[]): readonly Situation[] => [
  {
    name: "a turn while a function runs",
    wanted: "answers, and knows what the function gave",
    scene: {
      opening: SHORT_REPLY,
      answers: [[150, says("One moment."), { type: "call", call: { id: "c1", name: "look", args: "{}" } }]],
      functionMs: 5000,
    },
    cases: (talk) =>
      people.map((person) => [
        { sound: said(talk, REQUEST, person), ...into(700) },
        { sound: said(talk, FURTHER, person), ...into(1800) },
      ]),
    right: ({ answers, knewResult, agentWords, callerWords }) =>
      answers > 1 && knewResult && agentWords.includes(REPLY) && callerWords.length === 2,
  },
  {
    name: "a turn during the goodbye",
    wanted: "says it to the end and hangs up",
    scene: { opening: [says(GOODBYE), hangsUp] },
    cases: each(TURNS, people, over(500)),
    right: ({ reactions, agentWords, end }) =>
      end === "agent_hangup" &&
      agentWords.join(" ") === GOODBYE &&
      reactions.every(({ silentAfterMs }) => silentAfterMs === undefined),
  },
];

/** As the scripted voice speaks it, 50 ms a letter. */
const SHORT_REPLY = "Shall I book a room for you?";
const LAST_WORD_MS = 1100;
const GOODBYE =
  "Thank you very much for your call, we are looking forward to your visit. The house is open from three in the afternoon. Goodbye.";

/** Many interruptions in one call; how soon each silenced the agent, and how many took the floor. */
export const manyInterruptions = async (
  engines: () => Engines,
  talk: Talk,
  people: readonly Person[],
  count: number,
): Promise<Readonly<{ silentAfterMs: readonly number[]; committed: number; answers: number }>> => {
  const sounds = Array.from({ length: count }, (_, index): CallerSound => ({
    sound: said(
      talk,
      TURNS[(index + Math.floor(index / TURNS.length)) % TURNS.length] ?? "Hello?",
      someoneOf(people, index),
    ),
    once: "agent-speaks",
    afterMs: 600 + ((index * 211) % 1200),
  }));
  const call = await heardCall(engines(), sounds);
  return {
    silentAfterMs: call.reactions.map(({ silentAfterMs }) => silentAfterMs ?? Infinity),
    committed: call.decisions.filter((decision) => decision === "committed").length,
    answers: call.answers,
  };
};
