import { encodeLinear16 } from "../../audio/linear16.ts";
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
  const tone = toneOf(format);
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
    const audio = tone.subarray(0, bytesOf(format, ms));
    yield index === chunks - 1 ? { audio, endOfPiece: true } : { audio };
  }
}

/** As long a tone as a chunk of sound may be, by rate: made once, and given out in views. */
const TONES = new Map<number, Uint8Array>();

const toneOf = ({ sampleRate }: AudioFormat): Uint8Array => {
  const known = TONES.get(sampleRate);
  if (known !== undefined) return known;
  const samples = Int16Array.from(
    { length: sampleRate * LONGEST_CHUNK_S },
    (_, at) => AMPLITUDE * Math.sin((2 * Math.PI * TONE_HZ * at) / sampleRate),
  );
  const tone = encodeLinear16(samples);
  TONES.set(sampleRate, tone);
  return tone;
};

const LONGEST_CHUNK_S = 60;
