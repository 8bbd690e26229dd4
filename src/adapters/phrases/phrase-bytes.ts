import type { Phrase } from "../../ports/phrases.ts";
import type { WordTiming } from "../../ports/synthesizer.ts";

/** Bytes of the length at the beginning. */
const HEAD = 4;

/** A phrase as bytes: the length of the word times, the word times as JSON, the sound. */
export const encodePhrase = ({ audio, words }: Phrase): Buffer => {
  const times = Buffer.from(JSON.stringify(words?.map(({ text, startMs, endMs }) => [text, startMs, endMs]) ?? null));
  const head = Buffer.alloc(HEAD);
  head.writeUInt32BE(times.length);
  return Buffer.concat([head, times, audio]);
};

/** The phrase in such bytes; nothing where they are something else. */
export const decodePhrase = (bytes: Buffer): Phrase | undefined => {
  if (bytes.length < HEAD) return undefined;
  const length = bytes.readUInt32BE(0);
  if (bytes.length < HEAD + length) return undefined;
  // A copy, since a view would keep the whole of Redis' answer alive.
  const audio = Uint8Array.from(bytes.subarray(HEAD + length));
  try {
    const times: unknown = JSON.parse(bytes.toString("utf8", HEAD, HEAD + length));
    if (times === null) return { audio };
    return Array.isArray(times) && times.every(isTime)
      ? { audio, words: times.map(([text, startMs, endMs]): WordTiming => ({ text, startMs, endMs })) }
      : undefined;
  } catch {
    return undefined;
  }
};

const isTime = (value: unknown): value is readonly [string, number, number] =>
  Array.isArray(value) &&
  value.length === 3 &&
  typeof value[0] === "string" &&
  typeof value[1] === "number" &&
  typeof value[2] === "number";
