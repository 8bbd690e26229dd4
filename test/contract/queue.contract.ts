import { afterEach, describe, expect, test } from "vitest";
import { Inbox } from "../../src/kit/inbox.ts";
import type { DialQueue } from "../../src/ports/queue.ts";

type Taken = Readonly<{ dialId: string; jobId: string }>;

/** What every dial queue does. `open` makes a queue on the same backend as the ones before it. */
export const queueContract = (name: string, open: () => DialQueue): void => {
  describe(`the queue on ${name}`, () => {
    const queues: DialQueue[] = [];
    const opened = () => {
      const queue = open();
      queues.push(queue);
      return queue;
    };
    afterEach(async () => {
      await Promise.all(queues.splice(0).map((queue) => queue.close()));
    });
    const taking = async (queue: DialQueue, concurrency = 2) => {
      const inbox = new Inbox<Taken>(100);
      const consumer = await queue.consume(async (dialId, jobId) => inbox.put({ dialId, jobId }), concurrency);
      return { inbox, consumer };
    };

    test("a job that was added reaches a consumer in another process's place with the dial's id", async () => {
      const { inbox } = await taking(opened());
      const jobId = await opened().add("dial-1");
      expect(await inbox.take()).toEqual({ dialId: "dial-1", jobId });
    });

    test("the same dial may be added again and wakes a worker again under another id", async () => {
      const queue = opened();
      const { inbox } = await taking(queue);
      const ids = [await queue.add("twin"), await queue.add("twin")];
      expect(ids[0]).not.toBe(ids[1]);
      const taken = [await inbox.take(), await inbox.take()];
      expect(new Set(taken.map((one) => one?.jobId))).toEqual(new Set(ids));
    });

    test("a job that was added while nobody listened waits", async () => {
      const queue = opened();
      const jobId = await queue.add("early");
      const { inbox } = await taking(queue);
      expect(await inbox.take()).toEqual({ dialId: "early", jobId });
    });

    test("a handler that throws neither stops the consumer nor gets the job again", async () => {
      const queue = opened();
      const inbox = new Inbox<string>(100);
      await queue.consume(async (dialId) => {
        inbox.put(dialId);
        if (dialId === "bad") throw new Error("this handler fails");
      }, 1);
      await queue.add("bad");
      await queue.add("good");
      expect([await inbox.take(), await inbox.take()]).toEqual(["bad", "good"]);
      expect(inbox.size).toBe(0);
    });

    test("a paused consumer takes nothing until it resumes", async () => {
      const queue = opened();
      const { inbox, consumer } = await taking(queue);
      await queue.add("before");
      expect((await inbox.take())?.dialId).toBe("before");
      await consumer.pause();
      const other = await taking(opened());
      await queue.add("during");
      expect((await other.inbox.take())?.dialId).toBe("during");
      expect(inbox.size).toBe(0);
      await other.consumer.close();
      consumer.resume();
      await queue.add("after");
      expect((await inbox.take())?.dialId).toBe("after");
    });

    test("closing twice is the same as closing once", async () => {
      const queue = opened();
      await taking(queue);
      await Promise.all([queue.close(), queue.close()]);
    });
  });
};
