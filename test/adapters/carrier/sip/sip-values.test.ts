import * as fc from "fast-check";
import { expect, test } from "vitest";
import { answerChallenge } from "../../../../src/adapters/carrier/sip/digest.ts";
import {
  describe as describeSound,
  parseDescription,
} from "../../../../src/adapters/carrier/sip/session-description.ts";
import { escapeUser, parseNameAddress, parseUri } from "../../../../src/adapters/carrier/sip/sip-address.ts";

test.each([
  ["sip:+12025550123@trunk.test", "+12025550123", "trunk.test", undefined],
  ["SIP:alice:secret@TRUNK.test:5070;transport=tcp?subject=x", "alice", "trunk.test", 5070],
  ["sip:trunk.test;lr", "", "trunk.test", undefined],
  ["sip:a%40b@192.0.2.1:5060", "a@b", "192.0.2.1", 5060],
  ["sip:+1202555;phone-context=x@trunk.test", "+1202555", "trunk.test", undefined],
  ["sips:a@[2001:db8::1]:5061", "a", "2001:db8::1", 5061],
  ["tel:+1-202-555-0123", "+12025550123", "", undefined],
])("%s is read", (text, user, host, port) => {
  expect(parseUri(text)).toMatchObject({ user, host, port });
});

test.each(["", "http://x", "sip:", "sip:a@", "sip:a@b:0", "sip:a@b:70000", "sip:%zz@b", "sip:a b@c"])(
  "%s is no address",
  (text) => {
    expect(parseUri(text)).toBeUndefined();
  },
);

test("names, brackets and parameters are told apart", () => {
  const named = parseNameAddress('"A; \\"B\\" <sip:no@where>" <sip:a@b;lr>;tag="x;y";flag');
  expect(named?.uri).toBe("sip:a@b;lr");
  expect([...(named?.params ?? [])]).toEqual([
    ["tag", "x;y"],
    ["flag", ""],
  ]);
  expect(parseNameAddress("sip:a@b;tag=1")).toMatchObject({ uri: "sip:a@b" });
  expect(parseNameAddress("<sip:a@b")).toBeUndefined();
});

test("any user's name survives the way into an address and back", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }), (name) => {
      // A colon or semicolon would end the name for those who read it.
      const plain = name.replaceAll(/[:;]/g, "");
      fc.pre(plain !== "");
      expect(parseUri(`sip:${escapeUser(plain)}@trunk.test`)?.user).toBe(plain);
    }),
    { numRuns: 200 },
  );
});

/** RFC 2617, section 3.5; by SHA-256 as Python computes it. */
const MUFASA = {
  challenge: (algorithm: string) =>
    `Digest realm="testrealm@host.com", qop="auth, auth-int", algorithm=${algorithm}, nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"`,
  user: { user: "Mufasa", password: "Circle Of Life" },
  request: { method: "GET", uri: "/dir/index.html", clientNonce: "0a4f113b" },
};

test.each([
  ["MD5", "6629fae49393a05397450978507c4ef1"],
  ["SHA-256", "5abdd07184ba512a22c53f41470e5eea7dcaa3a93a59b630c13dfe0a5dc6e38b"],
])("the digest of the standard's example comes out by %s", (algorithm, response) => {
  const { challenge, user, request } = MUFASA;
  const answer = answerChallenge([challenge(algorithm)], user, request);
  expect(answer).toContain(`response="${response}"`);
  expect(answer).toContain('opaque="5ccc069c403ebaf9f0171e9517f40e41"');
});

test("a challenge that cannot be answered is passed over", () => {
  const { challenge, user, request } = MUFASA;
  expect(answerChallenge(["Basic realm=x", challenge("SHA-512-256")], user, request)).toBeUndefined();
  expect(answerChallenge([challenge("SHA-512-256"), challenge("MD5")], user, request)).toContain("algorithm=MD5");
  expect(answerChallenge(['Digest realm="a", nonce="b"'], user, request)).not.toContain("qop");
});

const sdp = (...lines: readonly string[]): Uint8Array =>
  Buffer.from(`v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\n${lines.join("\r\n")}\r\n`);

test("a description's sound is found among its streams, and the others are refused", () => {
  const offer = parseDescription(
    sdp(
      "c=IN IP4 192.0.2.1",
      "t=0 0",
      "m=video 4000 RTP/AVP 96",
      "m=audio 4002 RTP/AVP 9 8 0 97",
      "c=IN IP4 192.0.2.9",
      "a=rtpmap:97 telephone-event/8000",
      "a=sendonly",
    ),
  );
  expect(offer).toMatchObject({ address: "192.0.2.9", port: 4002, direction: "sendonly", keys: 97 });
  expect(offer?.codecs.map(({ codec }) => codec)).toEqual(["alaw", "mulaw"]);
  const own = {
    address: "192.0.2.7",
    port: 6000,
    session: { id: 1, version: 2 },
    codecs: ["alaw"],
    keys: 97,
    direction: "recvonly",
  } as const;
  const answer = Buffer.from(describeSound(own, offer)).toString();
  expect(answer.indexOf("m=video 0 RTP/AVP 96")).toBeLessThan(answer.indexOf("m=audio 6000 RTP/AVP 8 97"));
  expect(parseDescription(Buffer.from(answer))).toMatchObject({
    address: "192.0.2.7",
    port: 6000,
    direction: "recvonly",
    keys: 97,
  });
});

test.each([
  ["nothing", Buffer.alloc(0)],
  ["no sound", sdp("c=IN IP4 192.0.2.1", "m=video 4000 RTP/AVP 96")],
  ["encrypted sound", sdp("c=IN IP4 192.0.2.1", "m=audio 4000 RTP/SAVP 0")],
  ["no address", sdp("m=audio 4000 RTP/AVP 0")],
  ["an address of IPv6", sdp("c=IN IP6 2001:db8::1", "m=audio 4000 RTP/AVP 0")],
  ["an address that is none", sdp("c=IN IP4 999.0.2.1", "m=audio 4000 RTP/AVP 0")],
  ["a port that is none", sdp("c=IN IP4 192.0.2.1", "m=audio 99999 RTP/AVP 0")],
  ["too much", sdp("c=IN IP4 192.0.2.1", "m=audio 4000 RTP/AVP 0", `a=${"x".repeat(20_000)}`)],
])("a description with %s is none", (_what, body) => {
  expect(parseDescription(body)).toBeUndefined();
});

test("a call that is held in the old way is held", () => {
  expect(parseDescription(sdp("c=IN IP4 0.0.0.0", "m=audio 4000 RTP/AVP 0"))?.direction).toBe("inactive");
});

test("descriptions by chance break nothing", () => {
  const line = fc.oneof(
    fc.constantFrom("m=audio 1 RTP/AVP 0", "c=IN IP4 192.0.2.1", "a=rtpmap:0 PCMU/8000", "a=sendonly"),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const offer = parseDescription(sdp(...lines));
      if (offer === undefined) return;
      const own = {
        address: "192.0.2.7",
        port: 6000,
        session: { id: 1, version: 1 },
        codecs: ["mulaw"],
        keys: offer.keys,
        direction: "sendrecv",
      } as const;
      expect(parseDescription(describeSound(own, offer))).toMatchObject({ port: 6000 });
    }),
    { numRuns: 500 },
  );
});
