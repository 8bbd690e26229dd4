import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket } from "ws";
import { VisitorCalls } from "../../src/adapters/browser/browser-calls.ts";
import { memoryLiveState } from "../../src/adapters/live/memory.ts";
import { createDialTokens, type DialTokens } from "../../src/dials/dial-token.ts";
import type { AudioFrame } from "../../src/model/audio.ts";
import type { CallPlan } from "../../src/model/call-plan.ts";
import type { LiveState } from "../../src/ports/live.ts";
import type { LineEnd, Transport } from "../../src/ports/transport.ts";
import { BrowserGateway } from "../../src/worker/browser-gateway.ts";
import { countingMetrics } from "./counting-metrics.ts";
import { testPlan } from "./dial-plans.ts";
import { MemoryStore } from "./memory-store.ts";
import { SeededRandom } from "./seeded-random.ts";
import { silentLogger } from "./silent-logger.ts";
import { VirtualClock } from "./virtual-clock.ts";

export const DIAL = "dial-1";
const PAGE = "https://shop.example.com";

type Message = Readonly<Record<string, unknown> & { type: string }>;

/** A program in the place of a browser. */
export class Visitor {
  readonly socket: WebSocket;
  readonly messages: Message[] = [];
  readonly sound: Buffer[] = [];
  readonly closed: Promise<number>;
  readonly #wake: (() => void)[] = [];

  constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = once(socket, "close").then(([code]) => code as number);
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) this.sound.push(data);
      else this.messages.push(JSON.parse(data.toString("utf8")) as Message);
      for (const wake of this.#wake.splice(0)) wake();
    });
  }

  say(message: Message): void {
    this.socket.send(JSON.stringify(message));
  }

  /** The first message of a type, which may have come already. */
  async heard(type: string): Promise<Message> {
    await this.until(() => this.messages.some((message) => message.type === type));
    return this.messages.find((message) => message.type === type) as Message;
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        this.#wake.push(resolve);
      });
    }
  }
}

/** The browsers' gateway on loopback, and a worker that takes up every dial at once. */
export class BrowserRig {
  readonly clock = new VirtualClock();
  readonly memory = new MemoryStore(this.clock);
  readonly live: LiveState = memoryLiveState({ clock: this.clock });
  readonly tokens: DialTokens = createDialTokens({
    deploymentSecret: "x".repeat(32),
    clock: this.clock,
    random: new SeededRandom(1),
  });
  readonly begun: string[] = [];
  readonly withdrawn: string[] = [];
  readonly frames: AudioFrame[] = [];
  readonly digits: string[] = [];
  readonly marks: string[] = [];
  readonly gone: LineEnd[] = [];
  accepts = true;
  line: Transport | undefined;
  readonly calls: VisitorCalls;
  readonly #gateway: BrowserGateway;
  readonly #server: Server = createServer();
  readonly #changed: (() => void)[] = [];
  base = "";

  constructor() {
    const deps = { clock: this.clock, logger: silentLogger(), metrics: countingMetrics().metrics };
    this.calls = new VisitorCalls({
      ...deps,
      live: this.live,
      begin: (dialId) => {
        this.begun.push(dialId);
        if (this.accepts) void this.#place(dialId);
        return this.accepts;
      },
      withdraw: (dialId) => this.withdrawn.push(dialId),
      onLine: (_ticket, line) => {
        this.#take(line);
        return true;
      },
    });
    this.#gateway = new BrowserGateway({
      ...deps,
      dials: this.memory.store.dials,
      tokens: this.tokens,
      calls: this.calls,
      origins: [PAGE],
    });
  }

  async start(): Promise<void> {
    this.#server.on("upgrade", (request, socket, head) => void this.#gateway.handle(request, socket, head));
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.base = `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    await this.addDial({ dialId: DIAL });
  }

  async addDial(parts: Partial<CallPlan> & Readonly<{ dialId: string }>): Promise<void> {
    const plan = testPlan({ direction: "browser", carrier: "browser", ...parts });
    await this.memory.store.dials.create({ plan, sessionId: "s" });
  }

  mint(dialId = DIAL): string {
    return this.tokens.mint(dialId, 60_000);
  }

  open(path = `/browser/${DIAL}`, protocols: string[] = [], origin?: string): WebSocket {
    return new WebSocket(this.base + path, protocols, origin === undefined ? {} : { origin });
  }

  /** A visitor whose token was found good. */
  async visit(token: string): Promise<Visitor> {
    const visitor = new Visitor(this.open());
    await once(visitor.socket, "open");
    visitor.say({ type: "auth", token });
    await visitor.heard("ready");
    return visitor;
  }

  /** Resolves when something has reached the worker's side and the condition holds. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        this.#changed.push(resolve);
      });
    }
  }

  async close(): Promise<void> {
    await this.calls.close();
    const closing = this.#gateway.close();
    await this.clock.settle();
    await this.clock.advance(2000);
    await closing;
    this.#server.close();
    await this.live.close();
  }

  async #place(dialId: string): Promise<void> {
    await this.live.issueTicket("ticket", { dialId, epoch: 1, carrier: "browser" }, 10_000);
    await this.calls.place({
      dialId,
      mediaUrl: "wss://here/media/browser/ticket",
      statusUrl: "",
      answerUrl: "",
      to: "",
      from: "",
      ringTimeoutMs: 1,
      timeLimitMs: 1,
    });
  }

  #take(line: Transport): void {
    this.line = line;
    const noting =
      <T>(list: T[]) =>
      (one: T) => {
        list.push(one);
        for (const wake of this.#changed.splice(0)) wake();
      };
    line.listen({
      frame: noting(this.frames),
      digit: noting(this.digits),
      mark: noting(this.marks),
      gone: noting(this.gone),
    });
    for (const wake of this.#changed.splice(0)) wake();
  }
}
