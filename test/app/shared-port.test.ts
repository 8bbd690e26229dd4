import { createServer, type Server } from "node:http";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listenTogether, readSharing } from "../../src/app/shared-port.ts";
import { Scope } from "../../src/kit/scope.ts";
import { SecretString } from "../../src/kit/secret-string.ts";

const stores = { databaseUrl: new SecretString("postgres://db/x"), redisUrl: new SecretString("redis://redis") };

test("one process serves by itself unless told", async () => {
  expect(await readSharing({}, { port: 0 })).toEqual({ processes: 1, sharedPort: undefined });
  expect(await readSharing({ PROCESSES: "", SHARED_PORT: " " }, { port: 0 })).toEqual({
    processes: 1,
    sharedPort: undefined,
  });
  expect(await readSharing({ PROCESSES: "4", SIP_SERVER: "" }, { port: 8080, ...stores })).toEqual({
    processes: 4,
    sharedPort: undefined,
  });
  expect(await readSharing({ SHARED_PORT: "8080" }, { port: 8081, ...stores })).toEqual({
    processes: 1,
    sharedPort: 8080,
  });
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
  [{ SHARED_PORT: "8080", SIP_SERVER: "sip.example.com" }, { port: 8081, ...stores }, "needs its own addresses"],
  [
    { PROCESSES: "2", SIP_SERVER: "sip.example.com" },
    { port: 8080, ...stores },
    'the sip account "sip" needs its own addresses',
  ],
] as const)("%j is refused", async ([env, config, message]) => {
  await expect(readSharing(env, config)).rejects.toThrow(message);
});

test("accounts of a file are refused as well where they need addresses of their own, and no others", async () => {
  const folder = await mkdtemp(join(tmpdir(), "call-engine-sharing-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const reading = async (carrier: string, settings: Readonly<Record<string, string>>, processes = "2") => {
    const path = join(folder, `${carrier}.json`);
    await writeFile(path, JSON.stringify({ accounts: [{ id: "office", carrier, settings }] }));
    return readSharing({ PROCESSES: processes, ACCOUNTS_FILE: path }, { port: 8080, ...stores });
  };
  const trunk = { SIP_SERVER: "sip.example.com" };
  await expect(reading("sip", trunk)).rejects.toThrow('the sip account "office" needs its own addresses');
  expect(await reading("sip", trunk, "1")).toMatchObject({ processes: 1 });
  expect(await reading("plivo", { PLIVO_AUTH_ID: "MA", PLIVO_AUTH_TOKEN: "x" })).toMatchObject({ processes: 2 });
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
