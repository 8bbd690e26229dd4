import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import { CarrierHttpClient } from "../../../../src/adapters/http/carrier-http-client.ts";
import descriptor from "../../../../src/adapters/carrier/sip/sip.ts";
import { decodeSamples, encodeSamples } from "../../../../src/audio/convert.ts";
import type { AudioFrame } from "../../../../src/model/audio.ts";
import type { Carrier, CarrierCall, CarrierHost, InboundCall, PlaceRequest } from "../../../../src/ports/carrier.ts";
import type { LineEnd, Transport } from "../../../../src/ports/transport.ts";
import { adapterDeps } from "../../../kit/adapter-deps.ts";
import { SeededRandom } from "../../../kit/seeded-random.ts";

let lastPort = 20_000 + ((process.pid * 37) % 12_000);

/** A port that nobody listens on, by UDP or TCP, below those that the system gives out by itself. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    // Telephones take the next port for TLS as well.
    lastPort = lastPort >= 32_000 ? 20_000 : lastPort + 4;
    if ((await isFreeUdp(lastPort)) && (await isFreeTcp(lastPort))) return lastPort;
  }
};

const isFreeUdp = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket("udp4");
    socket.once("error", () => socket.close(() => resolve(false)));
    socket.bind(port, "127.0.0.1", () => socket.close(() => resolve(true)));
  });

const isFreeTcp = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });

/** What a line brought. */
export class Heard {
  readonly line: Transport;
  readonly frames: AudioFrame[] = [];
  readonly digits: string[] = [];
  readonly marks: string[] = [];
  readonly gone: Promise<LineEnd>;
  readonly #wake: (() => void)[] = [];

  constructor(line: Transport) {
    this.line = line;
    this.gone = new Promise((resolve) => {
      line.listen({
        frame: (frame) => this.frames.push(frame),
        digit: (digit) => {
          this.digits.push(digit);
          for (const wake of this.#wake.splice(0)) wake();
        },
        mark: (name) => this.marks.push(name),
        gone: resolve,
      });
    });
  }

  /** Waits for a number of keys; the test's own deadline ends the wait. */
  async keys(count: number): Promise<readonly string[]> {
    while (this.digits.length < count) await new Promise<void>((resolve) => this.#wake.push(resolve));
    return this.digits;
  }

  /** All that was heard, each frame at its time. */
  get sound(): Int16Array {
    const last = this.frames.at(-1);
    if (last === undefined) return new Int16Array();
    const at = ({ atMs }: AudioFrame) => Math.round(atMs * 8);
    const sound = new Int16Array(at(last) + last.payload.length);
    for (const frame of this.frames) sound.set(decodeSamples(this.line.format.encoding, frame.payload), at(frame));
    return sound;
  }

  /** Plays samples at 8 kHz in real time; resolves when the last of them was given to the line. */
  async play(samples: Int16Array, clock = new SystemClock()): Promise<void> {
    const start = clock.monotonic();
    for (let at = 0; at < samples.length; at += 160) {
      this.line.send(encodeSamples(this.line.format.encoding, samples.subarray(at, at + 160)));
      const waitMs = start + (at + 160) / 8 - clock.monotonic();
      await new Promise<void>((resolve) => clock.setTimer(Math.max(0, waitMs), resolve));
    }
  }
}

/** A host that keeps what it is told, and lets tests wait for it. */
export class HostDouble implements CarrierHost {
  readonly lines: Heard[] = [];
  readonly reports: CarrierCall[] = [];
  readonly rings: InboundCall[] = [];
  onRing: (call: InboundCall) => void = () => undefined;
  readonly #wake: (() => void)[] = [];

  line(_mediaUrl: string, line: Transport): void {
    this.lines.push(new Heard(line));
    this.#told();
  }

  report(call: CarrierCall): void {
    this.reports.push(call);
    this.#told();
  }

  ring(call: InboundCall): void {
    this.rings.push(call);
    this.onRing(call);
    this.#told();
  }

  /** Waits until something holds, which may become true with any news; the test's own deadline ends the wait. */
  async until<T>(look: () => T | undefined): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  aLine(): Promise<Heard> {
    return this.until(() => this.lines.at(-1));
  }

  anEnd(): Promise<CarrierCall> {
    return this.until(() => this.reports.find(({ state }) => state === "ended"));
  }

  #told(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

export type Trunk = Readonly<{ carrier: Carrier; host: HostDouble; port: number }>;

let seed = 1;
const ids = new SeededRandom();

/** An account that listens on `port` of 127.0.0.1 and whose server is at `serverPort`. */
export const sipAccount = (
  port: number,
  serverPort: number,
  settings: Readonly<Record<string, string>> = {},
): Carrier => {
  const clock = new SystemClock();
  const deps = adapterDeps({ clock, random: new SeededRandom((seed += 1)) });
  const addresses = { SIP_SERVER: `127.0.0.1:${serverPort}`, SIP_LISTEN: `127.0.0.1:${port}` };
  const http = new CarrierHttpClient({ clock });
  return descriptor.create({ id: "sip", settings: { ...addresses, ...settings } }, { ...deps, http });
};

/** The same, listening. */
export const openTrunk = async (
  port: number,
  serverPort: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Trunk> => {
  const host = new HostDouble();
  const carrier = sipAccount(port, serverPort, settings);
  await carrier.listen?.(host);
  return { carrier, host, port };
};

/** Lets a trunk answer whoever rings. */
export const answering = ({ carrier, host }: Trunk): void => {
  host.onRing = (call) => {
    void carrier.answer?.(call, { ...placeRequest("+12025550100"), dialId: `inbound-${call.callId}` }, patience());
  };
};

export const placeRequest = (to: string, given: Partial<PlaceRequest> = {}): PlaceRequest => ({
  dialId: ids.id(),
  to,
  from: "+12025550100",
  ringTimeoutMs: 20_000,
  timeLimitMs: 600_000,
  mediaUrl: "ws://localhost/media/sip/0123456789abcdef",
  statusUrl: "http://localhost/status",
  answerUrl: "http://localhost/answer",
  ...given,
});

export const patience = (): AbortSignal => new AbortController().signal;
