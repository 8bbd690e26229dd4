import { acceptMediaLine } from "../../../src/adapters/carrier/streaming/media-line.ts";
import { TwilioDialect } from "../../../src/adapters/carrier/twilio/stream-dialect.ts";
import { memoryPhrases } from "../../../src/adapters/phrases/memory.ts";
import { benchPlan } from "../../../src/app/bench-engine/bench-calls.ts";
import { EventLog } from "../../../src/app/bench-engine/event-log.ts";
import { loudDetector } from "../../../src/app/bench-engine/loud-detector.ts";
import { readScenario } from "../../../src/app/bench-engine/scenario.ts";
import { ScriptedEngines } from "../../../src/app/bench-engine/scripted-engines.ts";
import { callFactory } from "../../../src/app/prepare.ts";
import type { MediaSocket } from "../../../src/ports/media-socket.ts";
import { countingMetrics } from "../../kit/counting-metrics.ts";
import { SeededRandom } from "../../kit/seeded-random.ts";
import { silentLogger } from "../../kit/silent-logger.ts";
import { FloorCall } from "../floor/floor-call.ts";
import { BenchClock } from "./bench-clock.ts";
import { SILENT_FRAME, voicedFrames } from "./spoken-frames.ts";

/** What calls came to that lived through `ms` of virtual time each. */
export type VirtualCalls = Readonly<{
  /** Processor time of this thread a call-second, in milliseconds. */
  cpuMs: number;
  /** Sound and interruptions that came out: the work was done. */
  media: number;
  clears: number;
}>;

type Handlers = Parameters<MediaSocket["listen"]>[0];

/** A socket whose other end counts what it hears. */
class CountingSocket implements MediaSocket {
  readonly bufferedAmount = 0;
  media = 0;
  clears = 0;
  handlers: Handlers | undefined;

  listen(handlers: Handlers): void {
    this.handlers = handlers;
  }

  send(data: string | Uint8Array): void {
    if (typeof data !== "string") return;
    if (data.startsWith('{"event":"media"')) this.media += 1;
    else if (data.startsWith('{"event":"clear"')) this.clears += 1;
  }

  close(): void {
    this.handlers?.closed(1000);
  }
}

const FRAME_MS = 20;
const CYCLE_FRAMES = 500;
const SPOKEN = voicedFrames(50);
/** Within each ten seconds: a question, another one into its answer, and the answer to that in full. */
const SPOKEN_FROM = [25, 175];

/** Lets calls live through the same ten seconds again and again, in the whole engine but for sockets and store. */
export const engineCalls = async (calls: number, ms: number): Promise<VirtualCalls> => {
  const clock = new BenchClock();
  const now = () => clock.monotonic();
  const scenario = readScenario(undefined);
  const log = new EventLog(now);
  const { metrics } = countingMetrics();
  const deps = { clock, logger: silentLogger(), metrics, random: new SeededRandom(1) };
  const engines = new ScriptedEngines({ ...deps, now, scenario, vad: loudDetector(scenario.energyThreshold) });
  const prepare = callFactory(
    {
      ...deps,
      modelFiles: { find: async () => undefined, derive: async () => undefined },
      dataDir: "",
      http: { post: unused, close: async () => undefined },
      doNotCall: { addDoNotCall: unused },
      live: { command: async () => false },
      phrases: memoryPhrases(1_000_000),
      voiceFallbacks: [],
    },
    engines.running,
    40,
    engines.tune,
  );
  const open = async (socket: CountingSocket, id: string): Promise<() => Promise<void>> => {
    engines.open(id, log.of(id));
    const journal = { transcript: ignore, interim: ignore, turn: ignore };
    const call = prepare(benchPlan(id, id, 1), journal, async () => "failed");
    const accepted = acceptMediaLine(socket, new TwilioDialect(), deps, new AbortController().signal);
    socket.handlers?.message(startOf(id));
    call.answer(await accepted);
    return () => call.discard();
  };
  return live(clock, calls, ms, open);
};

/** The same for the program that is nothing but the calls. */
export const floorCalls = async (calls: number, ms: number): Promise<VirtualCalls> => {
  const clock = new BenchClock();
  const now = () => clock.monotonic();
  const scenario = readScenario(undefined);
  const log = new EventLog(now);
  const pacing: FloorCall[] = [];
  const pace = () => {
    for (const call of pacing) call.pace(clock.monotonic());
    clock.setTimer(10, pace);
  };
  pace();
  const open = async (socket: CountingSocket, id: string): Promise<() => Promise<void>> => {
    pacing.push(new FloorCall(socket, { clock, now, scenario, log }));
    socket.handlers?.message(startOf(id));
    return async () => socket.close();
  };
  return live(clock, calls, ms, open);
};

const live = async (
  clock: BenchClock,
  calls: number,
  ms: number,
  open: (socket: CountingSocket, id: string) => Promise<() => Promise<void>>,
): Promise<VirtualCalls> => {
  const sockets: CountingSocket[] = [];
  const ends: (() => Promise<void>)[] = [];
  for (let count = 0; count < calls; count += 1) {
    const socket = new CountingSocket();
    ends.push(await open(socket, `v${count}`));
    sockets.push(socket);
    speakOn(clock, socket, count);
  }
  const before = process.threadCpuUsage();
  await clock.run(ms);
  const used = process.threadCpuUsage(before);
  for (const end of ends) await end();
  return {
    cpuMs: (used.user + used.system) / 1000 / (calls * (ms / 1000)),
    media: sockets.reduce((sum, socket) => sum + socket.media, 0),
    clears: sockets.reduce((sum, socket) => sum + socket.clears, 0),
  };
};

/** The carrier's end: a frame every 20 ms. */
const speakOn = (clock: BenchClock, socket: CountingSocket, count: number): void => {
  let frame = 0;
  const next = () => {
    const place = (frame + count * 7) % CYCLE_FRAMES;
    const from = SPOKEN_FROM.find((start) => place >= start && place < start + SPOKEN.length);
    const payload = from === undefined ? SILENT_FRAME : SPOKEN[place - from];
    frame += 1;
    socket.handlers?.message(
      `{"event":"media","sequenceNumber":"${frame + 1}","media":{"track":"inbound","chunk":"${frame}","timestamp":"${frame * FRAME_MS}","payload":"${payload}"},"streamSid":"MZv"}`,
    );
    clock.setTimer(FRAME_MS, next);
  };
  clock.setTimer(count, next);
};

const startOf = (id: string): string => {
  const mediaFormat = { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 };
  const start = { streamSid: "MZv", accountSid: "AC1", callSid: id, tracks: ["inbound"], mediaFormat };
  return JSON.stringify({ event: "start", sequenceNumber: "1", streamSid: "MZv", start });
};

const ignore = (): void => undefined;

const unused = async (): Promise<never> => {
  throw new Error("no measured call does this");
};
