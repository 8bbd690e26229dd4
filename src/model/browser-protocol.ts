import { Type, type Static } from "typebox";
import { DialStatusSchema, SystemResultTypeSchema } from "./call-end.ts";
import { LiveEventSchema } from "./live-event.ts";
import { Nullable } from "./nullable.ts";

/**
 * What a browser and the service say to each other on `/browser/<dialId>`. Text messages are JSON objects told apart by `type`;
 * binary messages are sound. Fields that are not listed are ignored, so that either side may be newer than the other.
 *
 *   client  auth ─► start ──────────────► binary sound, mark, digits, mute … ─► hang_up
 *                 └ offer, candidate … (WebRTC; sound then flows beside the socket)
 *   server  ready ─► started │ answer, candidate … ─► status, interim, transcript, turn, mark, clear … ─► bye
 */
export const BROWSER_SUBPROTOCOL = "call-engine.v1";

/** Longest text message, in bytes: a session description of a browser has about 4 kB. */
export const MOST_TEXT_BYTES = 64 * 1024;

/** Before each piece of sound, both ways: sequence number and timestamp, each a big-endian unsigned 32-bit integer. */
export const SOUND_HEADER_BYTES = 8;

const Mark = Type.String({ minLength: 1, maxLength: 100 });

/**
 * `pcm16`: signed 16-bit little-endian mono, 10 to 100 ms a message, timestamp in samples. `opus`: one Opus packet a message,
 * timestamp in samples at 48 kHz whatever the packet holds (RFC 7587). `webm`: the chunks of a `MediaRecorder` as they come, without
 * a header, towards the service only.
 */
const InputSchema = Type.Union([
  Type.Object({ format: Type.Enum(["pcm16"]), sampleRate: Type.Enum([8000, 16_000, 24_000, 48_000]) }),
  Type.Object({ format: Type.Enum(["opus", "webm"]) }),
]);
export type BrowserInput = Static<typeof InputSchema>;

const OutputSchema = Type.Union([
  Type.Object({ format: Type.Enum(["pcm16"]), sampleRate: Type.Enum([8000, 16_000, 24_000, 48_000]) }),
  Type.Object({ format: Type.Enum(["opus"]) }),
]);
export type BrowserOutput = Static<typeof OutputSchema>;

/** As `RTCIceCandidate.toJSON()` gives it; the empty candidate ends the list. */
export const IceCandidateSchema = Type.Object({
  candidate: Type.String({ maxLength: 2000 }),
  sdpMid: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  sdpMLineIndex: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 100 }))),
});
export type IceCandidate = Static<typeof IceCandidateSchema>;

const Sdp = Type.String({ minLength: 1, maxLength: 32_000, description: "A session description (RFC 8866)." });

export const ClientMessageSchema = Type.Union([
  Type.Object(
    { type: Type.Enum(["auth"]), token: Type.String({ maxLength: 4096, description: "The dial token." }) },
    { description: "The first message, unless the token came as a subprotocol." },
  ),
  Type.Object(
    { type: Type.Enum(["start"]), input: InputSchema, output: OutputSchema },
    { description: "Sound travels over this socket, in these formats. Takes the place of a WebRTC session." },
  ),
  Type.Object(
    { type: Type.Enum(["offer"]), sdp: Sdp },
    { description: "Sound travels by WebRTC; answered with `answer`. Takes the place of an earlier session." },
  ),
  Type.Object(
    { type: Type.Enum(["candidate"]), candidate: IceCandidateSchema },
    { description: "An ICE candidate of the client." },
  ),
  Type.Object(
    { type: Type.Enum(["digits"]), digits: Type.String({ pattern: "^[0-9*#A-D]{1,64}$" }) },
    { description: "Keys that the visitor pressed." },
  ),
  Type.Object(
    { type: Type.Enum(["mute"]), muted: Type.Boolean() },
    {
      description: "While muted, a client may send no sound at all; otherwise 3 s without sound count as a lost line.",
    },
  ),
  Type.Object(
    { type: Type.Enum(["mark"]), name: Mark },
    { description: "All sound that came before the server's mark of this name has been played." },
  ),
  Type.Object({ type: Type.Enum(["hang_up"]) }, { description: "The visitor ends the call." }),
]);
export type ClientMessage = Static<typeof ClientMessageSchema>;

export const ErrorCodeSchema = Type.Enum([
  "unauthorized",
  "forbidden",
  "token_used",
  "token_too_old",
  "dial_over",
  "busy",
  "bad_message",
  "media_failed",
  "unavailable",
]);
export type BrowserErrorCode = Static<typeof ErrorCodeSchema>;

export const ServerMessageSchema = Type.Union([
  Type.Object(
    {
      type: Type.Enum(["ready"]),
      dialId: Type.String(),
      resumed: Type.Boolean({ description: "The call was under way and goes on; send `start` or `offer` anew." }),
    },
    { description: "The token is good. Say how sound is to travel: `start` or `offer`." },
  ),
  Type.Object(
    { type: Type.Enum(["started"]), input: InputSchema, output: OutputSchema },
    { description: "Sound over this socket may begin." },
  ),
  Type.Object({ type: Type.Enum(["answer"]), sdp: Sdp }, { description: "The answer to `offer`." }),
  Type.Object(
    { type: Type.Enum(["candidate"]), candidate: IceCandidateSchema },
    { description: "An ICE candidate of the service." },
  ),
  ...LiveEventSchema.anyOf,
  Type.Object(
    { type: Type.Enum(["mark"]), name: Mark },
    { description: "Answer with the same `mark` once all sound that came before it has been played." },
  ),
  Type.Object(
    { type: Type.Enum(["clear"]) },
    { description: "Drop what was not played yet, and the marks that wait for it." },
  ),
  Type.Object(
    {
      type: Type.Enum(["error"]),
      code: ErrorCodeSchema,
      message: Type.String(),
      path: Type.Optional(
        Type.String({
          description: "Of `bad_message`: a JSON pointer to the field at fault; empty for the message as a whole.",
        }),
      ),
      retryAfterMs: Type.Optional(
        Type.Integer({ description: "When it is worth trying again; absent when it is not." }),
      ),
    },
    { description: "What went wrong. The socket closes after it, except after `media_failed` and `bad_message`." },
  ),
  Type.Object(
    {
      type: Type.Enum(["bye"]),
      status: DialStatusSchema,
      systemResultType: Nullable(SystemResultTypeSchema),
    },
    { description: "The call is over, and the socket closes." },
  ),
]);
export type ServerMessage = Static<typeof ServerMessageSchema>;
