import fc from "fast-check";
import { expect, test } from "vitest";
import type { Dialect } from "../../../../src/adapters/carrier/streaming/dialect.ts";
import { heapInUse } from "../../../kit/garbage.ts";
import { lineRig } from "./socket-double.ts";

/** `MUTATED_FRAMES=1000000` makes the long run of it. */
// oxlint-disable-next-line node/no-process-env -- a setting of the test run
const FRAMES = Number(process.env["MUTATED_FRAMES"] ?? 3000);

/** Damages proper messages in every way that it can think of, and lets lines read them. */
export const survivesMutatedFrames = (make: () => Dialect, start: unknown, messages: readonly unknown[]): void => {
  test(`${FRAMES} mutated frames crash nothing and leave nothing behind`, { timeout: 60_000 + FRAMES }, async () => {
    const proper = messages.map((message) =>
      message instanceof Uint8Array ? message : Buffer.from(JSON.stringify(message)),
    );
    const damage = fc.record({
      message: fc.constantFrom(...proper),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      put: fc.oneof(
        fc.constantFrom("", '"', "}", "{", "\\", "é", "0", "-1", "null", "[]", "1e999", "\u0000"),
        fc.string({ maxLength: 8 }),
      ),
      out: fc.nat({ max: 12 }),
      binary: fc.boolean(),
    });
    const open = () => {
      const rig = lineRig(make());
      rig.accept().then(
        (line) => line.listen(rig.reported),
        () => undefined,
      );
      rig.socket.say(start);
      return rig;
    };
    let rig = open();
    let lines = 1;
    const before = await heapInUse();
    fc.assert(
      fc.property(damage, ({ message, at, put, out, binary }) => {
        const place = Math.floor(at * message.length);
        const rest = message.subarray(Math.min(message.length, place + out));
        const damaged = Buffer.concat([message.subarray(0, place), Buffer.from(put), rest]);
        rig.socket.say(binary ? damaged : damaged.toString("utf8"));
        if (rig.socket.closedWith === undefined) return;
        rig = open();
        lines += 1;
      }),
      { numRuns: FRAMES },
    );
    // Fifty malformed messages end a line, and a whole `stop` may.
    expect(lines).toBeGreaterThan(1);
    rig.socket.hangUp();
    expect((await heapInUse()) - before).toBeLessThan(16 * 1024 * 1024);
  });
};
