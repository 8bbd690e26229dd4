import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { GuardedHttpCaller, type GuardedHttpDeps } from "../../../src/adapters/http/guarded-http-caller.ts";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { whyNotCallable } from "../../../src/dials/customer-url.ts";
import { runs } from "../../kit/runs.ts";
import type { HttpPost } from "../../../src/ports/http-caller.ts";
import { VirtualClock } from "../../kit/virtual-clock.ts";
import { Canary } from "./canary.ts";
import { HOSTILE_ADDRESSES, HOSTILE_HOSTS } from "./hostile-addresses.ts";

const never = new AbortController().signal;

const post = (url: string, change: Partial<HttpPost> = {}): HttpPost => ({
  url,
  headers: { "content-type": "application/json" },
  body: '{"a":1}',
  timeoutMs: 5000,
  maxBytes: 65_536,
  ...change,
});

const withCanary = async (
  work: (canary: Canary, caller: (deps?: Partial<GuardedHttpDeps>) => GuardedHttpCaller) => Promise<void>,
  answer?: RequestListener,
) => {
  const canary = await Canary.start(answer);
  const callers: GuardedHttpCaller[] = [];
  try {
    await work(canary, (deps) => {
      const caller = new GuardedHttpCaller({
        clock: new SystemClock(),
        allowPrivateNetwork: false,
        ports: new Set([String(canary.port)]),
        ...deps,
      });
      callers.push(caller);
      return caller;
    });
  } finally {
    await Promise.all(callers.map((caller) => caller.close()));
    await canary.stop();
  }
};

test("no way of writing an address of this machine or its network leads to it", () =>
  withCanary(async (canary, make) => {
    const guarded = make();
    for (const host of HOSTILE_HOSTS) {
      const outcome = await guarded.post(post(`https://${host}:${canary.port}/`), never);
      expect(outcome, host).toMatchObject({ type: "refused" });
    }
    expect(canary.connections).toBe(0);
    // The proof that the canary would have noticed.
    const open = make({ allowPrivateNetwork: true });
    for (const host of ["127.1", "0x7f000001", "[::1]", "[::ffff:127.0.0.1]"])
      expect(await open.post(post(`http://${host}:${canary.port}/`), never), host).toMatchObject({ status: 200 });
    expect(canary.connections).toBe(4);
  }));

const PREFIXES: Readonly<Record<number, string>> = { 8: "0", 16: "0x" };

/** An IPv4 address in one of the ways that URL parsers take: one to four parts, each decimal, octal or hexadecimal. */
const spelt = (bytes: readonly number[], parts: number, bases: readonly number[]): string => {
  const last = bytes.slice(parts - 1).reduce((sum, byte) => sum * 256 + byte, 0);
  return [...bytes.slice(0, parts - 1), last]
    .map((value, index) => {
      const base = bases[index] ?? 10;
      return `${PREFIXES[base] ?? ""}${value.toString(base)}`;
    })
    .join(".");
};

test("no private address is let through in any of its spellings, and public ones are known as such in all of theirs", async () => {
  const guarded = new GuardedHttpCaller({ clock: new VirtualClock(), allowPrivateNetwork: false });
  const byte = fc.nat(255);
  const host = fc.oneof(
    fc.tuple(fc.constantFrom(0, 10, 127, 240, 255), byte, byte, byte),
    fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
    fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  );
  const bases = fc.tuple(...Array.from({ length: 4 }, () => fc.constantFrom(8, 10, 16)));
  await fc.assert(
    fc.asyncProperty(
      host,
      fc.integer({ min: 1, max: 4 }),
      bases,
      fc.constantFrom("", "."),
      async (bytes, parts, how, dot) => {
        const url = `https://${spelt(bytes, parts, how)}${dot}/`;
        expect(await guarded.post(post(url), never), url).toMatchObject({ type: "refused" });
        const mapped = `https://[::ffff:${bytes.join(".")}]/`;
        expect(await guarded.post(post(mapped), never), mapped).toMatchObject({ type: "refused" });
        expect(whyNotCallable(url, false), url).toBeDefined();
      },
    ),
    { numRuns: runs(500, 20_000) },
  );
  expect(new URL(`https://${spelt([93, 184, 215, 14], 2, [8, 16, 10, 10])}/`).hostname).toBe("93.184.215.14");
  expect(whyNotCallable(`https://${spelt([93, 184, 215, 14], 2, [8, 16, 10, 10])}/`, false)).toBeUndefined();
  await guarded.close();
}, 120_000);

test("the corpus is as large as it says, and an address is refused when a dial or a function is made as well as when it is called", () => {
  expect(new Set(HOSTILE_HOSTS).size).toBe(HOSTILE_HOSTS.length);
  expect(HOSTILE_HOSTS.length).toBeGreaterThanOrEqual(120);
  for (const host of HOSTILE_HOSTS) expect(whyNotCallable(`https://${host}/`, false), host).toBeDefined();
});

test("a name is refused when any of its addresses is not public", () =>
  withCanary(async (canary, make) => {
    for (const address of HOSTILE_ADDRESSES) {
      for (const others of [[], ["93.184.215.14"], ["2606:4700::1111"]]) {
        const found = [...others, address].map((one) => ({ address: one, family: one.includes(":") ? 6 : 4 }));
        const caller = make({ resolve: () => Promise.resolve(found) });
        const outcome = await caller.post(post(`https://api.example.com:${canary.port}/`), never);
        expect(outcome, found.map((one) => one.address).join()).toMatchObject({ type: "refused" });
      }
    }
    expect(canary.connections).toBe(0);
  }));

test("a name is looked up once, and the connection goes where that answer led and nowhere else", () =>
  withCanary(async (canary, make) => {
    let asked = 0;
    const rebinding = make({
      resolve: () => {
        asked += 1;
        // The operating system knows "localhost" as the canary's address; whoever asks again is led there.
        return Promise.resolve([{ address: asked === 1 ? "93.184.215.14" : "127.0.0.1", family: 4 }]);
      },
    });
    const outcome = await rebinding.post(post(`https://localhost:${canary.port}/`, { timeoutMs: 300 }), never);
    expect(outcome.type).toBe("not-sent");
    expect([asked, canary.connections]).toEqual([1, 0]);
    const led = make({
      allowPrivateNetwork: true,
      resolve: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
    });
    expect(await led.post(post(`http://api.example.com:${canary.port}/`), never)).toMatchObject({ type: "answered" });
  }));

test("other protocols, ports and addresses with a password are refused", () =>
  withCanary(async (canary, make) => {
    const usual = make({ ports: undefined });
    const urls = [
      "http://example.com/",
      "ftp://example.com/",
      "file:///etc/passwd",
      "gopher://example.com/",
      "data:text/plain,x",
      "javascript:1",
      "unix:/run/x.sock",
      "https://example.com:22/",
      "https://example.com:80/",
      "https://example.com:6379/",
      `https://example.com:${canary.port}/`,
      "https://user@example.com/",
      "https://user:password@example.com/",
      `https://example.com@127.0.0.1:${canary.port}/`,
      "//example.com/",
      "example.com",
      "",
      "https://",
      "https://exa mple.com/",
      "https://[::1/",
    ];
    for (const url of urls) expect(await usual.post(post(url), never), url).toMatchObject({ type: "refused" });
    expect(canary.connections).toBe(0);
  }));

test("a redirect inwards is an answer, and is not followed", async () => {
  let hits = 0;
  await withCanary(
    async (canary, make) => {
      const outcome = await make({ allowPrivateNetwork: true }).post(post(`http://127.0.0.1:${canary.port}/`), never);
      expect(outcome).toMatchObject({ type: "answered", status: 307 });
      expect(hits).toBe(1);
    },
    (request, response) => {
      hits += 1;
      response.writeHead(307, { location: `http://127.0.0.1:${request.socket.localPort}/secret` }).end();
    },
  );
});

test("proxies of the environment are not used", () =>
  withCanary(async (canary, make) => {
    const names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY"];
    for (const name of names) vi.stubEnv(name, `http://127.0.0.1:${canary.port}`);
    const resolve = () => Promise.resolve([{ address: "93.184.215.14", family: 4 }]);
    await make({ resolve }).post(post(`https://example.com:${canary.port}/`, { timeoutMs: 200 }), never);
    vi.unstubAllEnvs();
    expect(canary.connections).toBe(0);
  }));

test("the request arrives whole, with the customer's headers and ours where they are ours", async () => {
  const seen: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[] = [];
  await withCanary(
    async (canary, make) => {
      const url = `http://127.0.0.1:${canary.port}/a/b?c=d#e`;
      const headers = { Authorization: "Bearer x", Host: "evil.example", "Content-Length": "1", Connection: "upgrade" };
      const outcome = await make({ allowPrivateNetwork: true }).post(post(url, { headers, body: "grüß" }), never);
      expect(outcome).toEqual({
        type: "answered",
        status: 201,
        contentType: "application/json",
        body: Buffer.from('{"ok":true}'),
      });
      expect(seen).toEqual([
        {
          method: "POST",
          url: "/a/b?c=d",
          body: "grüß",
          headers: expect.objectContaining({
            authorization: "Bearer x",
            host: `127.0.0.1:${canary.port}`,
            "content-length": "6",
            "accept-encoding": "identity",
          }),
        },
      ]);
    },
    (request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      request.on("end", () => {
        seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
        response.writeHead(201, { "content-type": "application/json" }).end('{"ok":true}');
      });
    },
  );
});

test("a header that would break the message is an error and nothing is sent", () =>
  withCanary(async (canary, make) => {
    const headers = { "x-evil": "a\r\nx-injected: b" };
    const outcome = await make({ allowPrivateNetwork: true }).post(
      post(`http://127.0.0.1:${canary.port}/`, { headers }),
      never,
    );
    expect(outcome.type).toBe("not-sent");
  }));

test("an answer of ten megabytes, or without an end, is read no further than was allowed", async () => {
  let written = 0;
  await withCanary(
    async (canary, make) => {
      const outcome = await make({ allowPrivateNetwork: true }).post(post(`http://127.0.0.1:${canary.port}/`), never);
      expect(outcome).toEqual({ type: "too-large", status: 200 });
      expect(written).toBeLessThan(10_000_000);
    },
    (_request, response) => {
      const chunk = Buffer.alloc(65_536, "x");
      const more = () => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length;
      };
      response.on("drain", more);
      more();
    },
  );
});

test.each([
  ["never answers", () => undefined],
  ["stops in the middle of its answer", (response: { write(text: string): unknown }) => response.write('{"a":')],
] as const)("a server that %s is given up at the deadline", async (_name, begin) => {
  const asked = Promise.withResolvers<undefined>();
  await withCanary(
    async (canary, make) => {
      const clock = new VirtualClock();
      const caller = make({ allowPrivateNetwork: true, clock });
      const outcome = caller.post(post(`http://127.0.0.1:${canary.port}/`, { timeoutMs: 10_000 }), never);
      await asked.promise;
      await clock.advance(10_000);
      expect(await outcome).toEqual({ type: "timeout" });
      expect(clock.pending).toBe(0);
    },
    (_request, response) => {
      begin(response);
      asked.resolve(undefined);
    },
  );
});

test("a look-up that hangs is given up at the deadline, and nothing was sent", () =>
  withCanary(async (_canary, make) => {
    const clock = new VirtualClock();
    const caller = make({ clock, ports: undefined, resolve: () => new Promise(() => undefined) });
    const outcome = caller.post(post("https://example.com/", { timeoutMs: 10_000 }), never);
    await clock.advance(10_000);
    expect((await outcome).type).toBe("not-sent");
  }));

test("whoever asked may break off, before and while it is under way", async () => {
  const asked = Promise.withResolvers<undefined>();
  await withCanary(
    async (canary, make) => {
      const caller = make({ allowPrivateNetwork: true });
      const url = `http://127.0.0.1:${canary.port}/`;
      expect((await caller.post(post(url), AbortSignal.abort())).type).toBe("not-sent");
      expect(canary.connections).toBe(0);
      const controller = new AbortController();
      const outcome = caller.post(post(url), controller.signal);
      await asked.promise;
      controller.abort();
      expect(await outcome).toEqual({ type: "timeout" });
    },
    () => {
      asked.resolve(undefined);
    },
  );
});

test("closing breaks off what is under way", async () => {
  const asked = Promise.withResolvers<undefined>();
  await withCanary(
    async (canary, make) => {
      const caller = make({ allowPrivateNetwork: true });
      const outcome = caller.post(post(`http://127.0.0.1:${canary.port}/`), never);
      await asked.promise;
      await caller.close();
      expect(await outcome).toEqual({ type: "timeout" });
      expect((await caller.post(post(`http://127.0.0.1:${canary.port}/`), never)).type).toBe("not-sent");
    },
    () => {
      asked.resolve(undefined);
    },
  );
});

test("a refused connection, a failed handshake and an unknown name are known not to have been sent", async () => {
  const server = createTcpServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const caller = new GuardedHttpCaller({ clock: new SystemClock(), allowPrivateNetwork: true });
  try {
    expect((await caller.post(post(`https://127.0.0.1:${port}/`), never)).type).toBe("not-sent");
    expect((await caller.post(post("http://127.0.0.1:1/"), never)).type).toBe("not-sent");
    const unknown = new GuardedHttpCaller({
      clock: new SystemClock(),
      allowPrivateNetwork: false,
      resolve: () => Promise.reject(new Error("ENOTFOUND")),
    });
    expect((await unknown.post(post("https://nowhere.example/"), never)).type).toBe("not-sent");
  } finally {
    await caller.close();
    server.close();
  }
});

test("a connection that breaks after the request left may have done something", async () => {
  const server = createServer((request) => request.socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const caller = new GuardedHttpCaller({ clock: new SystemClock(), allowPrivateNetwork: true });
  try {
    expect((await caller.post(post(`http://127.0.0.1:${port}/`), never)).type).toBe("broken");
  } finally {
    await caller.close();
    server.close();
  }
});
