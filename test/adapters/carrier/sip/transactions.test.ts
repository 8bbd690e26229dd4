import { expect, test } from "vitest";
import { sipRequest, type SipHeader } from "../../../../src/adapters/carrier/sip/message.ts";
import { answerTo } from "../../../../src/adapters/carrier/sip/transactions.ts";
import { MemoryNetwork } from "./memory-network.ts";

const request = (method: string, branch?: string) => {
  const headers: SipHeader[] = [
    ...(branch === undefined ? [] : [["via", `SIP/2.0/UDP 192.0.2.1;branch=${branch}`] as const]),
    ["from", "<sip:a@trunk.test>;tag=1"],
    ["to", "<sip:b@trunk.test>"],
    ["call-id", "one"],
    ["cseq", `1 ${method}`],
  ];
  return sipRequest(method, "sip:b@trunk.test", headers);
};

const asking = (network: MemoryNetwork, method: string) => {
  const heard: (number | string)[] = [];
  network.transactions.request(request(method), network.peer, {
    response: ({ status }) => heard.push(status),
    failed: (_cause, sent) => heard.push(sent ? "lost" : "not sent"),
  });
  return heard;
};

test.each([
  ["INVITE", [0, 500, 1500, 3500, 7500, 15_500, 31_500]],
  ["BYE", [0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]],
])("%s is repeated ever more seldom, and given up after 32 s", async (method, times) => {
  const network = new MemoryNetwork();
  const heard = asking(network, method);
  await network.clock.advance(31_999);
  expect(network.requests(method).map(({ atMs }) => atMs)).toEqual(times);
  expect(heard).toEqual([]);
  await network.clock.advance(60_000);
  expect(heard).toEqual(["lost"]);
  expect(network.requests(method)).toHaveLength(times.length);
  expect(network.clock.pending).toBe(0);
});

test("over TCP nothing is repeated", async () => {
  const network = new MemoryNetwork("tcp");
  const heard = asking(network, "INVITE");
  await network.clock.advance(32_001);
  expect(network.requests("INVITE")).toHaveLength(1);
  expect(heard).toEqual(["lost"]);
});

test("a request that could not leave was not sent", async () => {
  const network = new MemoryNetwork();
  network.broken = new Error("no way");
  const heard = asking(network, "INVITE");
  await network.clock.settle();
  expect(heard).toEqual(["not sent"]);
});

test("an INVITE that was heard is not repeated, rings for as long as it likes, and its refusal is acknowledged each time", async () => {
  const network = new MemoryNetwork();
  const heard = asking(network, "INVITE");
  await network.clock.advance(600);
  await network.answer("INVITE", 180);
  await network.clock.advance(300_000);
  expect(network.requests("INVITE")).toHaveLength(2);
  await network.answer("INVITE", 486);
  await network.answer("INVITE", 486);
  expect(heard).toEqual([180, 486]);
  const acks = network.requests("ACK");
  expect(acks).toHaveLength(2);
  expect(acks[0]?.headers.find(([name]) => name === "via")).toEqual(
    network.requests("INVITE")[0]?.headers.find(([name]) => name === "via"),
  );
  await network.clock.advance(33_000);
  expect(network.clock.pending).toBe(0);
});

test("every repetition of a 2xx is handed on, since nobody else acknowledges it", async () => {
  const network = new MemoryNetwork();
  const heard = asking(network, "INVITE");
  await network.answer("INVITE", 200);
  await network.answer("INVITE", 200);
  expect(heard).toEqual([200, 200]);
  expect(network.requests("ACK")).toEqual([]);
});

test("a request that comes again gets the same answer, and is one request", async () => {
  const network = new MemoryNetwork();
  await network.receive(request("OPTIONS", "z9hG4bKa"));
  await network.receive(request("OPTIONS", "z9hG4bKa"));
  expect(network.asked).toHaveLength(1);
  const [{ transaction } = { transaction: undefined }] = network.asked;
  transaction?.respond(answerTo(request("OPTIONS", "z9hG4bKa"), 200));
  await network.receive(request("OPTIONS", "z9hG4bKa"));
  await network.receive(request("OPTIONS", "z9hG4bKb"));
  expect(network.sent.map((each) => each.type === "response" && each.status)).toEqual([200, 200]);
  expect(network.asked).toHaveLength(2);
});

test.each([
  [486, "z9hG4bKa", 8],
  [200, "z9hG4bKother", 8],
])("the answer %i to an INVITE is repeated until it is acknowledged", async (status, ackBranch, most) => {
  const network = new MemoryNetwork();
  await network.receive(request("INVITE", "z9hG4bKa"));
  const transaction = network.asked[0]?.transaction;
  let unacknowledged = 0;
  transaction?.respond(answerTo(request("INVITE", "z9hG4bKa"), status), () => (unacknowledged += 1));
  await network.clock.advance(1600);
  expect(network.sent).toHaveLength(3);
  await network.receive(request("ACK", ackBranch));
  // That of a 2xx is a request of its own, and whoever answered tells the transaction.
  if (status === 200) transaction?.acknowledged();
  await network.clock.advance(40_000);
  expect(network.sent.length).toBeLessThan(most);
  expect(network.sent).toHaveLength(3);
  expect(unacknowledged).toBe(0);
  expect(network.clock.pending).toBe(0);
});

test("an answer that nobody acknowledges within 32 s is told once", async () => {
  const network = new MemoryNetwork();
  await network.receive(request("INVITE", "z9hG4bKa"));
  let unacknowledged = 0;
  network.asked[0]?.transaction?.respond(answerTo(request("INVITE", "z9hG4bKa"), 200), () => (unacknowledged += 1));
  await network.clock.advance(100_000);
  expect(unacknowledged).toBe(1);
  expect(network.clock.pending).toBe(0);
});

test("an acknowledgement of a 2xx that wrongly has the INVITE's branch still reaches the call", async () => {
  const network = new MemoryNetwork();
  await network.receive(request("INVITE", "z9hG4bKa"));
  network.asked[0]?.transaction?.respond(answerTo(request("INVITE", "z9hG4bKa"), 200));
  await network.receive(request("ACK", "z9hG4bKa"));
  expect(network.asked.map((each) => each.request.method)).toEqual(["INVITE", "ACK"]);
  await network.clock.advance(40_000);
  expect(network.sent).toHaveLength(1);
});
