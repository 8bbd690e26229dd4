import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import { Loopback, type LoopbackParts } from "../../../../src/adapters/carrier/twilio/loopback-network.ts";
import type { CarrierReport, PlaceRequest } from "../../../../src/ports/carrier.ts";
import type { LiveState, MediaTicket } from "../../../../src/ports/live.ts";
import type { Logger } from "../../../../src/ports/logger.ts";
import type { Metrics } from "../../../../src/ports/metrics.ts";
import type { LineListener, Transport } from "../../../../src/ports/transport.ts";
import { MediaGateway } from "../../../../src/worker/media-gateway.ts";
import { SeededRandom } from "../../../kit/seeded-random.ts";

export const quiet: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => quiet,
};

export const noMetrics = new Proxy({}, { get: () => () => undefined }) as Metrics;

/** Tickets and nothing else of the live state. */
export class Tickets {
  readonly #tickets = new Map<string, MediaTicket>();

  async issueTicket(token: string, ticket: MediaTicket): Promise<void> {
    this.#tickets.set(token, ticket);
  }

  async takeTicket(token: string): Promise<MediaTicket | undefined> {
    const ticket = this.#tickets.get(token);
    this.#tickets.delete(token);
    return ticket;
  }

  /** As the port that the gateway wants; anything else of it is not there. */
  asLive(): LiveState {
    return this as unknown as LiveState;
  }
}

type Waiting = { matches: () => boolean; resolve: () => void };

/** Everything that a line reports, and a way to wait for it. */
export class LineLog implements LineListener {
  readonly frames: { samplesAt: number; payload: Uint8Array; atMs: number }[] = [];
  readonly digits: string[] = [];
  readonly marks: { name: string; at: number }[] = [];
  gone_: string | undefined;
  readonly #clock = new SystemClock();
  readonly #waiting = new Set<Waiting>();

  frame(frame: { payload: Uint8Array; atMs: number }): void {
    this.frames.push({ ...frame, samplesAt: this.#clock.monotonic() });
    this.#look();
  }

  digit(digit: string): void {
    this.digits.push(digit);
    this.#look();
  }

  mark(name: string): void {
    this.marks.push({ name, at: this.#clock.monotonic() });
    this.#look();
  }

  gone(why: string): void {
    if (this.gone_ !== undefined) throw new Error("gone twice");
    this.gone_ = why;
    this.#look();
  }

  /** Resolves as soon as something that is reported makes the condition true. */
  until(matches: () => boolean): Promise<void> {
    if (matches()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.add({ matches, resolve }));
  }

  #look(): void {
    for (const waiting of this.#waiting)
      if (waiting.matches()) {
        this.#waiting.delete(waiting);
        waiting.resolve();
      }
  }
}

export type Rig = {
  clock: SystemClock;
  network: Loopback;
  gateway: MediaGateway;
  tickets: Tickets;
  server: Server;
  baseUrl: string;
  /** What the carrier reported, in order. */
  reports: CarrierReport[];
  /** Lines in the order of their arrival. */
  lines: Transport[];
  nextLine(): Promise<Transport>;
  /** Resolves with the first report of a state. */
  report(state: "ringing" | "in-progress" | "ended"): Promise<CarrierReport>;
  request(to: string, override?: Partial<PlaceRequest>): PlaceRequest;
  close(): Promise<void>;
};

/** A loopback network, a media gateway and a server for status callbacks, joined by real sockets on loopback. */
export const networkRig = async (parts: Omit<LoopbackParts, "deps"> = {}): Promise<Rig> => {
  const clock = new SystemClock();
  const random = new SeededRandom(7);
  const tickets = new Tickets();
  const network = new Loopback({
    keepSound: true,
    ...parts,
    deps: { clock, random, logger: quiet, metrics: noMetrics },
  });
  const lines: Transport[] = [];
  const reports: CarrierReport[] = [];
  const wakes = new Set<() => void>();
  const wake = () => {
    for (const look of wakes) look();
  };
  const when = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        wakes.delete(look);
        resolve(found);
      };
      wakes.add(look);
      look();
    });
  const gateway = new MediaGateway({
    clock,
    logger: quiet,
    live: tickets.asLive(),
    carriers: new Map([["loopback", network]]),
    publicWsUrl: "ws://calls.test",
    onLine: (_ticket, line) => {
      lines.push(line);
      wake();
      return true;
    },
  });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = { "content-type": request.headers["content-type"] };
      const dialId = (request.url ?? "").split("/").at(-1) ?? "";
      const report = network.readCallback(dialId, { url: request.url ?? "", headers, body: Buffer.concat(chunks) });
      if (report !== undefined) reports.push(report);
      response.writeHead(204).end();
      wake();
    });
  });
  gateway.attach(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  let dials = 0;
  let taken = 0;
  return {
    clock,
    network,
    gateway,
    tickets,
    server,
    baseUrl: `http://127.0.0.1:${port}`,
    reports,
    lines,
    nextLine: () => {
      const index = taken;
      taken += 1;
      return when(() => lines[index]);
    },
    report: (state) => when(() => reports.find(({ call }) => call.state === state)),
    request: (to, override = {}) => {
      dials += 1;
      const dialId = `dial-${dials}`;
      const token = `token-of-dial-${dials}-0123456789`;
      void tickets.issueTicket(token, { dialId, epoch: 1, carrier: "loopback" });
      return {
        dialId,
        to,
        from: "+12025550100",
        ringTimeoutMs: 30_000,
        timeLimitMs: 60_000,
        mediaUrl: `ws://127.0.0.1:${port}/media/loopback/${token}`,
        statusUrl: `http://127.0.0.1:${port}/status/${dialId}`,
        answerUrl: `http://127.0.0.1:${port}/answer/${dialId}`,
        ...override,
      };
    },
    close: async () => {
      await network.close();
      await gateway.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
};
