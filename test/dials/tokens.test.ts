import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createCallbackTokens } from "../../src/dials/callback-token.ts";
import { deriveKey } from "../../src/dials/derive-key.ts";
import { createDialTokens, looksLikeDialToken } from "../../src/dials/dial-token.ts";
import { fingerprintOf } from "../../src/dials/fingerprint.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const tokens = (deploymentSecret = "secret") => {
  const clock = new VirtualClock();
  return { clock, ...createDialTokens({ deploymentSecret, clock, random: new SeededRandom() }) };
};

test("a token tells its dial, its own name and when it was made", async () => {
  const { clock, mint, verify } = tokens();
  const first = mint("dial with: odd/characters", 60_000);
  const second = mint("d1", 60_000);
  expect(looksLikeDialToken(first)).toBe(true);
  const claims = await verify(first);
  expect(claims).toEqual({
    dialId: "dial with: odd/characters",
    tokenId: expect.stringMatching(/^[\w-]{22}$/),
    issuedAt: clock.now(),
  });
  expect((await verify(second))?.tokenId).not.toBe(claims?.tokenId);
});

test("another deployment's token is not taken", async () => {
  expect(await tokens("other").verify(tokens().mint("d1", 60_000))).toBeUndefined();
});

test("whatever is not a token is not taken, and does not throw", async () => {
  const { verify } = tokens();
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.base64String(),
        fc.jsonValue().map((value) => JSON.stringify(value)),
      ),
      async (text) => {
        expect(await verify(text)).toBeUndefined();
        expect(await verify(`${text}.${text}.${text}`)).toBeUndefined();
      },
    ),
    { numRuns: 500 },
  );
});

test("API keys do not look like dial tokens", () => {
  for (const key of ["sk_live_0123456789", "eyJhbGciOiJIUzI1NiJ9", "a.b.c"])
    expect(looksLikeDialToken(key)).toBe(false);
});

test("each purpose has a key of its own", () => {
  const keys = (["dial-token", "page-cursor", "carrier-callback"] as const).map((purpose) =>
    deriveKey("secret", purpose).export().toString("hex"),
  );
  expect(new Set(keys).size).toBe(3);
  expect(keys.every((key) => key.length === 64)).toBe(true);
});

test("a callback URL is good for its carrier and dial, and survives odd names", () => {
  const callbacks = createCallbackTokens("secret");
  fc.assert(
    fc.property(fc.webSegment(), fc.string({ unit: "grapheme" }), (carrier, dialId) => {
      const url = callbacks.statusUrl("https://calls.test", carrier, dialId);
      const token = url.slice(url.lastIndexOf("/") + 1);
      expect(URL.canParse(url)).toBe(true);
      expect(callbacks.verify(carrier, dialId, token)).toBe(true);
      expect(callbacks.verify(carrier, `${dialId}x`, token)).toBe(false);
      expect(callbacks.verify(`${carrier}x`, dialId, token)).toBe(false);
      expect(createCallbackTokens("other").verify(carrier, dialId, token)).toBe(false);
    }),
    { numRuns: 200 },
  );
});

test("a fingerprint depends on the value and not on the order of members", () => {
  const reverse = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reverse);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([name, inner]) => [name, reverse(inner)]),
    );
  };
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(fingerprintOf(reverse(a))).toBe(fingerprintOf(a));
      if (fingerprintOf(a) === fingerprintOf(b)) expect(JSON.stringify(a)).toHaveLength(JSON.stringify(b).length);
    }),
    { numRuns: 500 },
  );
  expect(fingerprintOf({ a: { 0: 1 } })).not.toBe(fingerprintOf({ a: [1] }));
  expect(fingerprintOf({ entries: [["a", 1]] })).not.toBe(fingerprintOf({ a: 1 }));
});
