import { expect, test } from "vitest";
import { headerOf } from "../../../../src/adapters/carrier/sip/message.ts";
import { Registration } from "../../../../src/adapters/carrier/sip/registration.ts";
import { MemoryNetwork } from "./memory-network.ts";

const CHALLENGE = { headers: [["www-authenticate", 'Digest realm="t", nonce="n"']] } as const;

const started = async () => {
  const network = new MemoryNetwork();
  const registration = new Registration(network.deps(), "alice");
  registration.start();
  await network.clock.settle();
  const asked = () => network.requests("REGISTER");
  /** Requests without their repetitions. */
  const count = () => new Set(asked().map((each) => headerOf(each, "cseq"))).size;
  const last = (name: string) =>
    asked()
      .flatMap((each) => headerOf(each, name) ?? [])
      .at(-1);
  /** Takes the user off; the server has a second to say something to it. */
  const close = async () => {
    const closing = registration.close();
    await network.clock.advance(1001);
    await closing;
  };
  return { network, registration, count, last, close };
};

test("a user is registered with a password, again before it expires, and taken off at the end", async () => {
  const { network, registration, count, last, close } = await started();
  await network.answer("REGISTER", 401, CHALLENGE);
  expect(last("authorization")).toContain('username="alice"');
  await network.answer("REGISTER", 200, {
    headers: [["contact", "<sip:other@192.0.2.9>;expires=9, <sip:alice@192.0.2.7:5060>;expires=300"]],
  });
  expect(registration.registered).toBe(true);
  await network.clock.advance(239_000);
  expect(count()).toBe(2);
  await network.clock.advance(2000);
  expect(count()).toBe(3);
  await network.answer("REGISTER", 200, { headers: [["expires", "60"]] });
  await network.clock.advance(31_000);
  expect(count()).toBe(4);
  await network.answer("REGISTER", 200);
  await close();
  expect(last("expires")).toBe("0");
  expect(count()).toBe(5);
  await network.clock.advance(60_000);
  expect(count()).toBe(5);
  expect(network.clock.pending).toBe(0);
});

test("a password that is refused is tried again only minutes later", async () => {
  const { network, registration, count, close } = await started();
  await network.answer("REGISTER", 401, CHALLENGE);
  await network.answer("REGISTER", 401, CHALLENGE);
  expect(registration.registered).toBe(false);
  await network.clock.advance(140_000);
  expect(count()).toBe(2);
  await network.clock.advance(200_000);
  expect(count()).toBe(3);
  await close();
});

test("a server that is away is asked again, and then more seldom", async () => {
  const { network, registration, count, close } = await started();
  // One try takes 32 s.
  await network.clock.advance(45_000);
  expect(count()).toBe(2);
  await network.answer("REGISTER", 200);
  expect(registration.registered).toBe(true);
  await close();
});

test("a server that wants to be asked less often is asked so", async () => {
  const { network, registration, last, close } = await started();
  await network.answer("REGISTER", 423, { headers: [["min-expires", "3600"]] });
  expect(last("expires")).toBe("3600");
  await network.answer("REGISTER", 200);
  expect(registration.registered).toBe(true);
  await close();
});
