import { sameFormat, type AudioFormat, type Encoding } from "../model/audio.ts";
import type { AudioFormat as WireFormat, AudioFormat__Output } from "./generated/callengine/models/v1/AudioFormat.ts";
import type { Word__Output } from "./generated/callengine/models/v1/Word.ts";

/** A format as it goes over the wire. */
export const toWireFormat = ({ encoding, sampleRate }: AudioFormat): WireFormat => ({
  encoding: NAMES[encoding],
  sampleRate,
});

/** A format from the wire; `undefined` for one that the protocol does not have. */
export const fromWireFormat = (format: AudioFormat__Output | null | undefined): AudioFormat | undefined => {
  if (format === null || format === undefined || !RATES.has(format.sampleRate)) return undefined;
  const encoding = ENCODINGS.find((one) => NAMES[one] === format.encoding);
  return encoding === undefined ? undefined : { encoding, sampleRate: format.sampleRate };
};

/** The formats that each of several lists has, in the order of the first. */
export const commonFormats = (lists: readonly (readonly AudioFormat__Output[])[]): readonly AudioFormat[] => {
  const [first = [], ...rest] = lists;
  const known = first.map(fromWireFormat).filter((format) => format !== undefined);
  return known.filter((format) => rest.every((list) => offersFormat(list, format)));
};

/** Whether a format is one of a list's. */
export const offersFormat = (list: readonly AudioFormat__Output[], format: AudioFormat): boolean =>
  list.some((one) => {
    const offered = fromWireFormat(one);
    return offered !== undefined && sameFormat(offered, format);
  });

/**
 * Whether one of the tags stands for a language; none stand for all. Both BCP 47: "en" stands for "en-GB", and "en-GB" does where nobody asks
 * for more than "en".
 */
export const coversLanguage = (tags: readonly string[], language: string): boolean => {
  const wanted = `${language.toLowerCase()}-`;
  const offered = tags.map((tag) => `${tag.toLowerCase()}-`);
  return tags.length === 0 || offered.some((tag) => wanted.startsWith(tag) || tag.startsWith(wanted));
};

/** Samples per second that the protocol names. */
const RATES: ReadonlySet<number> = new Set([8000, 16_000, 22_050, 24_000, 48_000]);

/** A server's word times, in milliseconds; `undefined` where one of them is no time, or ends before it begins. */
export const fromWireWords = (
  words: readonly Word__Output[],
  fromMs = 0,
): readonly Readonly<{ text: string; startMs: number; endMs: number }>[] | undefined =>
  words.length === 0 || words.some(({ startMs, endMs }) => !(startMs >= 0 && endMs >= startMs && endMs < Infinity))
    ? undefined
    : words.map(({ text, startMs, endMs }) => ({ text, startMs: fromMs + startMs, endMs: fromMs + endMs }));

const ENCODINGS: readonly Encoding[] = ["mulaw", "alaw", "linear16"];

const NAMES = {
  mulaw: "ENCODING_MULAW",
  alaw: "ENCODING_ALAW",
  linear16: "ENCODING_LINEAR16",
} as const satisfies Record<Encoding, AudioFormat__Output["encoding"]>;
