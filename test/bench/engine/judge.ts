import type { Driven } from "./drive.ts";
import { quantilesOf, type Quantiles } from "./quantiles.ts";
import type { Turn } from "./bench-phone.ts";

/** What an engine's providers did, as it tells under `/events`: call, what, and when on the machine's monotonic clock. */
export type EngineEvent = readonly [callId: string, name: string, atMs: number];

/** All in milliseconds. */
export type Judged = Readonly<{
  /** From the last voiced frame written to the first `media` of the answer read, less what the providers took. */
  added: Quantiles;
  /** The same for answers after an interruption. */
  addedAfterInterruption: Quantiles;
  /** Where it went, as medians: until the transcriber had the last voiced frame, and between the providers. */
  stages: Readonly<{ in: number; finalToModel: number; sentenceToVoice: number; soundToSocket: number }>;
  total: Quantiles;
  /** From the first voiced frame written to `clear` read, less the two frames that the first one has to wait for. */
  interruption: Quantiles;
  /** How much later than 20 ms apart the frames of an answer came; before time counts as 0. */
  pacing: Quantiles;
  /** The earliest that a frame came before its time. */
  earliest: number;
  lost: Readonly<{ turns: number; interruptions: number; calls: number }>;
}>;

/** Three voiced frames interrupt, and the third is written 40 ms after the first. */
const LEAST_INTERRUPTION_MS = 40;

/** The turns of a run that were begun and answered within the measured time. */
export const judge = ({ phones, fromAt }: Driven, events: readonly EngineEvent[]): Judged => {
  const byCall = Map.groupBy(events, ([callId]) => callId);
  const turns = phones.flatMap(({ callId, turns: all }) =>
    all
      .filter(({ firstVoicedAt }) => firstVoicedAt >= fromAt)
      .map((turn) => ({ turn, parts: partsOf(turn, byCall.get(callId) ?? []) })),
  );
  const measured = turns.flatMap(({ turn, parts }) => (parts === undefined ? [] : [{ turn, parts }]));
  const added = (some: typeof measured) => quantilesOf(some.map(({ parts }) => sum(parts)));
  const stage = (of: (parts: Parts) => number) => quantilesOf(measured.map(({ parts }) => of(parts))).p50;
  const lateness = phones.flatMap((phone) => phone.lateness);
  return {
    added: added(measured),
    addedAfterInterruption: added(measured.filter(({ turn }) => turn.interrupts)),
    stages: {
      in: stage((parts) => parts.in),
      finalToModel: stage((parts) => parts.finalToModel),
      sentenceToVoice: stage((parts) => parts.sentenceToVoice),
      soundToSocket: stage((parts) => parts.soundToSocket),
    },
    total: quantilesOf(turns.map(({ turn }) => (turn.answeredAt ?? Number.NaN) - turn.lastVoicedAt)),
    interruption: quantilesOf(
      turns.flatMap(({ turn }) =>
        turn.clearedAt === undefined ? [] : [turn.clearedAt - turn.firstVoicedAt - LEAST_INTERRUPTION_MS],
      ),
    ),
    pacing: quantilesOf(lateness.map((ms) => Math.max(0, ms))),
    earliest: -Math.min(0, ...quantilesBelow(lateness)),
    lost: {
      turns: phones.reduce((count, phone) => count + phone.lostTurns, 0),
      interruptions: phones.reduce((count, phone) => count + phone.missedInterruptions, 0),
      calls: phones.filter(({ closedEarly }) => closedEarly).length,
    },
  };
};

type Parts = Readonly<{ in: number; finalToModel: number; sentenceToVoice: number; soundToSocket: number }>;

const sum = (parts: Parts): number => parts.in + parts.finalToModel + parts.sentenceToVoice + parts.soundToSocket;

/** What of a turn lies between the providers; `undefined` where one of them has not answered, or twice. */
const partsOf = (turn: Turn, events: readonly EngineEvent[]): Parts | undefined => {
  const until = turn.answeredAt ?? 0;
  const at = (name: string): number | undefined =>
    events.findLast(([, one, ms]) => one === name && ms >= turn.firstVoicedAt && ms <= until)?.[2];
  const lastVoiced = at("stt_last_voiced");
  const final = at("stt_final");
  const asked = at("llm_request");
  const sentence = at("llm_sentence_end");
  const spoken = at("tts_request");
  const sound = at("tts_first_audio");
  if (lastVoiced === undefined || final === undefined || asked === undefined) return undefined;
  if (sentence === undefined || spoken === undefined || sound === undefined) return undefined;
  return {
    in: lastVoiced - turn.lastVoicedAt,
    finalToModel: asked - final,
    sentenceToVoice: spoken - sentence,
    soundToSocket: until - sound,
  };
};

/** The smallest, for any number of values. */
const quantilesBelow = (values: readonly number[]): readonly number[] => [
  values.reduce((least, value) => Math.min(least, value), 0),
];
