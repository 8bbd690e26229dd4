import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { machineMs } from "../../../src/adapters/clock/machine.ts";
import { SILENT_FRAME } from "./spoken-frames.ts";

const FRAME_MS = 20;

/** Payload of a message of a client: masked (RFC 6455, 5.3), with zeros, which leave it as it is. */
const MASKED_16_BIT = 0x80 | 126;
const LONGEST_TINY = 125;

/**
 * A caller who sends a frame whenever `tick` is called, and takes the time until it comes back. On a bare connection and with
 * messages that are made once for all callers: five hundred of them are to fit onto one core.
 */
export class EchoPhone {
  readonly #socket: Socket;
  readonly #sentAt: number[] = [];
  readonly #roundTrips: number[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #sent = 0;
  #answered = 0;
  #closed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (data: Buffer) => this.#read(data));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      this.#closed = true;
    });
  }

  /** Opens a media stream; `url` is a websocket's. */
  static async open(url: string, callId: string): Promise<EchoPhone> {
    const { hostname, port, pathname } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    const key = randomBytes(16).toString("base64");
    const wishes = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}`;
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${wishes}\r\n\r\n`);
    const [answer] = (await once(socket, "data")) as [Buffer];
    if (!answer.toString("latin1").startsWith("HTTP/1.1 101 ")) throw new Error(`${url} takes no media streams`);
    const mediaFormat = { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 };
    const start = { streamSid: STREAM, accountSid: "AC1", callSid: callId, tracks: ["inbound"], mediaFormat };
    const phone = new EchoPhone(socket);
    phone.#say({ event: "connected", protocol: "Call", version: "1.0.0" });
    phone.#say({ event: "start", sequenceNumber: "1", streamSid: STREAM, start });
    return phone;
  }

  /** Milliseconds from a frame's being written to its being read again, since the last time this was asked. */
  roundTrips(): readonly number[] {
    return this.#roundTrips.splice(0);
  }

  /** Frames that are on their way, or lost. */
  get owed(): number {
    return this.#sent - this.#answered;
  }

  get closed(): boolean {
    return this.#closed;
  }

  tick(): void {
    if (this.#closed) return;
    this.#sent += 1;
    this.#sentAt.push(machineMs());
    this.#socket.write(frameOf(this.#sent));
  }

  hangUp(): void {
    this.#socket.destroy();
  }

  #say(message: object): void {
    this.#socket.write(framed(JSON.stringify(message)));
  }

  #read(data: Buffer): void {
    const now = machineMs();
    let bytes = this.#rest.length === 0 ? data : Buffer.concat([this.#rest, data]);
    for (let length = lengthOf(bytes); length !== undefined && bytes.length >= length; length = lengthOf(bytes)) {
      this.#heard(bytes.subarray(0, length), now);
      bytes = bytes.subarray(length);
    }
    this.#rest = bytes;
  }

  /** Answers come in the order of the frames. */
  #heard(message: Buffer, now: number): void {
    if (!message.includes(SILENT_FRAME)) return;
    this.#answered += 1;
    this.#roundTrips.push(now - (this.#sentAt.shift() ?? now));
  }
}

const STREAM = "MZ0";

/** The frames of every call, by their number: all callers send the same. */
const FRAMES: Buffer[] = [];

const frameOf = (number: number): Buffer =>
  (FRAMES[number] ??= framed(
    `{"event":"media","sequenceNumber":"${number + 1}","media":{"track":"inbound","chunk":"${number}","timestamp":"${number * FRAME_MS}","payload":"${SILENT_FRAME}"},"streamSid":"${STREAM}"}`,
  ));

/** A text of at most 65 535 bytes as a client's message. */
const framed = (text: string): Buffer => {
  const payload = Buffer.from(text);
  const header =
    payload.length <= LONGEST_TINY
      ? [0x81, 0x80 | payload.length]
      : [0x81, MASKED_16_BIT, payload.length >> 8, payload.length & 0xff];
  return Buffer.concat([Buffer.from([...header, 0, 0, 0, 0]), payload]);
};

/** Bytes of a server's message with its header; `undefined` before they are known. Messages here are shorter than 65 536 bytes. */
const lengthOf = (bytes: Buffer): number | undefined => {
  const tiny = bytes[1];
  if (tiny === undefined) return undefined;
  if (tiny <= LONGEST_TINY) return 2 + tiny;
  return bytes.length < 4 ? undefined : 4 + bytes.readUInt16BE(2);
};
