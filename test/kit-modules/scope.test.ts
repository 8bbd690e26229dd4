import fc from "fast-check";
import { expect, test } from "vitest";
import { collectGarbage } from "../kit/garbage.ts";
import { deferred } from "../../src/kit/deferred.ts";
import { Scope, ScopeClosed } from "../../src/kit/scope.ts";

test("closing aborts at once, then closes the children, youngest first, and runs the releasers in reverse", async () => {
  const order: string[] = [];
  const scope = new Scope("parent");
  scope.onClose(() => void order.push("first opened"));
  scope.onClose(async () => {
    await Promise.resolve();
    order.push("second opened");
  });
  for (const name of ["older", "younger"]) scope.child(name).onClose(() => void order.push(name));
  const closing = scope.close();
  expect(scope.signal.aborted).toBe(true);
  expect(scope.signal.reason).toBeInstanceOf(ScopeClosed);
  expect(scope.closed).toBe(true);
  await closing;
  expect(order).toEqual(["younger", "older", "second opened", "first opened"]);
});

test("closing twice is closing once", async () => {
  let released = 0;
  const scope = new Scope("once");
  scope.onClose(() => {
    released += 1;
  });
  const reason = new Error("asked to");
  expect(scope.close(reason)).toBe(scope.close());
  await scope.close();
  expect(released).toBe(1);
  expect(scope.signal.reason).toBe(reason);
});

test("every releaser runs although others fail, and the failures are told", async () => {
  const order: number[] = [];
  const scope = new Scope("broken");
  const child = scope.child("child");
  child.onClose(() => Promise.reject(new Error("child")));
  for (const index of [1, 2, 3])
    scope.onClose(() => {
      order.push(index);
      if (index === 2) throw new Error("two");
    });
  const failure = await scope.close().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AggregateError);
  expect((failure as AggregateError).errors.map(String)).toEqual([
    "AggregateError: closing child failed",
    "Error: two",
  ]);
  expect(order).toEqual([3, 2, 1]);
});

test("what comes too late is released at once: a child is born closed", async () => {
  const scope = new Scope("over");
  await scope.close();
  const child = scope.child("late");
  expect(child.signal.aborted).toBe(true);
  const released = deferred<string>();
  child.onClose(() => {
    released.resolve("released");
  });
  expect(await released.promise).toBe("released");
  scope.onClose(() => Promise.reject(new Error("nobody is left to hear this")));
});

test("a parent waits for a child that is closing already", async () => {
  const order: string[] = [];
  const scope = new Scope("parent");
  const child = scope.child("child");
  const slow = deferred<void>();
  child.onClose(async () => {
    await slow.promise;
    order.push("child");
  });
  void child.close();
  const closing = scope.close().then(() => order.push("parent"));
  slow.resolve();
  await closing;
  expect(order).toEqual(["child", "parent"]);
});

test("children that are over are forgotten, so that a long life with many of them keeps nothing", async () => {
  const scope = new Scope("a long life");
  const marks: WeakRef<Scope>[] = [];
  for (let index = 0; index < 100; index++) {
    const child = scope.child("short");
    marks.push(new WeakRef(child));
    await child.close();
  }
  await collectGarbage();
  expect(marks.filter((mark) => mark.deref() !== undefined).length).toBeLessThan(5);
});

test("in any tree, in whatever order its scopes are closed, everything is released once and children before their parents", async () => {
  const tree = fc.array(fc.nat(), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(tree, fc.array(fc.nat(), { maxLength: 6 }), fc.boolean(), async (parents, closed, slow) => {
      const scopes: Scope[] = [new Scope("0")];
      const parentOf: number[] = [-1];
      const released: number[] = [];
      for (const pick of parents) {
        const parent = pick % scopes.length;
        const child = scopes[parent]?.child(String(scopes.length));
        if (child === undefined) continue;
        parentOf.push(parent);
        scopes.push(child);
      }
      for (const [index, scope] of scopes.entries())
        scope.onClose(async () => {
          if (slow) await Promise.resolve();
          released.push(index);
        });
      const closing = closed.flatMap((pick) => scopes[pick % scopes.length]?.close() ?? []);
      await scopes[0]?.close();
      expect(released.toSorted((a, b) => a - b)).toEqual(scopes.map((_, index) => index));
      for (const [index, parent] of parentOf.entries())
        if (parent >= 0) expect(released.indexOf(index)).toBeLessThan(released.indexOf(parent));
      expect(scopes.every(({ signal }) => signal.aborted)).toBe(true);
      await Promise.all(closing);
    }),
    { numRuns: 200 },
  );
});
