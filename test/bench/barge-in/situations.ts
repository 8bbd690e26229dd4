import type { Sensitivity } from "../../../src/model/agent.ts";
import { NOISES } from "../../kit/noises.ts";
import type { CallerSound } from "../../kit/sounding-caller.ts";
import { hiss, resampled, type Speak, type SpokenVoice } from "../../kit/spoken.ts";
import { envelope } from "../../kit/tones.ts";
import { heardCall, REPLY, type Engines, type HeardCall } from "./heard-call.ts";

export const SENSITIVITIES: readonly Sensitivity[] = ["ULTRA_FAST", "FAST", "MEDIUM", "SLOW"];

/** People: the voices of flite as they are, and smaller and larger ones. */
const PEOPLE: readonly Readonly<{ voice: SpokenVoice; rate: number }>[] = [
  { voice: "rms", rate: 16_000 },
  { voice: "slt", rate: 16_000 },
  { voice: "kal16", rate: 16_000 },
  { voice: "slt", rate: 14_000 },
  { voice: "rms", rate: 17_600 },
];

const SMALL_WORDS = ["Okay.", "I see.", "Right.", "Sure.", "Yes.", "Yeah."];
const STOPS = ["Wait, stop.", "Stop talking.", "No, no.", "Excuse me.", "Just a moment, please."];
const TURNS = [
  "I have a different question.",
  "How much is it?",
  "Four people on Friday.",
  "She is not here today.",
  "What about the breakfast?",
  "Can you repeat that?",
  "Have you got anything cheaper?",
  "That is far too late for me.",
];

/** Speech of one of the people, with a room around them. */
const said = (speak: Speak, text: string, person: number): Int16Array => {
  const { voice, rate } = PEOPLE[person % PEOPLE.length] ?? { voice: "rms", rate: 16_000 };
  const clean = audible(resampled(speak(text, voice), 16_000, rate));
  const noise = hiss(Math.ceil(clean.length / 16), 0.004, person + 1);
  return clean.map((sample, index) => Math.max(-32_768, Math.min(32_767, sample + (noise[index] ?? 0))));
};

/** Where a sound is louder than this share of its loudest part, it can be heard. */
const AUDIBLE = 0.02;
const WINDOW_MS = 5;

/** A sound without the silence before and behind it. */
const audible = (sound: Int16Array): Int16Array => {
  const levels = envelope(sound, 16_000, WINDOW_MS);
  const floor = levels.reduce((most, level) => Math.max(most, level), 0) * AUDIBLE;
  const is = (level: number) => level > floor;
  return sound.slice(levels.findIndex(is) * WINDOW_MS * 16, (levels.findLastIndex(is) + 1) * WINDOW_MS * 16);
};

/** Any speech while the agent speaks: only how soon it is silent is looked at, which no word decides. */
export const anySpeech = async (
  engines: () => Engines,
  speak: Speak,
  sensitivity: Sensitivity,
  count: number,
): Promise<readonly number[]> => {
  const texts = [...SMALL_WORDS, ...STOPS, ...TURNS];
  const sounds = Array.from({ length: count }, (_, index): CallerSound => ({
    sound: said(speak, texts[(index * 7) % texts.length] ?? "Yes.", index),
    once: "agent-speaks",
    afterMs: 500 + ((index * 137) % 900),
  }));
  // Without words nobody is answered, so the agent has one long thing to say.
  const { reactions } = await heardCall(engines(), sounds, sensitivity, `${REPLY} `.repeat(count));
  return reactions.map(({ silentAfterMs }) => silentAfterMs ?? Infinity);
};

/** One row of the matrix: what the caller does, and whether what the agent did was right. */
export type Situation = Readonly<{
  name: string;
  wanted: string;
  cases: (speak: Speak) => readonly Readonly<{ sounds: readonly CallerSound[]; opening?: string }>[];
  right: (call: HeardCall) => boolean;
}>;

const whole = ({ agentWords }: HeardCall): boolean => agentWords.join(" ") === REPLY;

/** The agent is back within two seconds, and says everything that it had to, once. */
const goesOn = (call: HeardCall): boolean =>
  whole(call) && call.answers === 0 && call.reactions.every(({ backAfterMs }) => (backAfterMs ?? Infinity) <= 2000);

const takesTheFloor = (call: HeardCall): boolean =>
  call.answers > 0 && call.decisions.at(-1) === "committed" && call.agentWords.at(-1) === REPLY && !whole(call);

const over = (texts: readonly string[], people: number, afterMs: number) => (speak: Speak) =>
  texts.flatMap((text, index) =>
    Array.from({ length: people }, (_, person) => ({
      sounds: [
        {
          sound: said(speak, text, person),
          once: "agent-speaks",
          afterMs: afterMs + 90 * (index % 5),
        } satisfies CallerSound,
      ],
    })),
  );

/** What is said over the agent, and when; `people` of the voices say each of it. */
export const situations = (people: number): readonly Situation[] => [
  { name: "small words over the agent", wanted: "goes on", cases: over(SMALL_WORDS, people, 1200), right: goesOn },
  {
    name: "“wait”, “stop” and the like",
    wanted: "falls silent and answers",
    cases: over(STOPS, people, 1200),
    right: takesTheFloor,
  },
  {
    name: "a turn over the agent",
    wanted: "falls silent and answers",
    cases: over(TURNS, people, 1200),
    right: takesTheFloor,
  },
  {
    name: "a turn at the agent's first word",
    wanted: "falls silent and answers",
    cases: over(TURNS, people, 40),
    right: takesTheFloor,
  },
  {
    name: "a turn over the last word, all sound sent",
    wanted: "answers",
    cases: (speak) => over(TURNS, people, LAST_WORD_MS)(speak).map(({ sounds }) => ({ sounds, opening: SHORT_REPLY })),
    right: ({ answers, agentWords }) => answers > 0 && agentWords.at(-1) === REPLY,
  },
  {
    name: "more words before the answer sounds",
    wanted: "answers one longer turn",
    cases: (speak) =>
      Array.from({ length: people }, (_, person) => ({
        sounds: [
          { sound: said(speak, "I would like a table for tonight.", person), once: "agent-is-silent", afterMs: 700 },
          { sound: said(speak, "For four people, please.", person), once: "agent-is-silent", afterMs: 350 },
        ],
        opening: SHORT_REPLY,
      })),
    right: ({ callerWords, agentWords }) => callerWords.length === 1 && agentWords.length === 2,
  },
  {
    name: "small words into its silence",
    wanted: "answers",
    cases: (speak) =>
      over(
        SMALL_WORDS,
        people,
        900,
      )(speak).map(({ sounds }) => ({
        sounds: sounds.map((sound) => ({ ...sound, once: "agent-is-silent" as const })),
        opening: SHORT_REPLY,
      })),
    right: ({ answers, agentWords }) => answers > 0 && agentWords.at(-1) === REPLY,
  },
  ...Object.entries(NOISES).map(([name, sound]): Situation => ({
    name: `${name} over the agent`,
    wanted: "goes on",
    cases: () =>
      Array.from({ length: people }, (_, seed) => ({
        sounds: [{ sound: sound(seed * 31 + 5), once: "agent-speaks", afterMs: 1100 + 150 * seed }],
      })),
    right: goesOn,
  })),
];

/** As the scripted voice speaks it, 50 ms a letter. */
const SHORT_REPLY = "Shall I book a room for you?";
const LAST_WORD_MS = 1100;

/** Many interruptions in one call; how soon each silenced the agent, and how many took the floor. */
export const manyInterruptions = async (
  engines: () => Engines,
  speak: Speak,
  count: number,
): Promise<Readonly<{ silentAfterMs: readonly number[]; committed: number; answers: number }>> => {
  const sounds = Array.from({ length: count }, (_, index): CallerSound => ({
    sound: said(speak, TURNS[index % TURNS.length] ?? "Hello?", index),
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
