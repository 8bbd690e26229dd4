import { SOUND_HEADER_BYTES } from "../../model/browser-protocol.ts";

/** A piece of sound on the socket: numbers as unsigned 32-bit integers that wrap around. */
export type SoundFrame = Readonly<{ sequence: number; timestamp: number; payload: Uint8Array }>;

/** Reads a binary message; `undefined` when it is too short to be one. The payload shares the message's memory. */
export const readSoundFrame = (message: Uint8Array): SoundFrame | undefined => {
  if (message.length <= SOUND_HEADER_BYTES) return undefined;
  const view = new DataView(message.buffer, message.byteOffset, SOUND_HEADER_BYTES);
  return {
    sequence: view.getUint32(0),
    timestamp: view.getUint32(4),
    payload: message.subarray(SOUND_HEADER_BYTES),
  };
};

/** A binary message that carries a piece of sound. */
export const writeSoundFrame = ({ sequence, timestamp, payload }: SoundFrame): Uint8Array => {
  const message = new Uint8Array(SOUND_HEADER_BYTES + payload.length);
  const view = new DataView(message.buffer);
  view.setUint32(0, sequence);
  view.setUint32(4, timestamp);
  message.set(payload, SOUND_HEADER_BYTES);
  return message;
};

/** How far `to` is ahead of `from` where both wrap around at 2³²; negative when it is behind. */
export const wrappedDistance = (from: number, to: number): number => (to - from) | 0;
