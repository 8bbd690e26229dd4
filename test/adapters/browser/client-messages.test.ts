import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readClientMessage } from "../../../src/adapters/browser/client-messages.ts";
import { MOST_TEXT_BYTES } from "../../../src/model/browser-protocol.ts";

const OPUS = { format: "opus" };

test.each([
  { type: "auth", token: "t" },
  { type: "start", input: OPUS, output: { format: "pcm16", sampleRate: 16_000 } },
  { type: "start", input: { format: "webm" }, output: OPUS, newer: true },
  { type: "candidate", candidate: { candidate: "", sdpMid: null } },
  { type: "digits", digits: "12#" },
  { type: "hang_up", fault: "newer", path: "" },
])("%j is read as it is", (message) => {
  expect(readClientMessage(JSON.stringify(message))).toEqual({ message });
});

test.each([
  ["", ""],
  ["{", ""],
  ["[]", ""],
  ["null", ""],
  ["x".repeat(MOST_TEXT_BYTES + 1), ""],
  ["{}", "/type"],
  [JSON.stringify({ type: "begin" }), "/type"],
  [JSON.stringify({ type: "start", input: OPUS }), "/output"],
  [
    JSON.stringify({ type: "start", input: OPUS, output: { format: "pcm16", sampleRate: 11_025 } }),
    "/output/sampleRate",
  ],
  [JSON.stringify({ type: "start", input: OPUS, output: { format: "pcm16" } }), "/output/sampleRate"],
  [JSON.stringify({ type: "start", input: { format: "mp3" }, output: OPUS }), "/input/format"],
  [JSON.stringify({ type: "start", input: "opus", output: OPUS }), "/input"],
  [JSON.stringify({ type: "digits", digits: "12x" }), "/digits"],
  [JSON.stringify({ type: "digits" }), "/digits"],
  [JSON.stringify({ type: "candidate", candidate: { candidate: "c", sdpMLineIndex: -1 } }), "/candidate/sdpMLineIndex"],
  [JSON.stringify({ type: "mute", muted: "yes" }), "/muted"],
])("%j is at fault at %j", (text, path) => {
  expect(readClientMessage(text)).toEqual({ path, fault: expect.stringMatching(/^(is|must|has) /) as string });
});

test("whatever comes is a message or a fault, and never a failure", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const read = readClientMessage(text);
      expect("fault" in read || "message" in read).toBe(true);
    }),
  );
});
