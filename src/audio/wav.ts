import { decodeAlaw, decodeMulaw } from "./g711.ts";
import { encodeLinear16 } from "./linear16.ts";

/** Bytes that are not a WAV file that can be read; the message says what is wrong and what to use instead. */
export class WavError extends Error {
  override readonly name = "WavError";
}

export type WavSound = Readonly<{
  /** All channels mixed into one. */
  samples: Int16Array;
  sampleRate: number;
}>;

/** Length of the header that {@link wavHeader} makes. */
export const WAV_HEADER_BYTES = 44;

/**
 * Reads a WAV file: PCM of 8, 16, 24 or 32 bits, 32- or 64-bit float, µ-law or A-law; 1 to 32 channels; at most
 * `maxSeconds` of sound (an hour unless told). A data size that is missing or too large (a file still being written, a
 * stream) means up to the end of the bytes. Throws {@link WavError}.
 */
export const readWav = (file: Uint8Array, maxSeconds = 3600): WavSound => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < 12 || tag(view, 0) !== "RIFF" || tag(view, 8) !== "WAVE")
    throw new WavError("this is not a WAV file (no RIFF/WAVE header); convert it, for example to 16-bit PCM WAV");
  const { format, data } = chunksOf(view);
  const reader = readerOf(format);
  const frames = Math.floor(data.byteLength / (reader.bytes * format.channels));
  if (frames > maxSeconds * format.sampleRate)
    throw new WavError(`this WAV file lasts longer than ${maxSeconds} s; cut it to that length`);
  const samples = new Int16Array(frames);
  for (let frame = 0; frame < frames; frame++) {
    let sum = 0;
    for (let channel = 0; channel < format.channels; channel++)
      sum += reader.read(data, (frame * format.channels + channel) * reader.bytes);
    samples[frame] = Math.max(-32_768, Math.min(32_767, Math.round(sum / format.channels)));
  }
  return { samples, sampleRate: format.sampleRate };
};

/**
 * The header of a 16-bit PCM file whose sound is `dataBytes` long. Written again over itself while a file grows, it keeps the
 * file playable at every moment.
 */
export const wavHeader = (
  format: Readonly<{ sampleRate: number; channels: number }>,
  dataBytes: number,
): Uint8Array => {
  const header = new Uint8Array(WAV_HEADER_BYTES);
  const view = new DataView(header.buffer);
  const frameBytes = format.channels * 2;
  // 4 GB is as much as the format can say; readers take an all-ones size as "to the end".
  const sayable = (bytes: number) => Math.min(bytes, 0xffff_ffff);
  view.setUint32(0, 0x5249_4646); // RIFF
  view.setUint32(4, sayable(dataBytes + WAV_HEADER_BYTES - 8), true);
  view.setUint32(8, 0x5741_5645); // WAVE
  view.setUint32(12, 0x666d_7420); // "fmt "
  view.setUint32(16, 16, true);
  view.setUint16(20, PCM, true);
  view.setUint16(22, format.channels, true);
  view.setUint32(24, format.sampleRate, true);
  view.setUint32(28, format.sampleRate * frameBytes, true);
  view.setUint16(32, frameBytes, true);
  view.setUint16(34, 16, true);
  view.setUint32(36, 0x6461_7461); // data
  view.setUint32(40, sayable(dataBytes), true);
  return header;
};

/** A whole mono file. */
export const writeWav = (sound: WavSound): Uint8Array => {
  const data = encodeLinear16(sound.samples);
  const file = new Uint8Array(WAV_HEADER_BYTES + data.length);
  file.set(wavHeader({ sampleRate: sound.sampleRate, channels: 1 }, data.length));
  file.set(data, WAV_HEADER_BYTES);
  return file;
};

type WavFormat = Readonly<{ code: number; channels: number; sampleRate: number; bits: number }>;

type SampleReader = Readonly<{ bytes: number; read(data: DataView, at: number): number }>;

const PCM = 1;
const FLOAT = 3;
const ALAW = 6;
const MULAW = 7;
const EXTENSIBLE = 0xfffe;

const tag = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));

const chunksOf = (view: DataView): Readonly<{ format: WavFormat; data: DataView }> => {
  let format: WavFormat | undefined;
  // Chunks are padded to even lengths; a chunk header takes 8 bytes.
  for (let at = 12; at + 8 <= view.byteLength;) {
    const name = tag(view, at);
    const claimed = view.getUint32(at + 4, true);
    const body = at + 8;
    const left = view.byteLength - body;
    if (name === "fmt ") format = formatOf(view, body, Math.min(claimed, left));
    else if (name === "data") {
      if (format === undefined) throw new WavError("this WAV file has no format before its sound; it is damaged");
      const size = claimed === 0 || claimed > left ? left : claimed;
      return { format, data: new DataView(view.buffer, view.byteOffset + body, size) };
    }
    at = body + claimed + (claimed % 2);
  }
  throw new WavError("this WAV file has no sound in it (no data chunk); it is empty or damaged");
};

const formatOf = (view: DataView, at: number, size: number): WavFormat => {
  if (size < 16) throw new WavError("the format part of this WAV file is too short; it is damaged");
  const code = view.getUint16(at, true);
  const format = {
    // The extensible form keeps the plain code in the first two bytes of its sub-format.
    code: code === EXTENSIBLE && size >= 26 ? view.getUint16(at + 24, true) : code,
    channels: view.getUint16(at + 2, true),
    sampleRate: view.getUint32(at + 4, true),
    bits: view.getUint16(at + 14, true),
  };
  if (format.channels < 1 || format.channels > 32)
    throw new WavError(`this WAV file says it has ${format.channels} channels; 1 to 32 can be read`);
  if (format.sampleRate < 1000 || format.sampleRate > 384_000)
    throw new WavError(`this WAV file says it has ${format.sampleRate} samples per second; 1000 to 384000 can be read`);
  return format;
};

const readerOf = ({ code, bits }: WavFormat): SampleReader => {
  const reader = READERS[`${code}/${bits}`];
  if (reader === undefined)
    throw new WavError(
      `this WAV file holds format ${code} with ${bits} bits; use PCM (8, 16, 24 or 32 bits), float, µ-law or A-law`,
    );
  return reader;
};

const byTable = (table: Int16Array): SampleReader => ({
  bytes: 1,
  read: (data, at) => table[data.getUint8(at)] as number,
});

const scaled = (value: number): number => (Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) * 32_767 : 0);

const EVERY_CODE = Uint8Array.from({ length: 256 }, (_, code) => code);

const READERS: Readonly<Record<string, SampleReader>> = {
  [`${PCM}/8`]: { bytes: 1, read: (data, at) => (data.getUint8(at) - 128) * 256 },
  [`${PCM}/16`]: { bytes: 2, read: (data, at) => data.getInt16(at, true) },
  [`${PCM}/24`]: { bytes: 3, read: (data, at) => data.getInt16(at + 1, true) + data.getUint8(at) / 256 },
  [`${PCM}/32`]: { bytes: 4, read: (data, at) => data.getInt32(at, true) / 65_536 },
  [`${FLOAT}/32`]: { bytes: 4, read: (data, at) => scaled(data.getFloat32(at, true)) },
  [`${FLOAT}/64`]: { bytes: 8, read: (data, at) => scaled(data.getFloat64(at, true)) },
  [`${ALAW}/8`]: byTable(decodeAlaw(EVERY_CODE)),
  [`${MULAW}/8`]: byTable(decodeMulaw(EVERY_CODE)),
};
