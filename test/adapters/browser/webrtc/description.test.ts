import { expect, test } from "vitest";
import {
  addPublicCandidates,
  isUsable,
  offersOpus,
  publicCandidate,
  wishForSpeech,
} from "../../../../src/adapters/browser/webrtc/description.ts";

const OFFER = [
  "v=0",
  "a=ice-ufrag:8609",
  "a=ice-pwd:7bef8edfbd52a528009868",
  "a=fingerprint:sha-256 4B:57:B8:0A",
  "m=audio 9 UDP/TLS/RTP/SAVPF 111 126",
  "a=candidate:1 1 udp 2116026367 10.0.0.5 40001 typ host generation 0",
  "a=candidate:2 1 udp 2116026367 fd00::2 40002 typ host",
  "a=candidate:3 1 udp 1686052607 203.0.113.9 40001 typ srflx raddr 10.0.0.5 rport 40001",
  "a=rtpmap:111 opus/48000/2",
  "a=fmtp:111 minptime=10;useinbandfec=1",
  "a=rtpmap:126 telephone-event/8000",
  "",
].join("\r\n");

test("sound in Opus is told from other offers", () => {
  expect(offersOpus(OFFER)).toBe(true);
  expect(offersOpus(OFFER.replace("opus", "OPUS"))).toBe(true);
  expect(offersOpus(OFFER.replace("opus", "PCMU"))).toBe(false);
  expect(offersOpus(OFFER.replace("m=audio 9", "m=audio 0"))).toBe(false);
  expect(offersOpus(OFFER.replace("a=fingerprint", "a=other"))).toBe(false);
  expect(offersOpus("hello")).toBe(false);
});

test("the answer asks for mono, a rate that suits speech, and copies against loss", () => {
  const line = "a=fmtp:111 minptime=10;useinbandfec=1;stereo=1;sprop-stereo=0;maxaveragebitrate=28000;usedtx=0";
  expect(wishForSpeech(OFFER)).toContain(`\r\n${line}\r\na=rtpmap:126`);
  const bare = OFFER.replace("a=fmtp:111 minptime=10;useinbandfec=1\r\n", "");
  expect(wishForSpeech(bare)).toContain(`a=rtpmap:111 opus/48000/2\r\n${line}\r\n`);
  expect(wishForSpeech(OFFER).match(/a=fmtp/g)).toHaveLength(1);
});

test("a private address stands beside the public one that leads to it, of the same kind and port", () => {
  const sdp = addPublicCandidates(OFFER, "198.51.100.7");
  expect(sdp).toContain("a=candidate:1 1 udp 2116026367 198.51.100.7 40001 typ host generation 0\r\n");
  expect(sdp).toContain("10.0.0.5 40001 typ host");
  expect(sdp.match(/198\.51\.100\.7/g)).toHaveLength(1);
  expect(publicCandidate("candidate:1 1 tcp 1 10.0.0.5 9 typ host", "198.51.100.7")).toBeUndefined();
  expect(publicCandidate("candidate:1 1 udp 1 198.51.100.7 9 typ host", "198.51.100.7")).toBeUndefined();
});

test("the mark at the end of a list, and text of another form, are no candidates", () => {
  expect(isUsable({ candidate: "candidate:1 1 udp 2116026367 10.0.0.5 40001 typ host" })).toBe(true);
  expect(isUsable({ candidate: "" })).toBe(false);
  expect(isUsable({ candidate: "candidate:1 1 udp" })).toBe(false);
});
