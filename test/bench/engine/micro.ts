import { decodeAlaw, decodeMulaw, encodeAlaw, encodeMulaw } from "../../../src/audio/g711.ts";
import { Resampler } from "../../../src/audio/resampler.ts";
import { scanMedia } from "../../../src/adapters/carrier/twilio/stream-dialect.ts";
import { messageFrame } from "../../../src/worker/websocket-frame.ts";
import { medianOf } from "./quantiles.ts";
import { ratioOf, type Row } from "./row.ts";
import { voicedFrames } from "./spoken-frames.ts";

type Work = Readonly<{ id: string; definition: string; engine: () => unknown; floor: () => unknown }>;

const FRAME = Uint8Array.from(Buffer.from(voicedFrames(1)[0] as string, "base64"));
const AT_8 = decodeMulaw(FRAME);
const TO_16 = new Resampler(8000, 16_000);
const AT_16 = TO_16.process(AT_8).slice();
const MESSAGE = `{"event":"media","sequenceNumber":"4","media":{"track":"inbound","chunk":"3","timestamp":"60","payload":"${Buffer.from(FRAME).toString("base64")}"},"streamSid":"MZ1"}`;

/** Every sample touched once: what no codec can be faster than. */
const touched = (samples: Int16Array): Int16Array => {
  const out = new Int16Array(samples.length);
  for (let at = 0; at < samples.length; at += 1) out[at] = (samples[at] as number) >> 1;
  return out;
};

const resampling = (from: number, to: number, samples: Int16Array): (() => unknown) => {
  const resampler = new Resampler(from, to);
  return () => resampler.process(samples);
};

const WORKS: readonly Work[] = [
  codec("codec.mulaw.decode", () => decodeMulaw(FRAME)),
  codec("codec.mulaw.encode", () => encodeMulaw(AT_8)),
  codec("codec.alaw.decode", () => decodeAlaw(FRAME)),
  codec("codec.alaw.encode", () => encodeAlaw(AT_8)),
  {
    id: "carrier.read",
    definition: "a media message scanned and its sound decoded from base64; floor: JSON.parse and base64",
    engine: () => scanMedia(MESSAGE),
    floor: () => Buffer.from((JSON.parse(MESSAGE) as { media: { payload: string } }).media.payload, "base64"),
  },
  {
    id: "carrier.write",
    definition: "a media message as a whole websocket frame; floor: its bytes alone",
    engine: () => messageFrame(MESSAGE),
    floor: () => Buffer.from(MESSAGE),
  },
  resampler("resample.8-16", resampling(8000, 16_000, AT_8)),
  resampler("resample.16-8", resampling(16_000, 8000, AT_16)),
  resampler("resample.24-8", resampling(24_000, 8000, new Int16Array(480).fill(1000))),
  resampler("resample.16-48", resampling(16_000, 48_000, AT_16)),
];

const ROUNDS = 9;
/** A round is so long, in microseconds, that the clock of a thread's time is fine enough for it. */
const ROUND_US = 12_000;

/** Codecs, resamplers and the messages of carriers: processor time a frame of 20 ms, each between runs of its floor. */
export const microRows = (): readonly Row[] =>
  WORKS.map(({ id, definition, engine, floor }) => {
    const [floorTimes, engineTimes] = [timesOf(floor), timesOf(engine)];
    const rounds = Array.from({ length: ROUNDS }, () => ({
      floor: timeOf(floor, floorTimes),
      engine: timeOf(engine, engineTimes),
    }));
    const ours = medianOf(rounds.map((round) => round.engine));
    const least = medianOf(rounds.map((round) => round.floor));
    return { id, definition, unit: "µs/frame", engine: ours, floor: least, ratio: ratioOf(ours, least) };
  });

let kept: unknown;

/** How often it has to be done for a round, once it is warm. */
const timesOf = (work: () => unknown): number => {
  for (let warm = 0; warm < 3; warm += 1) timeOf(work, WARM_TIMES);
  return Math.max(WARM_TIMES, Math.round(ROUND_US / Math.max(0.05, timeOf(work, 4 * WARM_TIMES))));
};

const WARM_TIMES = 2000;

/** Microseconds of this thread's processor time for one. */
const timeOf = (work: () => unknown, times: number): number => {
  const before = process.threadCpuUsage();
  for (let time = 0; time < times; time += 1) kept = work();
  const { user, system } = process.threadCpuUsage(before);
  return kept === undefined ? Number.NaN : (user + system) / times;
};

function codec(id: string, engine: () => unknown): Work {
  const definition = "one frame of 160 samples; floor: each sample touched once";
  return { id, definition, engine, floor: () => touched(AT_8) };
}

function resampler(id: string, engine: () => unknown): Work {
  const definition = "one frame of 20 ms from one rate to another, in kHz; floor: 160 samples touched once";
  return { id, definition, engine, floor: () => touched(AT_8) };
}
