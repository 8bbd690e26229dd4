import { expect, test } from "vitest";
import { memoryLiveState } from "../../../src/adapters/live/memory.ts";
import type { LiveEvent } from "../../../src/model/live-event.ts";
import { liveContract } from "../../contract/live.contract.ts";
import { VirtualClock } from "../../kit/virtual-clock.ts";

const interim: LiveEvent = { type: "interim", text: "hello" };

liveContract("memory", async () => memoryLiveState({ clock: new VirtualClock() }));

test("a ticket expires", async () => {
  const clock = new VirtualClock();
  const live = memoryLiveState({ clock });
  await live.issueTicket("token", { dialId: "dial", epoch: 1, carrier: "loopback" }, 1_000);
  await clock.advance(1_000);
  expect(await live.takeTicket("token")).toBeUndefined();
});

test("a stream that nobody touches for an hour is forgotten, one that somebody follows is not", async () => {
  const clock = new VirtualClock();
  const live = memoryLiveState({ clock });
  live.publish("left", interim);
  live.publish("followed", interim);
  const follower = live.follow("followed", "1", new AbortController().signal)[Symbol.asyncIterator]();
  const next = follower.next();
  await clock.advance(3_600_001);
  live.publish("other", interim);
  live.publish("followed", { type: "interim", text: "later" });
  expect(await next).toMatchObject({ value: { id: "2", event: { text: "later" } } });
  const controller = new AbortController();
  const late = live.follow("left", undefined, controller.signal)[Symbol.asyncIterator]().next();
  await clock.settle();
  controller.abort();
  expect(await late).toMatchObject({ done: true });
  await live.close();
});
