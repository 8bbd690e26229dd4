import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer, type RawData } from "ws";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import assemblyai from "../../../src/adapters/transcriber/assemblyai/assemblyai.ts";
import flux from "../../../src/adapters/transcriber/deepgram/flux.ts";
import nova from "../../../src/adapters/transcriber/deepgram/nova.ts";
import openai from "../../../src/adapters/transcriber/openai/openai.ts";
import { sleep } from "../../../src/ports/clock.ts";
import type { Descriptor } from "../../../src/ports/descriptor.ts";
import type { Transcriber } from "../../../src/ports/transcriber.ts";
import { adapterDeps } from "../../kit/adapter-deps.ts";
import { serveAssembly } from "../../kit/vendors/assemblyai-vendor.ts";
import { KEY, serveFlux, serveNova } from "../../kit/vendors/deepgram-vendors.ts";
import { serveRealtime } from "../../kit/vendors/openai-vendor.ts";
import type { ScriptedVendor } from "../../kit/vendors/scripted-vendor.ts";
import { HeardRounds, SETTLE_MS } from "./heard-rounds.ts";
import { pair, type Paired, type Way } from "./paired.ts";

type Vendor = Readonly<{
  descriptor: Descriptor<Transcriber>;
  prefix: string;
  serve(): Promise<ScriptedVendor>;
  /** What the vendor wants at a time, in milliseconds. */
  pieceMs: number;
  /** Whether a message is the last of a round. */
  isLast(message: string): boolean;
}>;

const VENDORS: readonly Vendor[] = [
  {
    descriptor: nova,
    prefix: "DEEPGRAM",
    serve: serveNova,
    pieceMs: 20,
    isLast: (text) => text.includes('"is_final":true'),
  },
  { descriptor: flux, prefix: "DEEPGRAM", serve: serveFlux, pieceMs: 80, isLast: (text) => text.includes("EndOfTurn") },
  {
    descriptor: openai,
    prefix: "OPENAI",
    serve: serveRealtime,
    pieceMs: 20,
    isLast: (text) => text.includes("transcription.completed"),
  },
  {
    descriptor: assemblyai,
    prefix: "ASSEMBLYAI",
    serve: serveAssembly,
    pieceMs: 60,
    isLast: (text) => text.includes('"end_of_turn":true'),
  },
];

/**
 * What transcribers over websockets take from a piece of sound until its text, at vendors on loopback that know the word at once; beside a
 * client that sends the very messages that the adapter sent.
 */
export async function* measureTranscribers(rounds: number): AsyncGenerator<Paired> {
  for (const { descriptor, prefix, serve, pieceMs, isLast } of VENDORS) {
    const server = await serve();
    const tap = await tapped(server.url);
    const make = (url: string) =>
      descriptor.create(
        { [`${prefix}_API_KEY`]: KEY, [`${prefix}_BASE_URL`]: url },
        adapterDeps({ clock: new SystemClock() }),
      );
    // One round through the tap tells what goes over the wire.
    const watched = await make(tap.url);
    const round = new HeardRounds(watched, pieceMs);
    await round.prepare();
    const said: Said = { before: tap.take(), timed: [], after: [] };
    const rest = await round.next();
    const timed = tap.take();
    await rest(false);
    const after = tap.take();
    await watched.close();
    const made = await make(server.url);
    const heard = new HeardRounds(made, pieceMs);
    await heard.prepare();
    const bare = await replaying(server.url, tap.opened, { ...said, timed, after }, isLast);
    yield await pair(`transcriber ${descriptor.name}`, rounds, heard.next, bare.next);
    bare.close();
    await made.close();
    tap.close();
    await server.close();
  }
}

/** Messages of a round; the first of `before` open the conversation where they are JSON of another kind than sound. */
type Said = Readonly<{ before: readonly Message[]; timed: readonly Message[]; after: readonly Message[] }>;
type Message = string | Buffer;
type Opened = { path: string; headers: Readonly<Record<string, string>> };

/** Stands between an adapter and its vendor, and writes down what the adapter says. */
const tapped = async (vendorUrl: string) => {
  const proxy = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  let messages: Message[] = [];
  const opened: Opened = { path: "", headers: {} };
  proxy.on("connection", (client, { url = "", headers: { authorization = "" } }) => {
    Object.assign(opened, { path: url, headers: { authorization } });
    const vendor = new WebSocket(`${new URL(vendorUrl).origin.replace("http", "ws")}${url}`, {
      headers: { authorization },
    });
    const open = once(vendor, "open");
    client.on("message", (data: RawData, binary) => {
      const message = binary ? (data as Buffer) : (data as Buffer).toString();
      messages.push(message);
      void open.then(() => vendor.send(message));
    });
    vendor.on("message", (data: RawData, binary) => client.send(data, { binary }));
    client.on("close", () => vendor.close());
  });
  return {
    url: `http://127.0.0.1:${port}${new URL(vendorUrl).pathname.replace(/\/$/u, "")}`,
    opened,
    take: () => {
      const taken = messages;
      messages = [];
      return taken;
    },
    close: () => proxy.close(),
  };
};

/** A client that only sends messages, and takes what comes. */
const replaying = async (
  vendorUrl: string,
  { path, headers }: Opened,
  { before, timed, after }: Said,
  isLast: (message: string) => boolean,
) => {
  const socket = new WebSocket(`${new URL(vendorUrl).origin.replace("http", "ws")}${path}`, { headers });
  await once(socket, "open");
  const clock = new SystemClock();
  let arrived: (message: string) => void = () => undefined;
  socket.on("message", (data: Buffer) => {
    arrived(data.toString());
  });
  const until = (wanted: (message: string) => boolean) =>
    new Promise<void>((resolve) => {
      arrived = (message) => {
        if (wanted(message)) resolve();
      };
    });
  const send = (messages: readonly Message[]) => {
    for (const message of messages) socket.send(message);
  };
  const [setup, ...others] = before;
  // What configures a session goes once.
  const configures = typeof setup === "string" && setup.includes("session.update");
  if (configures) send([setup]);
  const prepare = async () => {
    send(configures ? others : before);
    await sleep(clock, SETTLE_MS);
  };
  await prepare();
  const next: Way = async () => {
    const first = until(() => true);
    send(timed);
    await first;
    return async () => {
      const last = until(isLast);
      send(after);
      await last;
      await prepare();
    };
  };
  return { next, close: () => socket.close() };
};
