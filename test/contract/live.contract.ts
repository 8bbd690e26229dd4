import { afterEach, describe, expect, test } from "vitest";
import type { LiveEvent } from "../../src/model/live-event.ts";
import type { LiveEntry, LiveState } from "../../src/ports/live.ts";

const said = (text: string): LiveEvent => ({
  type: "transcript",
  entry: { text, speaker: "HUMAN", detailType: null, startTimeMs: 0, endTimeMs: 1 },
});
const answered: LiveEvent = { type: "status", status: "in-progress", systemResultType: null };
const over: LiveEvent = { type: "status", status: "completed", systemResultType: null };

let dials = 0;
const newDial = () => `dial-${(dials += 1)}`;

const collect = async (entries: AsyncIterable<LiveEntry>): Promise<LiveEntry[]> => {
  const all: LiveEntry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
};

const forever = () => new AbortController().signal;

/** What every live state does. `open` makes one that shares what it holds with the ones before it, where it is shared at all. */
export const liveContract = (name: string, open: () => Promise<LiveState>): void => {
  describe(`live state in ${name}`, () => {
    const opened: LiveState[] = [];
    const start = async () => {
      const live = await open();
      opened.push(live);
      return live;
    };
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((live) => live.close()));
    });
    streams(start);
    commandsAndTickets(start);
  });
};

const streams = (start: () => Promise<LiveState>): void => {
  test("a follower gets what was there, what comes, and the end", async () => {
    const live = await start();
    const dial = newDial();
    live.publish(dial, answered);
    live.publish(dial, said("one"));
    const following = collect(live.follow(dial, undefined, forever()));
    live.publish(dial, said("two"));
    live.publish(dial, over);
    expect((await following).map(({ event }) => event)).toEqual([answered, said("one"), said("two"), over]);
  });

  test("what was published for a dial can be forgotten, and for no other", async () => {
    const live = await start();
    const [dial, other] = [newDial(), newDial()];
    for (const one of [dial, other]) live.publish(one, said("a secret"));
    await live.forget(dial);
    for (const one of [dial, other]) live.publish(one, over);
    expect(JSON.stringify(await collect(live.follow(dial, undefined, forever())))).not.toContain("a secret");
    expect(JSON.stringify(await collect(live.follow(other, undefined, forever())))).toContain("a secret");
  });

  test("ids tell where to go on, without loss or repetition", async () => {
    const live = await start();
    const dial = newDial();
    for (const text of ["one", "two", "three"]) live.publish(dial, said(text));
    live.publish(dial, over);
    const all = await collect(live.follow(dial, undefined, forever()));
    for (const [index, entry] of all.slice(0, -1).entries())
      expect(await collect(live.follow(dial, entry.id, forever()))).toEqual(all.slice(index + 1));
  });

  test("following after the last entry of an ended dial ends at once", async () => {
    const live = await start();
    const dial = newDial();
    live.publish(dial, over);
    const [last] = await collect(live.follow(dial, undefined, forever()));
    expect(await collect(live.follow(dial, last?.id, forever()))).toEqual([]);
  });

  test("an id that was never given out means the beginning", async () => {
    const live = await start();
    const dial = newDial();
    live.publish(dial, over);
    expect(await collect(live.follow(dial, "no such id", forever()))).toHaveLength(1);
  });

  test("aborting ends a follower that waits, without an error", async () => {
    const live = await start();
    const controller = new AbortController();
    const iterator = live.follow(newDial(), undefined, controller.signal)[Symbol.asyncIterator]();
    const next = iterator.next();
    controller.abort();
    expect(await next).toMatchObject({ done: true });
  });

  test("a follower with an aborted signal ends at once", async () => {
    const live = await start();
    expect(await collect(live.follow(newDial(), undefined, AbortSignal.abort()))).toEqual([]);
  });

  test("closing ends the followers", async () => {
    const live = await start();
    const following = collect(live.follow(newDial(), undefined, forever()));
    await live.close();
    expect(await following).toEqual([]);
  });

  test("about the last thousand entries are kept", async () => {
    const live = await start();
    const dial = newDial();
    for (let index = 0; index < 1_500; index++) live.publish(dial, { type: "interim", text: String(index) });
    live.publish(dial, over);
    const kept = await collect(live.follow(dial, undefined, forever()));
    expect(kept.length).toBeGreaterThanOrEqual(1_000);
    expect(kept.length).toBeLessThan(1_200);
    expect(kept.at(-2)?.event).toEqual({ type: "interim", text: "1499" });
  });

  test("two followers of one dial each get everything, and other dials nothing", async () => {
    const live = await start();
    const dial = newDial();
    const other = newDial();
    const both = [1, 2].map(() => collect(live.follow(dial, undefined, forever())));
    live.publish(other, said("elsewhere"));
    live.publish(dial, said("here"));
    live.publish(dial, over);
    for (const one of await Promise.all(both)) expect(one.map(({ event }) => event)).toEqual([said("here"), over]);
  });
};

const commandsAndTickets = (start: () => Promise<LiveState>): void => {
  test("a command reaches whoever holds the call, and nobody else", async () => {
    const live = await start();
    const dial = newDial();
    const got: string[] = [];
    const heard = Promise.withResolvers<void>();
    await live.onCommand(newDial(), () => got.push("another"));
    const forget = await live.onCommand(dial, (command) => {
      if (command.type === "hang-up") got.push(command.endReason);
      else got.push(command.type === "recording" ? command.action : command.by);
      if (got.length === 3) heard.resolve();
    });
    expect(await live.command(dial, { type: "answered-by", by: "machine" })).toBe(true);
    expect(await live.command(dial, { type: "hang-up", endReason: "canceled" })).toBe(true);
    expect(await live.command(dial, { type: "recording", action: "pause" })).toBe(true);
    await heard.promise;
    expect(got).toEqual(["machine", "canceled", "pause"]);
    expect(await live.isHeard(dial)).toBe(true);
    forget();
    await expect.poll(() => live.command(dial, { type: "hang-up", endReason: "canceled" })).toBe(false);
  });

  test("a command to a call that nobody holds says so", async () => {
    const live = await start();
    expect(await live.command(newDial(), { type: "hang-up", endReason: "operator_hangup" })).toBe(false);
    expect(await live.isHeard(newDial())).toBe(false);
  });

  test("a ticket is taken once, by one of many who try at once", async () => {
    const live = await start();
    const ticket = { dialId: newDial(), epoch: 3, carrier: "loopback" };
    const token = `token-${ticket.dialId}`;
    await live.issueTicket(token, ticket, 60_000);
    const takers = await Promise.all(Array.from({ length: 10 }, () => live.takeTicket(token)));
    expect(takers.filter((taken) => taken !== undefined)).toEqual([ticket]);
    expect(await live.takeTicket("another token")).toBeUndefined();
  });

  test("a token that is in use takes no second ticket", async () => {
    const live = await start();
    const ticket = { dialId: newDial(), epoch: 1, carrier: "loopback" };
    await live.issueTicket(`twice-${ticket.dialId}`, ticket, 60_000);
    await expect(live.issueTicket(`twice-${ticket.dialId}`, { ...ticket, epoch: 2 }, 60_000)).rejects.toThrow("in use");
  });
};
