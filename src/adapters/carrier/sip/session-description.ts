/** Which way sound goes, as the side says that describes itself (RFC 3264). */
export type Direction = "sendrecv" | "sendonly" | "recvonly" | "inactive";

export type SoundCodec = "mulaw" | "alaw";

/** What a side of a call says of its sound. */
export type SoundDescription = Readonly<{
  /** Where it hears. */
  address: string;
  /** 0: it wants no sound at all. */
  port: number;
  direction: Direction;
  /** In the order of its liking, with their payload types. */
  codecs: readonly Readonly<{ codec: SoundCodec; payloadType: number }>[];
  /** Payload type of keys (RFC 4733). */
  keys: number | undefined;
  /** The kinds of its other streams, in order, which are to be refused; and which place the sound has among them. */
  others: readonly Readonly<{ at: number; line: string }>[];
}>;

/** Reads an SDP body; `undefined` when it describes no sound over RTP to an IPv4 address. */
export const parseDescription = (body: Uint8Array): SoundDescription | undefined => {
  if (body.length === 0 || body.length > MOST_BYTES) return undefined;
  const lines = Buffer.from(body).toString("utf8").split(/\r?\n/);
  const from = lines.findIndex((line) => line.startsWith("m="));
  if (from === -1 || !lines[0]?.startsWith("v=0")) return undefined;
  const session = lines.slice(0, from);
  const media = sectionsOf(lines.slice(from));
  const at = media.findIndex(([first = ""]) => AUDIO.test(first));
  const sound = media[at];
  const found = AUDIO.exec(sound?.[0] ?? "");
  if (sound === undefined || found === null) return undefined;
  const address = addressOf(sound) ?? addressOf(session);
  const port = Number(found[1]);
  if (address === undefined || port > 65_535) return undefined;
  const types = (found[2] ?? "").trim().split(/\s+/).map(Number);
  const said = directionOf(sound) ?? directionOf(session) ?? "sendrecv";
  return {
    address,
    port,
    // How calls were held before RFC 3264.
    direction: address === "0.0.0.0" ? "inactive" : said,
    codecs: codecsOf(types, sound),
    keys: types.find((type) => rtpmapOf(sound, type) === "telephone-event/8000"),
    others: media.flatMap(([line = ""], place) => (place === at ? [] : [{ at: place, line: refusedLine(line) }])),
  };
};

/** Our own description: what we offer, or answer to `offer`. */
export const describe = (
  own: Readonly<{
    address: string;
    port: number;
    session: Readonly<{ id: number; version: number }>;
    codecs: readonly SoundCodec[];
    keys: number | undefined;
    direction: Direction;
  }>,
  offer?: SoundDescription,
): Uint8Array => {
  const { address, port, session, codecs, keys, direction } = own;
  const types = codecs.map((codec) => ({
    codec,
    type: offer?.codecs.find((each) => each.codec === codec)?.payloadType ?? STATIC[codec],
  }));
  const sound = [
    `m=audio ${port} RTP/AVP ${[...types.map(({ type }) => type), ...(keys === undefined ? [] : [keys])].join(" ")}`,
    ...types.map(({ codec, type }) => `a=rtpmap:${type} ${NAMES[codec]}/8000`),
    ...(keys === undefined ? [] : [`a=rtpmap:${keys} telephone-event/8000`, `a=fmtp:${keys} 0-15`]),
    "a=ptime:20",
    `a=${direction}`,
  ];
  const media = [sound.join("\r\n")];
  for (const { at, line } of offer?.others ?? []) media.splice(at, 0, line);
  const head = ["v=0", `o=- ${session.id} ${session.version} IN IP4 ${address}`, "s=-", `c=IN IP4 ${address}`, "t=0 0"];
  return Buffer.from(`${[...head, ...media].join("\r\n")}\r\n`, "utf8");
};

/** What is answered to a direction. */
export const mirrored = (direction: Direction): Direction => MIRRORED[direction];

const MIRRORED: Readonly<Record<Direction, Direction>> = {
  sendrecv: "sendrecv",
  sendonly: "recvonly",
  recvonly: "sendonly",
  inactive: "inactive",
};

const MOST_BYTES = 16 * 1024;
const MOST_STREAMS = 16;

/** RFC 3551. */
const STATIC: Readonly<Record<SoundCodec, number>> = { mulaw: 0, alaw: 8 };
const NAMES: Readonly<Record<SoundCodec, string>> = { mulaw: "PCMU", alaw: "PCMA" };

const AUDIO = /^m=audio (\d{1,5})(?:\/\d+)? RTP\/AVP((?: \d{1,3})+)\s*$/;

const sectionsOf = (lines: readonly string[]): readonly (readonly string[])[] => {
  const sections: string[][] = [];
  for (const line of lines)
    if (line.startsWith("m=")) sections.push([line]);
    else sections.at(-1)?.push(line);
  return sections.slice(0, MOST_STREAMS);
};

const addressOf = (lines: readonly string[]): string | undefined => {
  for (const line of lines) {
    const found = /^c=IN IP4 (\d{1,3}(?:\.\d{1,3}){3})(?:\/\d+)?\s*$/.exec(line);
    if (found !== null && (found[1] ?? "").split(".").every((part) => Number(part) < 256)) return found[1];
  }
  return undefined;
};

const directionOf = (lines: readonly string[]): Direction | undefined => {
  for (const line of lines) {
    const found = /^a=(sendrecv|sendonly|recvonly|inactive)\s*$/.exec(line);
    if (found !== null) return found[1] as Direction;
  }
  return undefined;
};

const codecsOf = (types: readonly number[], sound: readonly string[]): SoundDescription["codecs"] =>
  types.flatMap((payloadType): SoundDescription["codecs"] => {
    const name = rtpmapOf(sound, payloadType);
    if (name === "pcmu/8000" || (name === undefined && payloadType === STATIC.mulaw))
      return [{ codec: "mulaw", payloadType }];
    if (name === "pcma/8000" || (name === undefined && payloadType === STATIC.alaw))
      return [{ codec: "alaw", payloadType }];
    return [];
  });

const rtpmapOf = (sound: readonly string[], type: number): string | undefined => {
  for (const line of sound) {
    const found = /^a=rtpmap:(\d{1,3}) ([\w.-]+\/\d{1,6})(?:\/1)?\s*$/.exec(line);
    if (found !== null && Number(found[1]) === type) return found[2]?.toLowerCase();
  }
  return undefined;
};

/** The same line with port 0. */
const refusedLine = (line: string): string => line.replace(/^(m=\S+) \d+(?:\/\d+)?/, "$1 0").trimEnd();
