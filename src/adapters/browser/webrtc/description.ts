import type { IceCandidate } from "../../../model/browser-protocol.ts";

/**
 * What the sender of the answer can make use of: speech, and copies of lost frames. Browsers send up to 96 kbit/s unless told. What they
 * are to send in mono they code in the mode for telephony, which takes away the low end and bends the waveform (by correlation, 0.93 is
 * left of it at any rate); in stereo they keep it (0.99 and more), and both sides being alike costs no bits. We send mono.
 */
const OPUS_WISHES = {
  minptime: "10",
  useinbandfec: "1",
  stereo: "1",
  "sprop-stereo": "0",
  maxaveragebitrate: "28000",
  usedtx: "0",
};

/** Whether a session description offers sound in Opus, from a peer that says how it is reached and known. */
export const offersOpus = (sdp: string): boolean => NEEDED.every((line) => line.test(sdp));

/** Without a fingerprint, whoever stands in between could take the sound over (RFC 8827, section 6.5). */
const NEEDED = [
  /^m=audio [1-9]/m,
  /^a=rtpmap:\d+ opus\/48000/im,
  /^a=ice-ufrag:\S/m,
  /^a=ice-pwd:\S/m,
  /^a=fingerprint:\S+ \S/m,
];

/** A session description that asks for Opus as it suits speech. */
export const wishForSpeech = (sdp: string): string => {
  const type = /^a=rtpmap:(\d+) opus\/48000/im.exec(sdp)?.[1];
  if (type === undefined) return sdp;
  const wishes = `a=fmtp:${type} ${Object.entries(OPUS_WISHES)
    .map(([name, value]) => `${name}=${value}`)
    .join(";")}`;
  const present = new RegExp(`^a=fmtp:${type} .*$`, "m");
  if (present.test(sdp)) return sdp.replace(present, wishes);
  return sdp.replace(new RegExp(`^a=rtpmap:${type} .*$`, "m"), (line) => `${line}\r\n${wishes}`);
};

/**
 * The candidate as the world sees it, when it names a private address of ours and `publicAddress` leads to it port by port;
 * `undefined` for candidates that stay as they are.
 */
export const publicCandidate = (candidate: string, publicAddress: string): string | undefined => {
  const parts = candidate.split(" ");
  const [protocol, address, type] = [parts[2], parts[4], parts[7]];
  if (protocol?.toLowerCase() !== "udp" || type !== "host" || address === undefined) return undefined;
  if (address.includes(":") !== publicAddress.includes(":") || address === publicAddress) return undefined;
  parts[4] = publicAddress;
  return parts.join(" ");
};

/** A session description in which every candidate stands also as the world sees it. */
export const addPublicCandidates = (sdp: string, publicAddress: string): string =>
  sdp.replaceAll(/^a=(candidate:.*?)(\r?)$/gm, (line: string, candidate: string, end: string) => {
    const outside = publicCandidate(candidate, publicAddress);
    return outside === undefined ? line : `${line}\na=${outside}${end}`;
  });

/** Whether a candidate is one that an agent can make use of: not the mark at the end of the list, and of a known form. */
export const isUsable = ({ candidate }: IceCandidate): boolean =>
  /^(?:a=)?candidate:\S+ \d+ \S+ \d+ \S+ \d+ typ \S+/i.test(candidate);
