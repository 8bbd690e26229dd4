import fc from "fast-check";
import { expect, test } from "vitest";
import { Inbox, InboxOverflow } from "../../src/kit/inbox.ts";

test("whatever is put in between whatever reads comes out in order, and nothing after the close", async () => {
  const action = fc.constantFrom("put", "take", "pause", "close");
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 60 }), async (actions) => {
      const inbox = new Inbox<number>(1000);
      let next = 0;
      let closed = false;
      const put: number[] = [];
      const taken: (number | undefined)[] = [];
      let reading: Promise<void> = Promise.resolve();
      for (const what of actions) {
        if (what === "put") {
          inbox.put(next);
          if (!closed) put.push(next);
          next += 1;
        } else if (what === "close") {
          inbox.close();
          closed = true;
        } else if (what === "pause") await Promise.resolve();
        else reading = reading.then(async () => void taken.push(await inbox.take()));
      }
      inbox.close();
      await reading;
      const read = taken.filter((item) => item !== undefined);
      expect(read).toEqual(put.slice(0, read.length));
      expect(inbox.size).toBe(put.length - read.length);
      for (let left = inbox.size; left > 0; left--) expect(await inbox.take()).toBe(put[put.length - left]);
      expect(await inbox.take()).toBeUndefined();
    }),
  );
});

test("a full inbox says so and loses nothing that is in it", async () => {
  const inbox = new Inbox<number>(2);
  inbox.put(1);
  inbox.put(2);
  expect(() => {
    inbox.put(3);
  }).toThrow(InboxOverflow);
  expect(await inbox.take()).toBe(1);
  inbox.put(3);
  expect([await inbox.take(), await inbox.take()]).toEqual([2, 3]);
});

test("a reader that waits is woken by an item and by the close", async () => {
  const inbox = new Inbox<string>(10);
  const first = inbox.take();
  inbox.put("item");
  expect(await first).toBe("item");
  const last = inbox.take();
  inbox.close();
  expect(await last).toBeUndefined();
  inbox.put("too late");
  expect(inbox.size).toBe(0);
});
