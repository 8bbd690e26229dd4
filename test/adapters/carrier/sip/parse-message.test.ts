import * as fc from "fast-check";
import { expect, test } from "vitest";
import { MessageStream } from "../../../../src/adapters/carrier/sip/message-stream.ts";
import {
  cseqOf,
  headerOf,
  headersOf,
  serializeMessage,
  sipRequest,
  sipResponse,
  type SipHeader,
} from "../../../../src/adapters/carrier/sip/message.ts";
import { parseMessage } from "../../../../src/adapters/carrier/sip/parse-message.ts";

const bytes = (...lines: readonly string[]): Uint8Array => Buffer.from(lines.join("\r\n"), "utf8");

const INVITE = [
  "INVITE sip:+12025550123@trunk.test SIP/2.0",
  "Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK1",
  "From: <sip:a@trunk.test>;tag=1",
  "To: <sip:b@trunk.test>",
  "Call-ID: one@192.0.2.1",
  "CSeq: 1 INVITE",
];

test("fields may be short, folded, in any case, with blanks, and twice", () => {
  const parsed = parseMessage(
    bytes(
      "INVITE sip:b@trunk.test SIP/2.0",
      "v : SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1 , SIP/2.0/TCP 192.0.2.2;branch=z9hG4bK2",
      "VIA: SIP/2.0/UDP 192.0.2.3;branch=z9hG4bK3",
      'f: "a, \\"b\\" <c>"',
      "   <sip:a@trunk.test>;tag=1",
      "t:<sip:b@trunk.test>",
      "i: one",
      "CSEQ:\t1  INVITE",
      "l: 4",
      "",
      "bodymore",
    ),
  );
  if (parsed?.type !== "request") throw new Error("not read");
  expect(headersOf(parsed, "via")).toHaveLength(3);
  expect(headerOf(parsed, "from")).toBe('"a, \\"b\\" <c>" <sip:a@trunk.test>;tag=1');
  expect(cseqOf(parsed)).toEqual({ number: 1, method: "INVITE" });
  expect(Buffer.from(parsed.body).toString()).toBe("body");
});

test.each([
  ["nothing", []],
  ["no empty line", INVITE],
  ["another protocol", ["GET / HTTP/1.1", ...INVITE.slice(1), "", ""]],
  ["another version", ["INVITE sip:b@trunk.test SIP/7.0", ...INVITE.slice(1), "", ""]],
  ["two blanks in the first line", ["INVITE  sip:b@trunk.test SIP/2.0", ...INVITE.slice(1), "", ""]],
  ["no Call-ID", [...INVITE.filter((line) => !line.startsWith("Call-ID")), "", ""]],
  ["two From", [...INVITE, "From: <sip:c@trunk.test>", "", ""]],
  ["a CSeq of another method", [...INVITE.slice(0, 5), "CSeq: 1 BYE", "", ""]],
  ["a CSeq that is too large", [...INVITE.slice(0, 5), "CSeq: 9999999999 INVITE", "", ""]],
  ["a negative length", [...INVITE, "Content-Length: -999", "", ""]],
  ["less of a body than it says", [...INVITE, "Content-Length: 10", "", "short"]],
  ["a field without a colon", [...INVITE, "nonsense", "", ""]],
  ["too many fields", [...INVITE, ...Array.from({ length: 200 }, () => "X: y"), "", ""]],
  ["a head that is too long", [...INVITE, `X: ${"y".repeat(40_000)}`, "", ""]],
  ["a status out of range", ["SIP/2.0 700 Far", ...INVITE.slice(1), "", ""]],
])("a message with %s is none", (_what, lines) => {
  expect(parseMessage(bytes(...lines))).toBeUndefined();
});

test("unknown methods and fields, odd reasons and line ends are read", () => {
  const text = ["SIP/2.0 200 ", ...INVITE.slice(1), "x-unknown: \u00E4\u00F6", "", ""].join("\n");
  expect(parseMessage(Buffer.from(text))).toMatchObject({ type: "response", status: 200, reason: "" });
  const lines = ["R2D2!%.+ sip:b@trunk.test SIP/2.0", ...INVITE.slice(1, 5), "CSeq: 1 R2D2!%.+", "", ""];
  expect(parseMessage(bytes(...lines))).toMatchObject({ type: "request", method: "R2D2!%.+" });
});

const token = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const text = fc.stringMatching(/^[!-~]([ -~]{0,30}[!-~])?$/);

const essential = (method: string): SipHeader[] => [
  ["via", "SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1"],
  ["from", "<sip:a@trunk.test>;tag=1"],
  ["to", "<sip:b@trunk.test>"],
  ["call-id", "one"],
  ["cseq", `7 ${method}`],
];

const message = fc
  .record({
    more: fc.array(
      fc.tuple(
        token.map((name) => `x-${name}`),
        text,
      ),
      { maxLength: 10 },
    ),
    body: fc.uint8Array({ maxLength: 300 }),
    status: fc.option(fc.integer({ min: 100, max: 699 })),
  })
  .map(({ more, body, status }) =>
    status === null
      ? sipRequest("NOTIFY", "sip:b@trunk.test", [...essential("NOTIFY"), ...more], body)
      : sipResponse(status, [...essential("BYE"), ...more], body, "Why"),
  );

test("what is written is read again", () => {
  fc.assert(
    fc.property(message, (original) => {
      const parsed = parseMessage(serializeMessage(original));
      expect(parsed && { ...parsed, body: [...parsed.body] }).toEqual({
        ...original,
        headers: [...original.headers, ["content-length", String(original.body.length)]],
        body: [...original.body],
      });
    }),
    { numRuns: 200 },
  );
});

test("messages with bytes changed, and bytes by chance, are read or not, and nothing breaks", () => {
  const changed = fc
    .tuple(message, fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 0, max: 255 })), { maxLength: 8 }))
    .map(([original, changes]) => {
      const data = Uint8Array.from(serializeMessage(original));
      for (const [at, byte] of changes) data[at % data.length] = byte;
      return data;
    });
  fc.assert(
    fc.property(fc.oneof(changed, fc.uint8Array({ maxLength: 500 })), (data) => {
      const parsed = parseMessage(data);
      if (parsed === undefined) return;
      headersOf(parsed, "via");
      expect(cseqOf(parsed).number).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 2000 },
  );
});

test("a stream gives the same messages wherever it is cut, with line ends between them", () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 4 }), fc.array(fc.nat(2000)), (messages, cuts) => {
      const parts = messages.map((each) => serializeMessage(each));
      const whole = Buffer.concat(parts.flatMap((part) => [Buffer.from("\r\n"), part]));
      const places = [0, ...cuts.map((cut) => cut % whole.length).toSorted((a, b) => a - b), whole.length];
      const stream = new MessageStream();
      const got = places.slice(1).flatMap((to, index) => stream.push(whole.subarray(places[index], to)).messages);
      expect(got.map((each) => Buffer.from(each).toString("hex"))).toEqual(
        parts.map((each) => Buffer.from(each).toString("hex")),
      );
    }),
    { numRuns: 100 },
  );
});

test("a stream that tells no lengths, or too large ones, is none", () => {
  expect(() => new MessageStream().push(bytes(...INVITE, "", ""))).toThrow(/length/);
  expect(() => new MessageStream().push(bytes(...INVITE, "Content-Length: 70000", "", ""))).toThrow(/larger/);
  expect(() => new MessageStream().push(Buffer.alloc(70_000, "a"))).toThrow(/no end/);
  expect(new MessageStream().push(Buffer.from("\r\n\r\n"))).toEqual({ messages: [], ping: true });
});
