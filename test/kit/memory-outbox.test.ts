import { describe } from "vitest";
import { describeOutbox } from "../contract/outbox.contract.ts";
import { MemoryOutbox } from "./memory-outbox.ts";
import { VirtualClock } from "./virtual-clock.ts";

describe("the outbox in memory", () => {
  describeOutbox(async () => {
    const clock = new VirtualClock();
    const outbox = new MemoryOutbox(clock);
    return {
      outbox,
      add: async (told) => {
        outbox.add(told);
      },
      pass: (ms) => clock.advance(ms),
    };
  });
});
