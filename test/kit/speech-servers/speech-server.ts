import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import { encodeSamples } from "../../../src/audio/convert.ts";
import { deferred, type Deferred } from "../../../src/kit/deferred.ts";
import type { AudioFormat } from "../../../src/model/audio.ts";
import { bytesOf } from "../../../src/model/audio.ts";
import type { WordTiming } from "../../../src/ports/synthesizer.ts";
import { tone } from "../tones.ts";

/** The only key that the servers take. */
export const KEY = "vendor-key-of-the-test";

/** How long every letter sounds, in milliseconds. */
export const LETTER_MS = 60;

/**
 * What happens to the next text that the server is asked to speak; without a word it is spoken:
 * `held`: its first sound comes, the rest on `release()`; `silent`: nothing comes; `lost`: the connection breaks before any sound;
 * `broken`: it breaks after some; `half-closed`: the server ends its side; `garbage`: what comes is not of the protocol;
 * `refused`: the vendor answers with its own form of an error.
 */
export type Fate = "held" | "silent" | "lost" | "broken" | "half-closed" | "garbage" | "refused";

export type Asked = Readonly<{
  id: string;
  text: string;
  format: AudioFormat;
  options: Readonly<Record<string, unknown>>;
}>;

/** A vendor's wire format, from the server's side. */
export type Dialect = Readonly<{
  /** Whether a request brings the key as this vendor wants it. */
  authorized(request: IncomingMessage): boolean;
  /** What a plain GET answers; nothing where the vendor has nothing there. */
  list(url: URL): unknown;
  /** One connection; takes messages and answers what was asked, or what was cancelled. */
  connect(url: URL): Readonly<{ take(message: string): Asked | "cancel" | undefined }>;
  chunk(asked: Asked, audio: Uint8Array, words: readonly WordTiming[]): readonly (string | Uint8Array)[];
  done(asked: Asked): readonly string[];
  cancelled?(asked: Asked | undefined): readonly string[];
  refusal: string;
  garbage: string;
}>;

/** A vendor on loopback, for a test. */
export class SpeechServer {
  readonly asked: Asked[] = [];
  /** Statuses with which the next connections or requests are refused. */
  readonly statuses: number[] = [];
  readonly fates: Fate[] = [];
  connections = 0;
  cancelled = 0;
  lists = 0;
  readonly #dialect: Dialect;
  readonly #http: Server;
  readonly #sockets = new Set<WebSocket>();
  readonly #raw = new Set<Socket>();
  readonly #holds: Deferred<void>[] = [];
  readonly #news: (() => void)[] = [];

  static async start(dialect: Dialect, answer?: HttpAnswer): Promise<SpeechServer> {
    const server = new SpeechServer(dialect, answer);
    server.#http.listen(0, "127.0.0.1");
    await once(server.#http, "listening");
    return server;
  }

  private constructor(dialect: Dialect, answer?: HttpAnswer) {
    this.#dialect = dialect;
    this.#http = createServer((request, response) => {
      void this.#answer(request, response, answer);
    });
    const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
    this.#http.on("connection", (socket) => {
      this.#raw.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => {
        this.#raw.delete(socket);
        this.#tell();
      });
    });
    this.#http.on("upgrade", (request, socket, head) => {
      const status = this.#refusal(request);
      if (status !== undefined) {
        socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
        return;
      }
      sockets.handleUpgrade(request, socket, head, (opened) => {
        this.connections += 1;
        this.#converse(opened, socket as Socket, new URL(request.url ?? "/", "http://vendor"));
        this.#tell();
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  /** Connections that are open now. */
  get open(): number {
    return this.#raw.size;
  }

  /** Resolves as soon as a condition holds. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#news.push(resolve));
  }

  /** Lets what is held go on. */
  release(): void {
    for (const hold of this.#holds.splice(0)) hold.resolve();
  }

  /** Breaks all connections, as a vendor that restarts does. */
  drop(): void {
    for (const socket of this.#raw) socket.destroy();
  }

  /** Ends everything; throws when something that was scripted never happened. */
  async close(): Promise<void> {
    this.release();
    for (const socket of this.#sockets) socket.terminate();
    this.#http.close();
    this.#http.closeAllConnections();
    this.drop();
    if (this.fates.length + this.statuses.length > 0) throw new Error("the script was not played to its end");
    await Promise.resolve();
  }

  /** Takes note of a text, and says what shall happen to it. */
  ask(asked: Asked): Fate | undefined {
    this.asked.push(asked);
    this.#tell();
    return this.fates.shift();
  }

  hold(): Promise<void> {
    const hold = deferred<void>();
    this.#holds.push(hold);
    return hold.promise;
  }

  note(what: "cancelled"): void {
    this[what] += 1;
    this.#tell();
  }

  #tell(): void {
    for (const tell of this.#news.splice(0)) tell();
  }

  #refusal(request: IncomingMessage): number | undefined {
    return this.statuses.shift() ?? (this.#dialect.authorized(request) ? undefined : 401);
  }

  async #answer(request: IncomingMessage, response: ServerResponse, answer: HttpAnswer | undefined): Promise<void> {
    const status = this.#refusal(request);
    const url = new URL(request.url ?? "/", "http://vendor");
    if (status !== undefined) response.writeHead(status).end();
    else if (request.method === "POST" && answer !== undefined) await answer(this, request, response);
    else {
      this.lists += 1;
      this.#tell();
      const list = this.#dialect.list(url);
      response.writeHead(list === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(list ?? {}));
    }
  }

  #converse(socket: WebSocket, raw: Socket, url: URL): void {
    this.#sockets.add(socket);
    let current: Asked | undefined;
    socket.on("error", () => undefined);
    socket.once("close", () => {
      this.#sockets.delete(socket);
      if (current !== undefined) this.note("cancelled");
      this.#tell();
    });
    const conversation = this.#dialect.connect(url);
    socket.on("message", (data: Buffer) => {
      const taken = conversation.take(data.toString("utf8"));
      if (taken === undefined) return;
      if (taken === "cancel") {
        this.note("cancelled");
        for (const message of this.#dialect.cancelled?.(current) ?? []) socket.send(message);
        current = undefined;
        return;
      }
      current = taken;
      void this.#speak(socket, raw, taken, () => current === taken).then(() => {
        if (current === taken) current = undefined;
      });
    });
  }

  async #speak(socket: WebSocket, raw: Socket, asked: Asked, wanted: () => boolean): Promise<void> {
    const fate = this.ask(asked);
    const { sound, words } = soundOf(asked.text, asked.format);
    const half = Math.floor(sound.length / 4) * 2;
    const send = (messages: readonly (string | Uint8Array)[]) => {
      for (const message of messages) socket.send(message);
    };
    if (fate === "silent") return this.hold();
    if (fate === "lost") raw.destroy();
    else if (fate === "half-closed") raw.end();
    else if (fate === "garbage") socket.send(this.#dialect.garbage);
    else if (fate === "refused") socket.send(this.#dialect.refusal);
    else {
      send(this.#dialect.chunk(asked, sound.subarray(0, half), words));
      if (fate === "held") await this.hold();
      // Let go of the processor, so that what was sent is on its way before the connection breaks.
      else await new Promise((resolve) => setImmediate(resolve));
      if (fate === "broken") raw.destroy();
      else if (wanted()) {
        send(this.#dialect.chunk(asked, sound.subarray(half), []));
        send(this.#dialect.done(asked));
      }
    }
  }
}

export type HttpAnswer = (server: SpeechServer, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A tone as long as the text, with the words shared out by letters. */
export const soundOf = (text: string, format: AudioFormat) => {
  const letters = text.length;
  const samples = tone(440, letters * LETTER_MS, format.sampleRate, 0.3);
  const sound = encodeSamples(format.encoding, samples).subarray(0, bytesOf(format, letters * LETTER_MS));
  const words: WordTiming[] = [...text.matchAll(/\S+/gu)].map(({ 0: word, index }) => {
    const startMs = index * LETTER_MS;
    return { text: word, startMs, endMs: startMs + word.length * LETTER_MS };
  });
  return { sound, words };
};
