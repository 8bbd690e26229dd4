import { bytesOf, type AudioFormat } from "../../model/audio.ts";
import { sleep } from "../../ports/clock.ts";
import type { SpeechSynthesizer, SpokenChunk } from "../../ports/synthesizer.ts";
import type { ScriptedParts } from "./scripted-transcriber.ts";

const TONE_HZ = 300;
/** A quarter of full scale, well above any threshold of voice. */
const AMPLITUDE = 8192;

/** Speaks a tone as long as the text is, in chunks that come at their own pace. */
export const scriptedVoice = (voiceId: string, parts: ScriptedParts): SpeechSynthesizer => {
  const { scenario } = parts;
  const format: AudioFormat = { encoding: "linear16", sampleRate: scenario.ttsRate };
  const tone = second(format);
  return {
    name: voiceId,
    voices: [{ id: voiceId, name: voiceId, voiceType: "bench", voiceTier: "STANDARD", description: "A tone." }],
    supports: () => true,
    firstAudioDeadlineMs: 60_000,
    formatFor: () => format,
    async *synthesize(pieces, _voice, _line, signal): AsyncGenerator<SpokenChunk> {
      for await (const piece of pieces) yield* spoken(piece, parts, tone, format, signal);
    },
    close: async () => undefined,
  };
};

async function* spoken(
  piece: string,
  { clock, now, scenario, note }: ScriptedParts,
  tone: Uint8Array,
  format: AudioFormat,
  signal: AbortSignal,
): AsyncGenerator<SpokenChunk> {
  note("tts_request");
  const startAt = now() + scenario.ttsTtfbMs;
  const totalMs = Math.max(scenario.ttsChunkMs, piece.length * scenario.ttsMsPerChar);
  const chunks = Math.ceil(totalMs / scenario.ttsChunkMs);
  for (let index = 0; index < chunks; index += 1) {
    const waitMs = startAt + index * scenario.ttsChunkEveryMs - now();
    if (waitMs > 0) await sleep(clock, waitMs, signal);
    if (index === 0) note("tts_first_audio");
    const ms = Math.min(scenario.ttsChunkMs, totalMs - index * scenario.ttsChunkMs);
    const audio = repeated(tone, bytesOf(format, ms));
    yield index === chunks - 1 ? { audio, endOfPiece: true } : { audio };
  }
}

const second = ({ sampleRate }: AudioFormat): Uint8Array => {
  const view = new DataView(new ArrayBuffer(2 * sampleRate));
  for (let at = 0; at < sampleRate; at += 1)
    view.setInt16(2 * at, AMPLITUDE * Math.sin((2 * Math.PI * TONE_HZ * at) / sampleRate), true);
  return new Uint8Array(view.buffer);
};

const repeated = (tone: Uint8Array, length: number): Uint8Array => {
  if (length <= tone.length) return tone.slice(0, length);
  const all = new Uint8Array(length);
  for (let at = 0; at < length; at += tone.length) all.set(tone.subarray(0, length - at), at);
  return all;
};
