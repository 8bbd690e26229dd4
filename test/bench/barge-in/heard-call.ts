import type { Sensitivity } from "../../../src/model/agent.ts";
import type { TurnRecord } from "../../../src/model/turn-record.ts";
import type { Transcriber } from "../../../src/ports/transcriber.ts";
import type { VoiceActivityDetector } from "../../../src/ports/vad.ts";
import type { CallEnd } from "../../../src/model/call-end.ts";
import { sleep } from "../../../src/ports/clock.ts";
import { CallRig } from "../../kit/call-rig.ts";
import type { LockstepClock } from "../../kit/lockstep.ts";
import { says, type Answer } from "../../kit/scripted-dialogue.ts";
import { SoundingCaller, type CallerSound, type Sounded } from "../../kit/sounding-caller.ts";

/** What every reply says: nothing that asks, and too long to be heard to its end by whoever interrupts. */
export const REPLY =
  "There is a lot to be said about our rooms, and about the lake, and about the breakfast. The garden is open all year, and the house is quiet.";

/** Way of sound from the caller to the engine and back, each, in milliseconds: a good line in one country. */
const WAY_MS = 20;

/** Longest that a call may take for one sound, in milliseconds. */
const A_SOUND_MS = 30_000;

/** After the last sound the call goes on for so long, in which a reply comes to its end. */
const AFTER_MS = 12_000;

export type Engines = Readonly<{ clock: LockstepClock; vad: VoiceActivityDetector; transcriber?: Transcriber }>;

/** What happened to the agent's voice around one sound of the caller; times in milliseconds, at the caller's ear. */
export type Reaction = Readonly<{
  /** From the beginning of the sound until the agent was silent; absent where it was not speaking, or never fell silent. */
  silentAfterMs: number | undefined;
  /** From the end of the sound until the agent sounded; absent when it did not within the time that was watched. */
  backAfterMs: number | undefined;
}>;

/** What the agent is about when it is interrupted; all of it has its usual when absent. */
export type Scene = Readonly<{
  sensitivity?: Sensitivity;
  /** What it says first. */
  opening?: string | Answer;
  /** Its first answers; those that follow are all the same. */
  answers?: readonly Answer[];
  /** How long its functions take, in milliseconds. */
  functionMs?: number;
  /** How much sound is sent ahead of what plays, in milliseconds. */
  leadMs?: number;
}>;

export type HeardCall = Readonly<{
  reactions: readonly Reaction[];
  /** How each interruption was decided, in order. */
  decisions: readonly string[];
  turns: readonly TurnRecord[];
  /** Words of the caller as they stand in the transcript. */
  callerWords: readonly string[];
  agentWords: readonly string[];
  answers: number;
  /** When the agent sounded, in milliseconds. */
  played: readonly Sounded[];
  /** Whether the model knew what the functions had given when it was asked last. */
  knewResult: boolean;
  end: CallEnd["reason"] | undefined;
}>;

/** One call in virtual time, with the engines that hear it, whose caller makes these sounds one after another. */
export const heardCall = async (
  engines: Engines,
  sounds: readonly CallerSound[],
  { sensitivity = "MEDIUM", opening = REPLY, answers = [], functionMs = 0, leadMs = 400 }: Scene = {},
): Promise<HeardCall> => {
  const caller = new SoundingCaller(sounds, (atMs) => agentSounds(rig, atMs));
  const rig = new CallRig({
    engines,
    plan: { sensitivity, endpoint: { type: "SEMANTIC", mode: "DEFAULT" } },
    line: { delayMs: WAY_MS },
    microphone: late(caller, WAY_MS),
    opening: typeof opening === "string" ? [says(opening)] : opening,
    answers: [...answers, ...Array.from({ length: 3 * sounds.length + 3 }, (): Answer => [150, says(REPLY)])],
    leadMs,
    invoke: async (_call, signal) => {
      await sleep(engines.clock, functionMs, signal);
      return FUNCTION_RESULT;
    },
  });
  await rig.answer();
  for (let past = 0; !caller.done && rig.end === undefined && past < sounds.length * A_SOUND_MS; past += 500)
    await rig.at(rig.now + 500);
  await rig.at(rig.now + AFTER_MS);
  const played = rig.playback;
  const end = rig.end?.reason;
  rig.dialogue.forget();
  await rig.close();
  const words = (speaker: "AI" | "HUMAN") =>
    rig.transcript.filter((entry) => entry.speaker === speaker).map(({ text }) => text);
  return {
    reactions: caller.sounded.map((sound) => reactionTo(sound, played)),
    decisions: rig.bargeIns,
    turns: rig.turns,
    callerWords: words("HUMAN"),
    agentWords: words("AI"),
    answers: rig.dialogue.asked.length,
    played,
    knewResult: rig.dialogue.asked.at(-1)?.some((exchange) => exchange.speaker === "function") === true,
    end,
  };
};

const FUNCTION_RESULT = '{"free":true}';

/** Whoever speaks on for so long after a sound was over was not interrupted by it, in milliseconds. */
const UNMOVED_MS = 1000;

const reactionTo = ({ fromMs, untilMs }: Sounded, played: readonly Sounded[]): Reaction => {
  const speaking = played.find((stretch) => stretch.fromMs <= fromMs && stretch.untilMs > fromMs);
  const unmoved = speaking !== undefined && speaking.untilMs > untilMs + UNMOVED_MS;
  const back = played.find((stretch) => stretch.fromMs > fromMs && stretch.untilMs > untilMs);
  return {
    silentAfterMs: speaking === undefined || unmoved ? undefined : speaking.untilMs - fromMs,
    backAfterMs: unmoved ? 0 : back && Math.max(0, back.fromMs - untilMs),
  };
};

const agentSounds = (rig: CallRig, atMs: number): boolean => {
  const at = rig.clock.monotonic() - rig.now + atMs;
  return (rig.line.heard.findLast(({ fromMs }) => fromMs <= at)?.untilMs ?? 0) > at;
};

/** Frames reach the engine later than they were spoken. */
const late = (caller: SoundingCaller, ms: number): ((frame: number) => Uint8Array) => {
  const waiting: Uint8Array[] = Array.from({ length: Math.round(ms / 20) }, () => new Uint8Array(160).fill(0xff));
  return (frame) => {
    waiting.push(caller.frame(frame));
    return waiting.shift() ?? new Uint8Array(160).fill(0xff);
  };
};
