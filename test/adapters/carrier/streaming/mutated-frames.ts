import type { Random } from "../../../../src/ports/random.ts";
import { SeededRandom } from "../../../kit/seeded-random.ts";
import type { GoldenFrames } from "./golden-frames.ts";
import { lineRig } from "./socket-double.ts";

/** What damage puts into a message: what JSON is made of, what numbers and texts may be, and what neither is. */
const PIECES = [
  "",
  '"',
  "}",
  "{",
  "\\",
  ":",
  ",",
  "é",
  "0",
  "-1",
  "1e999",
  "null",
  "[]",
  "\u0000",
  "\uD800",
  "__proto__",
];

/** One of the messages after some of it was taken out, put in, doubled or moved, once to three times. */
export const damaged = (messages: readonly Buffer[], random: Random): Buffer => {
  const below = (limit: number) => Math.floor(random.fraction() * limit);
  let message = messages[below(messages.length)] ?? Buffer.alloc(0);
  for (let times = 1 + below(3); times > 0; times--) {
    const place = below(message.length + 1);
    const rest = message.subarray(Math.min(message.length, place + below(13)));
    const kinds = [
      () => Buffer.from(PIECES[below(PIECES.length)] ?? ""),
      () => Buffer.from(Array.from({ length: below(9) }, () => below(256))),
      () => message.subarray(place, place + below(40)),
    ];
    message = Buffer.concat([message.subarray(0, place), kinds[below(kinds.length)]?.() ?? Buffer.alloc(0), rest]);
  }
  return message;
};

/**
 * Lets lines read as many damaged messages of a carrier, a new line whenever one has ended; answers how many lines it took.
 * Whatever a line throws comes out.
 */
export const flood = ({ make, messages }: GoldenFrames, frames: number, seed: number): number => {
  const random = new SeededRandom(seed);
  const open = () => {
    const rig = lineRig(make());
    rig.accept().then(
      (line) => line.listen({ frame: () => {}, digit: () => {}, mark: () => {}, gone: () => {} }),
      () => undefined,
    );
    rig.socket.say(messages[0].toString());
    return rig;
  };
  let rig = open();
  let lines = 1;
  for (let count = 0; count < frames; count++) {
    const message = damaged(messages, random);
    rig.socket.say(random.fraction() < 0.5 ? message : message.toString("utf8"));
    if (rig.socket.closedWith === undefined) continue;
    rig = open();
    lines += 1;
  }
  rig.socket.hangUp();
  return lines;
};
