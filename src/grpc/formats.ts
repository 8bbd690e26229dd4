import { sameFormat, type AudioFormat, type Encoding } from "../model/audio.ts";
import type { AudioFormat as WireFormat, AudioFormat__Output } from "./generated/callengine/models/v1/AudioFormat.ts";

/** A format as it goes over the wire. */
export const toWireFormat = ({ encoding, sampleRate }: AudioFormat): WireFormat => ({
  encoding: NAMES[encoding],
  sampleRate,
});

/** A format from the wire; `undefined` for one that we do not know. */
export const fromWireFormat = (format: AudioFormat__Output | null | undefined): AudioFormat | undefined => {
  if (format === null || format === undefined || format.sampleRate === 0) return undefined;
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

/** Whether one of the tags stands for a language; none stand for all. Both BCP 47. */
export const coversLanguage = (tags: readonly string[], language: string): boolean => {
  const wanted = language.toLowerCase();
  return (
    tags.length === 0 || tags.some((tag) => wanted === tag.toLowerCase() || wanted.startsWith(`${tag.toLowerCase()}-`))
  );
};

const ENCODINGS: readonly Encoding[] = ["mulaw", "alaw", "linear16"];

const NAMES = {
  mulaw: "ENCODING_MULAW",
  alaw: "ENCODING_ALAW",
  linear16: "ENCODING_LINEAR16",
} as const satisfies Record<Encoding, AudioFormat__Output["encoding"]>;
