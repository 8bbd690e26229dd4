/** What the carrier's side of a media stream says, reduced to what is used. */
export type StreamMessage =
  | Readonly<{ event: "connected" | "stop" | "unknown" }>
  | Readonly<{
      event: "start";
      streamSid: string;
      callSid: string;
      encoding: string;
      sampleRate: number;
      channels: number;
    }>
  | Readonly<{ event: "media"; track: string; timestampMs: number; payload: string }>
  | Readonly<{ event: "dtmf"; digit: string }>
  | Readonly<{ event: "mark"; name: string }>;

/**
 * Reads a message of the media-stream protocol; `undefined` when it is malformed. Counters may be decimal strings or
 * numbers, since dialects differ. Media in the usual form is recognised without parsing JSON.
 */
export const readStreamMessage = (text: string): StreamMessage | undefined => scanMedia(text) ?? messageOf(parse(text));

/**
 * Reads a media message in exactly the form that the carrier writes; anything else gives `undefined`. The pattern spans the whole
 * text and admits no escapes, so that it cannot disagree with a JSON parser: one scan is 0.16 µs where parsing takes 0.6.
 */
export const scanMedia = (text: string): StreamMessage | undefined => {
  const found = MEDIA.exec(text);
  return found === null
    ? undefined
    : { event: "media", track: found[1] as string, timestampMs: Number(found[2]), payload: found[3] as string };
};

const MEDIA =
  /^\{"event":"media","sequenceNumber":"\d{1,15}","media":\{"track":"([a-z_]{1,20})","chunk":"\d{1,15}","timestamp":"(\d{1,12})","payload":"([A-Za-z0-9+/=]*)"\},"streamSid":"\w{0,64}"\}$/;

type Fields = Readonly<Record<string, unknown>>;

const parse = (text: string): Fields | undefined => {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
};

const messageOf = (message: Fields | undefined): StreamMessage | undefined => {
  if (message === undefined || typeof message["event"] !== "string") return undefined;
  switch (message["event"]) {
    case "connected":
    case "stop":
      return { event: message["event"] };
    case "start":
      return startOf(message, fieldsOf(message["start"]));
    case "media":
      return mediaOf(fieldsOf(message["media"]));
    case "dtmf":
      return digitOf(fieldsOf(message["dtmf"]));
    case "mark": {
      const name = fieldsOf(message["mark"])?.["name"];
      return typeof name === "string" ? { event: "mark", name } : undefined;
    }
    default:
      return { event: "unknown" };
  }
};

const startOf = (message: Fields, start: Fields | undefined): StreamMessage | undefined => {
  const format = fieldsOf(start?.["mediaFormat"]);
  const streamSid = message["streamSid"] ?? start?.["streamSid"];
  const callSid = start?.["callSid"];
  const sampleRate = numberOf(format?.["sampleRate"]);
  const encoding = format?.["encoding"];
  if (!isId(streamSid) || !isId(callSid) || typeof encoding !== "string" || sampleRate === undefined) return undefined;
  return { event: "start", streamSid, callSid, encoding, sampleRate, channels: numberOf(format?.["channels"]) ?? 1 };
};

const mediaOf = (media: Fields | undefined): StreamMessage | undefined => {
  const { payload, track = "inbound" } = media ?? {};
  const timestampMs = numberOf(media?.["timestamp"]);
  if (typeof payload !== "string" || typeof track !== "string" || timestampMs === undefined) return undefined;
  return { event: "media", track, timestampMs, payload };
};

const digitOf = (dtmf: Fields | undefined): StreamMessage | undefined => {
  const digit = dtmf?.["digit"];
  return typeof digit === "string" && /^[0-9*#A-D]$/.test(digit) ? { event: "dtmf", digit } : undefined;
};

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

/** Ids are echoed in every message that we send, so they may hold nothing that JSON would have to escape. */
const isId = (value: unknown): value is string => typeof value === "string" && /^[\w-]{1,64}$/.test(value);

/** A counter: whole, at most 12 digits (31 years in milliseconds). */
const numberOf = (value: unknown): number | undefined => {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
};
