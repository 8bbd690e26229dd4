import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBrowserPeers } from "../../../src/adapters/browser/webrtc/peers.ts";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { decodeLinear16, encodeLinear16 } from "../../../src/audio/linear16.ts";
import { writeWav } from "../../../src/audio/wav.ts";
import { deferred } from "../../../src/kit/deferred.ts";
import type { AudioFrame } from "../../../src/model/audio.ts";
import type { BrowserPeer } from "../../../src/ports/browser-peer.ts";
import { sleep, withDeadline } from "../../../src/ports/clock.ts";
import { countingMetrics } from "../../kit/counting-metrics.ts";
import { fidelityOf, type Fidelity } from "../../kit/fidelity.ts";
import { SeededRandom } from "../../kit/seeded-random.ts";
import { silentLogger } from "../../kit/silent-logger.ts";
import { makeSpeaker, resampled, type Speak, type SpokenVoice } from "../../kit/spoken.ts";
import { concat, silence } from "../../kit/tones.ts";
import { BROWSERS, MICROPHONE_FILE, end, type Browser, type Situation } from "./programs.ts";
import { ROUGH, UdpProxy, type Weather } from "./udp-proxy.ts";

/** From the browser's start to the end of its recording. */
const LIMIT_MS = 90_000;

/** Lines of ours are 24 kHz. */
const RATE = 24_000;

const clock = new SystemClock();

type Sounds = Readonly<{ ours: Int16Array; theirs: Int16Array }>;

/** A browser plays time faster or slower when packets come late, by no more than this in one call. */
const WANDER_MS = 150;

/**
 * Speech by WebRTC to and from real browsers, straight and over a rough network, which loses 3 % and is up to 80 ms late: the median
 * correlation of its half seconds with what was said, each aligned on its own, and how far they lie apart. Chromium also speaks by a
 * microphone, as it is and with everything that pages of ours have done to it; then we listen and say nothing.
 * `npm run bench -- browsers [chromium | firefox]`; wants a machine with nothing else to do.
 */
export const run = async ([only]: readonly string[]): Promise<void> => {
  // Browsers end with us, however we end.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const sounds = soundsOf(await makeSpeaker());
  for (const browser of BROWSERS.filter(({ name }) => only === undefined || name === only))
    for (const situation of browser.situations) {
      const { up, down } = await measure(browser, situation, sounds);
      console.log(`${browser.name}, ${situation}: up ${told(up)}, down ${told(down)}`);
    }
};

const told = ({ median, worst, spreadMs }: Fidelity): string =>
  `${median.toFixed(3)} (worst ${worst.toFixed(3)}, ${spreadMs.toFixed(1)} ms apart)`;

const soundsOf = (speak: Speak): Sounds => {
  const said = (voice: SpokenVoice, ...texts: readonly string[]) =>
    inTelephoneBand(concat(...texts.map((text) => speak(text, voice))));
  return {
    ours: said(
      "rms",
      "Good morning, this is the front desk. How can I help you today?",
      "We are open from nine to five, and on Saturdays until noon.",
    ),
    theirs: said(
      "slt",
      "I would like to move my appointment to next Friday, please.",
      "It was on Monday at ten, and my name is Sarah Miller.",
    ),
  };
};

/**
 * Speech of 16 kHz between 200 and 3400 Hz, at our rate. Below that a browser's encoder takes away on purpose, and above that it no
 * longer keeps the waveform.
 */
const inTelephoneBand = (speech: Int16Array): Int16Array => {
  const narrow = resampled(speech, 16_000, 8000);
  // Butterworth, second order, by the bilinear transform.
  const k = Math.tan((Math.PI * 200) / 8000);
  const norm = 1 / (1 + Math.SQRT2 * k + k * k);
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  const high = narrow.map((x) => {
    const y = norm * (x - 2 * x1 + x2 - 2 * (k * k - 1) * y1 - (1 - Math.SQRT2 * k + k * k) * y2);
    [x2, x1, y2, y1] = [x1, x, y1, y];
    return y;
  });
  return resampled(high, 8000, RATE);
};

const measure = async (browser: Browser, situation: Situation, { ours, theirs }: Sounds) => {
  const folder = await mkdtemp(join(tmpdir(), "call-engine-browsers-"));
  await chmod(folder, 0o700);
  const padding = silence(1000, RATE);
  const spoken = writeWav({ samples: concat(padding, theirs, padding), sampleRate: RATE });
  await writeFile(join(folder, MICROPHONE_FILE), spoken);
  const call = new PeerCall(
    situation === "rough network" ? ROUGH : undefined,
    ours,
    theirs,
    PROCESSING[situation] !== "",
  );
  const server = createServer((request, response) => {
    call.serve(request).then(
      ([type, body]) => response.writeHead(200, { "content-type": type }).end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const program = await browser.start(`${await addressOf(server)}${PROCESSING[situation]}`, folder);
  try {
    const heard = await withDeadline(clock, LIMIT_MS, `a call with ${browser.name}`, call.recorded);
    const alignment = { maxLagMs: 15_000, wanderMs: WANDER_MS };
    return {
      up: fidelityOf(theirs, call.heard(), RATE, alignment),
      down: fidelityOf(ours, heard, RATE, alignment),
    };
  } finally {
    await end(program);
    await call.close();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
};

/** What the page asks of a microphone, where it is to take one. */
const PROCESSING: Readonly<Record<Situation, string>> = {
  "quiet network": "",
  "rough network": "",
  "microphone as it is": "?echoCancellation=false&noiseSuppression=false&autoGainControl=false",
  "microphone as visitors have it": "?echoCancellation=true&noiseSuppression=true&autoGainControl=true",
};

const addressOf = async (server: Server): Promise<string> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

/** One session with a page, whose packets go straight, or by a proxy that makes the weather. */
class PeerCall {
  readonly #weather: Weather | undefined;
  readonly #ours: Int16Array;
  readonly #theirs: Int16Array;
  readonly #listens: boolean;
  readonly #recorded = deferred<Int16Array>();
  readonly #frames: AudioFrame[] = [];
  readonly #peers = createBrowserPeers({
    clock,
    logger: silentLogger(),
    metrics: countingMetrics().metrics,
    random: new SeededRandom(3),
    settings: { iceServers: [], loopback: true },
  });
  #peer: BrowserPeer | undefined;
  #proxy: UdpProxy | undefined;

  /** With `listens` we say nothing. */
  constructor(weather: Weather | undefined, ours: Int16Array, theirs: Int16Array, listens: boolean) {
    this.#weather = weather;
    this.#listens = listens;
    this.#ours = ours;
    this.#theirs = theirs;
  }

  /** What the page heard, at our rate. */
  get recorded(): Promise<Int16Array> {
    return this.#recorded.promise;
  }

  /** What we heard. */
  heard(): Int16Array {
    return concat(...this.#frames.map(({ payload }) => decodeLinear16(payload)));
  }

  async serve(request: IncomingMessage): Promise<readonly [type: string, body: string | Uint8Array]> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const body = await bodyOf(request);
    switch (url.pathname) {
      case "/":
        return ["text/html", await readFile(new URL("page.html", import.meta.url))];
      case "/speech.wav":
        return ["audio/wav", writeWav({ samples: this.#theirs, sampleRate: RATE })];
      case "/offer":
        return ["application/sdp", await this.#answer(body.toString())];
      case "/connected":
        if (this.#proxy !== undefined && this.#weather !== undefined) this.#proxy.weather = this.#weather;
        if (!this.#listens) void this.#speak();
        return ["text/plain", ""];
      case "/recorded":
        this.#recorded.resolve(resampled(decodeLinear16(body), Number(url.searchParams.get("rate")), RATE));
        return ["text/plain", ""];
      case "/failed":
        this.#recorded.reject(new Error(`the page failed: ${body.toString()}`));
        return ["text/plain", ""];
      default:
        return ["text/plain", ""];
    }
  }

  async close(): Promise<void> {
    await this.#peers.close();
    this.#proxy?.close();
  }

  async #answer(offer: string): Promise<string> {
    // With a proxy neither side may learn of another address.
    const heard = this.#weather === undefined ? offer : offer.replaceAll(CANDIDATES, "");
    const peer = await this.#peers.answer(heard, () => undefined, new AbortController().signal);
    this.#peer = peer;
    peer.connected.catch(() => undefined);
    peer.transport.listen({
      frame: (frame) => this.#frames.push(frame),
      digit: () => undefined,
      mark: () => undefined,
      gone: () => undefined,
    });
    return this.#weather === undefined ? peer.answer : this.#byProxy(peer.answer);
  }

  async #byProxy(answer: string): Promise<string> {
    const own = /^a=candidate:\S+ 1 udp \d+ 127\.0\.0\.1 (\d+) typ host.*\r\n/m.exec(answer);
    if (own === null) throw new Error("the answer has no address on this machine");
    this.#proxy = await UdpProxy.open(clock, new SeededRandom(9), Number(own[1]));
    const only = own[0].replace(` ${own[1]} typ`, ` ${this.#proxy.port} typ`);
    return answer.replaceAll(CANDIDATES, "").replace(/^a=mid:.*\r\n/m, (mid) => `${mid}${only}`);
  }

  /** Sends frames as a speaker does: each up to 20 ms before it is due. */
  async #speak(): Promise<void> {
    await sleep(clock, 500);
    const start = clock.monotonic();
    for (let at = 0; at + RATE / 50 <= this.#ours.length; at += RATE / 50) {
      await sleep(clock, start + (at / RATE) * 1000 - 20 - clock.monotonic());
      this.#peer?.transport.send(encodeLinear16(this.#ours.slice(at, at + RATE / 50)));
    }
  }
}

const CANDIDATES = /^a=candidate:.*\r\n/gm;

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
};
