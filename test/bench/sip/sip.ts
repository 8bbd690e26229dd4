import { spawn, type ChildProcess } from "node:child_process";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { Resampler } from "../../../src/audio/resampler.ts";
import {
  freePort,
  openTrunk,
  patience,
  placeRequest,
  type Heard,
  type Trunk,
} from "../../adapters/carrier/sip/trunk-rig.ts";
import { fidelityOf } from "../../kit/fidelity.ts";
import { makeSpeaker } from "../../kit/spoken.ts";
import { concat, silence } from "../../kit/tones.ts";

/** Calls at a time, and how long each speaks, in seconds; both may be given. */
const CALLS = 50;
const SECONDS = 10;

/** SIP calls beside one another: SIPp answers and sends back what it hears. `npm run bench -- sip [calls] [seconds]`. */
export const run = async ([calls = String(CALLS), seconds = String(SECONDS)]: readonly string[]): Promise<void> => {
  const port = await freePort();
  const mediaPort = 2 * Math.floor((20_000 + (port % 5000)) / 2);
  const sipp = spawn(
    "sipp",
    ["-sn", "uas", "-i", "127.0.0.1", "-p", String(port), "-mp", String(mediaPort), "-rtp_echo", "-nostdin"],
    { stdio: "ignore", env: { ...process.env, TERM: "dumb" } },
  );
  const trunk = await openTrunk(await freePort(), port);
  try {
    const speech = await someSpeech(Number(seconds));
    console.log(await measure(trunk, Number(calls), speech));
  } finally {
    await trunk.carrier.close();
    await ended(sipp);
  }
};

const ended = (sipp: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    sipp.once("exit", () => resolve());
    sipp.kill("SIGKILL");
  });

const someSpeech = async (seconds: number): Promise<Int16Array> => {
  const speak = await makeSpeaker();
  const sentence = new Resampler(16_000, 8000).process(
    speak("The quick brown fox jumps over the lazy dog, again and again."),
  );
  const repeats = Math.ceil((seconds * 8000) / sentence.length);
  return concat(...Array.from({ length: repeats }, () => sentence)).subarray(0, seconds * 8000);
};

const measure = async (trunk: Trunk, calls: number, speech: Int16Array) => {
  const requests = Array.from({ length: calls }, () => placeRequest("+12025550123"));
  const begun = performance.now();
  for (const request of requests) {
    const outcome = await trunk.carrier.place(request, patience());
    if (outcome.type !== "accepted") throw new Error(`a call came to ${outcome.type}`);
  }
  await trunk.host.until(() => (trunk.host.lines.length === calls ? true : undefined));
  const setUpMs = performance.now() - begun;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const [cpu, from] = [process.cpuUsage(), performance.now()];
  const tail = concat(speech, silence(500, 8000));
  await Promise.all(trunk.host.lines.map((line: Heard) => line.play(tail)));
  const used = process.cpuUsage(cpu);
  const seconds = (performance.now() - from) / 1000;
  delay.disable();
  const medians = trunk.host.lines.map((line) => fidelityOf(speech, line.sound, 8000).median).toSorted((a, b) => a - b);
  await Promise.all(requests.map(({ dialId }) => trunk.carrier.hangUp(dialId, patience())));
  return {
    calls,
    seconds: Math.round(seconds * 10) / 10,
    setUpMs: Math.round(setUpMs),
    fidelity: { worst: rounded(medians[0] ?? 0), median: rounded(medians[Math.floor(calls / 2)] ?? 0) },
    percentOfACorePerCall: rounded((used.user + used.system) / 10_000 / seconds / calls),
    eventLoopMs: { p50: rounded(delay.percentile(50) / 1e6), p99: rounded(delay.percentile(99) / 1e6) },
    megabytes: Math.round(process.memoryUsage.rss() / 1e6),
  };
};

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
