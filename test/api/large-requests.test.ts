import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiRig, KEY } from "../kit/api-rig.ts";
import { heapInUse } from "../kit/garbage.ts";

let rig: ApiRig;
let port: number;
beforeAll(async () => {
  rig = new ApiRig();
  await rig.app.listen({ port: 0, host: "127.0.0.1" });
  ({ port } = rig.app.server.address() as AddressInfo);
});
afterAll(() => rig.close());

/** Sends a head and as much of the body as anybody takes; answers the status, and how much was taken. */
const send = async (head: readonly string[], chunk: string, most: number) => {
  const socket = connect(port, "127.0.0.1");
  const heard = { answer: "", over: false };
  let sent = 0;
  socket.setEncoding("latin1").on("data", (text: string) => {
    heard.answer += text;
    // Whoever is answered in the middle of a request stops, or is stopped.
    heard.over = true;
  });
  socket.on("error", () => {
    heard.over = true;
  });
  socket.on("close", () => {
    heard.over = true;
  });
  socket.write([...head, "", ""].join("\r\n"));
  const more = async () => {
    while (!heard.over && sent < most) {
      sent += chunk.length;
      if (!socket.write(chunk)) await Promise.race([once(socket, "drain"), once(socket, "close")]);
      else await new Promise(setImmediate);
    }
  };
  await more().catch(() => undefined);
  if (heard.answer === "") await Promise.race([once(socket, "data"), once(socket, "close")]).catch(() => undefined);
  socket.destroy();
  return { status: heard.answer.slice(9, 12), sent };
};

const head = (...more: readonly string[]): readonly string[] => [
  "POST /api/dials HTTP/1.1",
  "Host: x",
  `Authorization: Bearer ${KEY}`,
  "Content-Type: application/json",
  ...more,
];

test.each([100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000])(
  "a body that is announced with %d bytes is refused before it is read",
  async (bytes) => {
    const before = await heapInUse();
    const { status, sent } = await send(head(`Content-Length: ${bytes}`), "x".repeat(16_384), bytes);
    expect(status).toBe("413");
    // What the kernel takes before the answer arrives is nobody's memory.
    expect(sent).toBeLessThan(20_000_000);
    expect((await heapInUse()) - before).toBeLessThan(5_000_000);
  },
);

test("a body that does not say how long it is is read no further than one may be", async () => {
  const before = await heapInUse();
  const piece = "x".repeat(16_384);
  const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`;
  const { status, sent } = await send(head("Transfer-Encoding: chunked"), chunk, 1_000_000_000);
  expect(status).toBe("413");
  expect(sent).toBeLessThan(20_000_000);
  expect((await heapInUse()) - before).toBeLessThan(5_000_000);
});

test("a head that does not end is cut off", async () => {
  const { status, sent } = await send(
    [...head(), "X-Long: "].slice(0, -1),
    `X-Filler: ${"y".repeat(1000)}\r\n`,
    10_000_000,
  );
  expect(["431", "400", ""]).toContain(status);
  expect(sent).toBeLessThan(5_000_000);
});

test.each([1_000, 30_000])(
  "JSON that is nested %d deep is answered in a moment, and not with an error of ours",
  async (depth) => {
    const deep = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`.slice(0, 64_000);
    for (const body of [
      deep,
      `{"callAgentId":"a1","callAgentInput":${deep}}`,
      `${"[".repeat(depth)}${"]".repeat(depth)}`,
    ]) {
      const response = await rig.request("POST", "/api/dials", { body });
      expect(response.statusCode).toBeGreaterThanOrEqual(400);
      expect(response.statusCode).toBeLessThan(500);
    }
  },
);
