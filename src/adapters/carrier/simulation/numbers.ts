import { textScript, type CallerScript } from "./script.ts";

/**
 * What happens at the other end of a number of the loopback network. `place` is what the network answers when asked to ring
 * it; `outcome` what comes of the ringing after `ringMs` (never later than the ring time-out that the request names).
 */
export type LoopbackNumber = Readonly<{
  what: string;
  place:
    | "accepted"
    | "invalid-number"
    | "refused"
    | "server-error"
    | "rate-limited"
    | "not-sent"
    /** The call is placed, and the answer is lost on its way back. */
    | "answer-lost"
    /** The request is lost: no call, and no word of it. */
    | "request-lost";
  ringMs: number;
  outcome: "answer" | "answer-without-media" | "busy" | "declined" | "unallocated" | "failed";
  /** Who answers; `conversation` is whoever the network was given, else the usual caller. */
  caller: CallerScript | "conversation";
}>;

/** Every number of the network is in the block that is reserved for fiction: +1 202 555 0100 to 0199. */
export const isLoopbackNumber = (number: string): boolean => /^\+120255501\d\d$/.test(number);

/** What happens at a number; `undefined` for one that nobody has, which is an invalid number. */
export const loopbackNumber = (number: string): LoopbackNumber | undefined => LOOPBACK_NUMBERS.get(number);

/** Whoever answers when nobody else was named: books an appointment. */
export const USUAL_CALLER: CallerScript = textScript([
  "Hello, I would like to book an appointment, please.",
  "Next Tuesday at three in the afternoon.",
  "My name is Sarah Miller.",
  "Yes, that is right.",
  "No, thank you. Goodbye.",
]);

const NEVER = Number.POSITIVE_INFINITY;

/** Does nothing until it hangs up at a given time. */
const waits = (longestMs: number): CallerScript => ({
  lines: [],
  manner: { goodbyeQuietMs: NEVER, goodbyeUnansweredMs: NEVER, longestMs },
});

/** A sine of 1 kHz for half a second, as answering machines make it. */
const beep = Int16Array.from({ length: 4000 }, (_, index) => 12_000 * Math.sin((2 * Math.PI * 1000 * index) / 8000));

const VOICEMAIL: CallerScript = {
  lines: [
    { text: "You have reached the voicemail of Sarah Miller. Please leave a message after the tone.", afterMs: 600 },
    { samples: beep, sampleRate: 8000, afterMs: 400 },
  ],
  manner: { goodbyeQuietMs: 5000, goodbyeUnansweredMs: 30_000, longestMs: 120_000 },
};

/** An assistant that asks who calls, and connects to the person. */
const SCREENED: CallerScript = {
  lines: [
    {
      text: "Hi, if you record your name and reason for calling, I will see if this person is available.",
      afterMs: 600,
    },
    { text: "Thank you. Please stay on the line." },
    { text: "Hello, this is Anna.", afterMs: 3000 },
    { text: "Yes, that is right." },
    { text: "Thank you. Goodbye." },
  ],
};

const TALKER: CallerScript = {
  lines: [
    { text: "So I said to him, that is not how it works at all, is it?", afterMs: 300 },
    { text: "And then, you will not believe it, he did it again the very next day.", afterMs: 400 },
    { text: "Anyway, I have been calling all morning and nobody wants to listen to me.", afterMs: 200 },
  ],
  manner: { longestMs: NEVER },
  repeat: true,
};

const INTERRUPTER: CallerScript = {
  lines: [
    { text: "Wait, wait. I want to cancel my appointment.", interruptAfterMs: 1000 },
    { text: "No, stop. I meant the one on Monday.", interruptAfterMs: 1000 },
    { text: "Thank you, goodbye." },
  ],
};

/** Speech of the built-in voice that the built-in ear understands well. */
const COMPANY: CallerScript = {
  menu: {
    offer: "Thank you for calling Acme. Your call may be recorded. For sales, press one. For support, press two.",
    wrong: "That is not a valid option. Please try again.",
    connecting: "Thank you. Please hold while I connect you.",
    key: "2",
  },
  lines: [
    { text: "Hello, this is Anna speaking. How can I help you?", afterMs: 200 },
    { text: "Yes, that is right." },
    { text: "Thank you. Goodbye." },
  ],
};

const answers: LoopbackNumber = {
  what: "answers and converses, then hangs up",
  place: "accepted",
  ringMs: 2500,
  outcome: "answer",
  caller: "conversation",
};

/** The table that docs/carriers.md shows. */
export const LOOPBACK_NUMBERS: ReadonlyMap<string, LoopbackNumber> = new Map<string, LoopbackNumber>([
  ["+12025550123", answers],
  ["+12025550124", { ...answers, what: "rings for 15 s, then answers and converses", ringMs: 15_000 }],
  ["+12025550125", { ...answers, what: "a voicemail: a greeting, a beep, then it listens", caller: VOICEMAIL }],
  ["+12025550146", { ...answers, what: "an assistant that screens the call, then the person", caller: SCREENED }],
  ["+12025550126", { ...answers, what: "answers, never speaks, never hangs up", caller: waits(NEVER) }],
  ["+12025550127", { ...answers, what: "talks all the time, also over the agent, and never hangs up", caller: TALKER }],
  ["+12025550128", { ...answers, what: "interrupts the agent twice, then says goodbye", caller: INTERRUPTER }],
  [
    "+12025550129",
    {
      ...answers,
      what: "hangs up in the middle of the agent's first sentence",
      caller: { lines: [{ hangUp: true, interruptAfterMs: 1000 }] },
    },
  ],
  [
    "+12025550122",
    { ...answers, what: "answers a question by pressing 1 2 3 4 #", caller: { lines: [{ digits: "1234#" }] } },
  ],
  ["+12025550121", { ...answers, what: "answers, but its sound never comes", outcome: "answer-without-media" }],
  ["+12025550130", { ...answers, what: "busy", ringMs: 600, outcome: "busy" }],
  ["+12025550131", { ...answers, what: "rings until the ring time-out", ringMs: NEVER }],
  ["+12025550132", { ...answers, what: "the person declines", ringMs: 2000, outcome: "declined" }],
  [
    "+12025550133",
    { ...answers, what: "not in service, as the network finds out", ringMs: 400, outcome: "unallocated" },
  ],
  ["+12025550134", { ...answers, what: "refused at once as invalid", place: "invalid-number" }],
  ["+12025550135", { ...answers, what: "refused at once by the carrier", place: "refused" }],
  ["+12025550136", { ...answers, what: "the carrier answers with an error of its own", place: "server-error" }],
  ["+12025550137", { ...answers, what: "the carrier is always too busy (rate limit)", place: "rate-limited" }],
  ["+12025550138", { ...answers, what: "the call fails in the network while ringing", ringMs: 800, outcome: "failed" }],
  [
    "+12025550139",
    { ...answers, what: "rings and converses, but the answer to the request is lost", place: "answer-lost" },
  ],
  ["+12025550140", { ...answers, what: "hangs up 10 s after answering", caller: waits(10_000) }],
  ["+12025550141", { ...answers, what: "hangs up 1 s after answering", caller: waits(1000) }],
  ["+12025550142", { ...answers, what: "hangs up 2 s after answering", caller: waits(2000) }],
  ["+12025550145", { ...answers, what: "hangs up 5 s after answering", caller: waits(5000) }],
  [
    "+12025550152",
    { ...answers, what: "an automated menu, which hears keys and connects to a person who converses", caller: COMPANY },
  ],
  ["+12025550150", { ...answers, what: "the request is lost on its way; nobody rings", place: "request-lost" }],
  ["+12025550151", { ...answers, what: "the carrier cannot be reached", place: "not-sent" }],
]);
