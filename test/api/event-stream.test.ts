import { once } from "node:events";
import { expect, test } from "vitest";
import { EventStreams } from "../../src/api/event-stream.ts";
import { ApiRig } from "../kit/api-rig.ts";

test("a reader who does not read is cut off before its events fill the memory", async () => {
  const rig = new ApiRig();
  const { dialId } = await rig.dial();
  const streams = new EventStreams(rig.deps);
  const stream = streams.open({ workspaceId: "w1", dialId, afterId: undefined });
  const closed = once(stream, "close");
  let sent = 0;
  while (!stream.destroyed && sent < 100) {
    rig.live.publish(dialId, { type: "interim", text: "x".repeat(50_000) });
    sent += 1;
    await rig.clock.settle();
  }
  await closed;
  // One million bytes in pieces of fifty thousand.
  expect(sent).toBeLessThan(25);
  await rig.clock.settle();
  expect(rig.live.followers).toBe(0);
  expect(rig.clock.pending).toBe(0);
});
