import { createServer, type Server } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { listenTogether, readSharing } from "../../src/app/shared-port.ts";
import { Scope } from "../../src/kit/scope.ts";
import { SecretString } from "../../src/kit/secret-string.ts";

const stores = { databaseUrl: new SecretString("postgres://db/x"), redisUrl: new SecretString("redis://redis") };

test("one process serves by itself unless told", () => {
  expect(readSharing({}, { port: 0 })).toEqual({ processes: 1, sharedPort: undefined });
  expect(readSharing({ PROCESSES: "", SHARED_PORT: " " }, { port: 0 })).toEqual({
    processes: 1,
    sharedPort: undefined,
  });
  expect(readSharing({ PROCESSES: "4", SIP_SERVER: "" }, { port: 8080, ...stores })).toEqual({
    processes: 4,
    sharedPort: undefined,
  });
  expect(readSharing({ SHARED_PORT: "8080" }, { port: 8081, ...stores })).toEqual({ processes: 1, sharedPort: 8080 });
});

test.for([
  [{ PROCESSES: "0" }, { port: 8080, ...stores }, "PROCESSES must be a whole number from 1 to 64"],
  [{ PROCESSES: "many" }, { port: 8080, ...stores }, "PROCESSES must be a whole number from 1 to 64"],
  [{ SHARED_PORT: "65536" }, { port: 8080, ...stores }, "SHARED_PORT must be a whole number"],
  [{ PROCESSES: "2" }, { port: 0, ...stores }, "PROCESSES needs a PORT"],
  [{ PROCESSES: "2" }, { port: 65_534, ...stores }, "PROCESSES needs a PORT"],
  [{ PROCESSES: "2", SHARED_PORT: "9000" }, { port: 8080, ...stores }, "do not go together"],
  [{ SHARED_PORT: "8080" }, { port: 8080, ...stores }, "SHARED_PORT must not be PORT"],
  [{ PROCESSES: "2" }, { port: 8080 }, "share DATABASE_URL and REDIS_URL"],
  [{ SHARED_PORT: "8080" }, { port: 8081 }, "share DATABASE_URL and REDIS_URL"],
  [{ PROCESSES: "2", SIP_SERVER: "sip.example.com" }, { port: 8080, ...stores }, "SIP needs its own addresses"],
] as const)("%j is refused", ([env, config, message]) => {
  expect(() => readSharing(env, config)).toThrow(message);
});

test.runIf(process.platform === "linux")(
  "servers at one port get their share of the connections, until they stop",
  async () => {
    const answers = ["first", "second"];
    const scopes = answers.map((name) => new Scope(name));
    const servers: Server[] = answers.map((answer) => createServer((_request, response) => void response.end(answer)));
    onTestFinished(async () => {
      for (const scope of scopes) await scope.close();
      for (const server of servers) server.closeAllConnections();
    });
    const port = await freePort();
    for (const [index, server] of servers.entries())
      await listenTogether(server, { host: "127.0.0.1", port }, scopes[index] as Scope);
    const ask = async () =>
      (await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } })).text().catch(() => "");
    const heard = new Set<string>();
    for (let count = 0; count < 200 && heard.size < 2; count += 1) heard.add(await ask());
    expect([...heard].toSorted()).toEqual(answers);
    await scopes[0]?.close();
    for (let count = 0; count < 20; count += 1) expect(await ask()).toBe("second");
  },
);

const freePort = async (): Promise<number> => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
};
