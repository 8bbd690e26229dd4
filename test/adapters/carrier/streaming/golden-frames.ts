import { PlivoDialect } from "../../../../src/adapters/carrier/plivo/stream-dialect.ts";
import type { Dialect } from "../../../../src/adapters/carrier/streaming/dialect.ts";
import { TelnyxDialect } from "../../../../src/adapters/carrier/telnyx/stream-dialect.ts";
import { TwilioDialect } from "../../../../src/adapters/carrier/twilio/stream-dialect.ts";
import { VonageDialect } from "../../../../src/adapters/carrier/vonage/stream-dialect.ts";

/** What a carrier sends in a call, one message of each kind; the first starts the stream. */
export type GoldenFrames = Readonly<{
  name: string;
  make(): Dialect;
  messages: readonly [start: Buffer, ...others: Buffer[]];
}>;

const MULAW = Buffer.alloc(160, 0x9e).toString("base64");
const LINEAR = Buffer.from(Int16Array.from({ length: 320 }, (_, index) => 8000 * Math.sin(index / 9)).buffer).toString(
  "base64",
);

const text = (message: object): Buffer => Buffer.from(JSON.stringify(message));

const twilio = (sequenceNumber: string, event: string, rest: object): Buffer =>
  text({ event, sequenceNumber, ...rest, streamSid: "MZ18ad3ab5a668481ce02b83e7395059f0" });

const telnyx = (sequence_number: string, event: string, rest: object): Buffer =>
  text({ event, sequence_number, stream_id: "32de0dea-53cb-4b21-89a4-9e1819c043bc", ...rest });

const telnyxStart = (encoding: string, sample_rate: number): Buffer =>
  telnyx("1", "start", {
    start: {
      call_control_id: "v3:T02llQxIyaRkhfRKxgAP8nY511EhFLizdvdUKJiSw8d6A9BborherQ",
      client_state: "ZA==",
      media_format: { encoding, sample_rate, channels: 1 },
    },
  });

const plivo = (sequenceNumber: number, event: string, rest: object): Buffer =>
  text({ sequenceNumber, event, streamId: "b77e037d-4119-44b5-902d-25826b654539", ...rest });

export const GOLDEN_FRAMES: readonly GoldenFrames[] = [
  {
    name: "twilio",
    make: () => new TwilioDialect(),
    messages: [
      twilio("1", "start", {
        start: {
          accountSid: "AC1",
          callSid: "CA1",
          streamSid: "MZ18ad3ab5a668481ce02b83e7395059f0",
          tracks: ["inbound"],
          mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 },
        },
      }),
      twilio("4", "media", { media: { track: "inbound", chunk: "2", timestamp: "5", payload: MULAW } }),
      twilio("5", "dtmf", { dtmf: { track: "inbound_track", digit: "5" } }),
      twilio("6", "mark", { mark: { name: "1" } }),
      twilio("7", "stop", { stop: { accountSid: "AC1", callSid: "CA1" } }),
    ],
  },
  {
    name: "telnyx, G.711",
    make: () => new TelnyxDialect({ codec: "PCMU", byteOrder: "auto" }),
    messages: [
      telnyxStart("PCMA", 8000),
      telnyx("4", "media", { media: { track: "inbound", chunk: "2", timestamp: "40", payload: MULAW } }),
      telnyx("5", "dtmf", { occurred_at: "2026-01-05T09:00:00Z", dtmf: { digit: "1" } }),
      telnyx("6", "mark", { mark: { name: "1" } }),
      telnyx("7", "error", { payload: { code: 100_004, title: "Malformed frame", detail: "" } }),
      telnyx("8", "stop", { stop: { user_id: "3e6f995f" } }),
    ],
  },
  {
    name: "telnyx, L16",
    make: () => new TelnyxDialect({ codec: "L16", byteOrder: "auto" }),
    messages: [
      telnyxStart("L16", 16_000),
      telnyx("4", "media", { media: { track: "inbound", chunk: "2", timestamp: "40", payload: LINEAR } }),
      telnyx("6", "mark", { mark: { name: "1" } }),
    ],
  },
  {
    name: "vonage",
    make: () => new VonageDialect(),
    messages: [
      text({ event: "websocket:connected", "content-type": "audio/l16;rate=16000", callId: "aaaaaaaa-bbbb" }),
      Buffer.from(LINEAR, "base64"),
      text({ event: "websocket:dtmf", digit: "7", duration: 260 }),
      text({ event: "websocket:notify", payload: { mark: "1" } }),
      text({ event: "websocket:cleared" }),
    ],
  },
  {
    name: "plivo",
    make: () => new PlivoDialect(),
    messages: [
      plivo(0, "start", {
        start: {
          callId: "8f2d1e3a-call",
          streamId: "b77e037d-4119-44b5-902d-25826b654539",
          mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000 },
        },
        extra_headers: '{"dial":"1"}',
      }),
      plivo(2, "media", { media: { track: "inbound", timestamp: "1678957200000", chunk: 1, payload: MULAW } }),
      plivo(3, "dtmf", { dtmf: { track: "inbound", digit: "5", timestamp: 1 } }),
      plivo(4, "playedStream", { name: "1" }),
      plivo(5, "clearedAudio", {}),
      plivo(6, "stop", {}),
    ],
  },
];
