import * as fc from "fast-check";
import { expect, test } from "vitest";
import { toFloatNetwork, UnknownNetwork } from "../../../../src/adapters/synthesizer/kokoro/float-network.ts";
import {
  bytesField,
  fieldsOf,
  joined,
  numberField,
  numbersOf,
  textField,
  textOf,
} from "../../../../src/adapters/synthesizer/kokoro/protobuf.ts";

test("fields are read back as they were written", () => {
  const number = fc.integer({ min: 1, max: 2 ** 28 });
  fc.assert(
    fc.property(number, fc.nat(Number.MAX_SAFE_INTEGER), fc.uint8Array(), fc.string(), (field, value, bytes, text) => {
      const message = joined([numberField(field, value), bytesField(field, bytes), textField(field, text)]);
      const [first, second, third] = fieldsOf(message);
      expect([first?.number, second?.number, third?.number]).toEqual([field, field, field]);
      expect(first === undefined ? [] : numbersOf(first)).toEqual([value]);
      expect(Uint8Array.from(second?.content ?? [])).toEqual(Uint8Array.from(bytes));
      expect(third === undefined ? "" : textOf(third)).toBe(Buffer.from(text).toString("utf8"));
      expect(joined(fieldsOf(message).map(({ whole }) => whole))).toEqual(message);
    }),
  );
});

test("broken bytes are refused, never read past their end", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      try {
        for (const { content } of fieldsOf(bytes)) expect(content.length).toBeLessThanOrEqual(bytes.length);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
  );
});

test("a file that is not the expected network is refused", () => {
  expect(() => toFloatNetwork(new Uint8Array(0))).toThrow(UnknownNetwork);
  expect(() => toFloatNetwork(bytesField(7, textField(2, "a graph")))).toThrow(UnknownNetwork);
});
