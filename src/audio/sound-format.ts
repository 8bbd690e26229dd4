import type { SoundFormat } from "../ports/sound-converter.ts";

/** What a file of sound begins with; names of files and media types that clients send are often wrong. */
export const soundFormatOf = (file: Uint8Array): SoundFormat | "wav" | undefined => {
  const begins = (text: string, at = 0) =>
    file.length >= at + text.length &&
    text.split("").every((letter, index) => file[at + index] === letter.charCodeAt(0));
  if (begins("RIFF")) return "wav";
  if (begins("OggS")) return "ogg";
  if (begins("fLaC")) return "flac";
  // EBML, whose first element of all is this one (RFC 8794).
  if (begins("\u001A\u0045\u00DF\u00A3")) return "webm";
  // ISO/IEC 14496-12: a box begins with its size.
  if (begins("ftyp", 4)) return "m4a";
  if (begins("ID3")) return "mp3";
  return frameFormat(file);
};

/** MPEG audio without a container begins with a frame: eleven set bits, the version, and a layer, which is 0 in AAC (ADTS). */
const frameFormat = ([first = 0, second = 0]: Uint8Array): SoundFormat | undefined => {
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined;
  if ((second & 0xf6) === 0xf0) return "aac";
  return (second & 0x06) === 0 ? undefined : "mp3";
};
