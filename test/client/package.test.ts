import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiRig, KEY } from "../kit/api-rig.ts";

const run = promisify(execFile);
const TSC = resolve("node_modules/.bin/tsc");

let project: string;

/** A project of somebody else, with our package as npm would lay it down. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "call-engine-client-"));
  const home = join(project, "node_modules/call-engine");
  await mkdir(home, { recursive: true });
  await cp("package.json", join(home, "package.json"));
  await run(process.execPath, [TSC, "--project", "tsconfig.build.json", "--outDir", join(home, "dist")]);
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
});

afterAll(() => rm(project, { recursive: true, force: true }));

test("a plain program imports the built client from node_modules and uses it", async () => {
  const rig = new ApiRig();
  const origin = await rig.app.listen({ port: 0, host: "127.0.0.1" });
  await writeFile(
    join(project, "program.mjs"),
    `import { ApiProblem, createClient } from "call-engine/client";
     const client = createClient({ baseUrl: process.env.BASE, apiKey: process.env.KEY });
     await client.createAgent({ body: { name: "Ada", language: "en" } });
     for await (const agent of client.pages.listAgents()) console.log(agent.name);
     await client.getDial({ id: "none" }).catch((error) => console.log(error instanceof ApiProblem, error.code));`,
  );
  const env = { PATH: process.env["PATH"], BASE: `${origin}/api`, KEY };
  const { stdout } = await run(process.execPath, ["program.mjs"], { cwd: project, env });
  const lines = stdout.trim().split("\n");
  expect(lines).toContain("Ada");
  expect(lines.at(-1)).toBe("true dial_not_found");
  await rig.close();
});

test("a page's program gets the browser library, typed, and the worklet beside it", async () => {
  const page = `
import { createBrowserCall, type CallState } from "call-engine/browser";
const call = createBrowserCall({ dialId: "d", dialToken: "t", media: "socket" });
const states: CallState[] = [];
call.on("state", (state) => states.push(state));
call.on("transcript", ({ speaker, text }) => console.log(speaker.length, text));
// @ts-expect-error
call.on("nothing", () => undefined);
// @ts-expect-error
createBrowserCall({ dialId: "d" });
`;
  await writeFile(join(project, "page.ts"), page);
  const flags = ["--strict", "--noEmit", "--target", "es2024", "--module", "esnext", "--moduleResolution", "bundler"];
  const checked = run(process.execPath, [TSC, ...flags, "--lib", "es2024,dom", "--types", "", "page.ts"], {
    cwd: project,
  }).catch((error: unknown) => error as Readonly<{ stdout: string }>);
  expect((await checked).stdout).toBe("");
  const program = `const { createBrowserCall } = await import("call-engine/browser"); console.log(typeof createBrowserCall);
const { readFile } = await import("node:fs/promises");
const worklet = new URL(import.meta.resolve("call-engine/browser/sound-worklet.js"));
console.log((await readFile(worklet, "utf8")).includes("registerProcessor"));`;
  await writeFile(join(project, "page.mjs"), program);
  const { stdout } = await run(process.execPath, ["page.mjs"], { cwd: project });
  expect(stdout).toBe("function\ntrue\n");
});

const CONSUMER = `
import { createClient, type Agent, type Dial, type LiveEvent } from "call-engine/client";
const client = createClient({ baseUrl: "http://localhost:8080/api", apiKey: "sk_" });
const agent: Agent = await client.createAgent({ body: { name: "Ada", language: "en" } });
const dial: Dial = await client.getDial({ id: agent.id }, { timeoutMs: 100 });
const { data, cursor }: { data: { id: string }[]; cursor: string | null } = await client.listDials({ status: "busy", limit: 2 });
const sound: Blob = await client.getRecording({ id: dial.id, recordingId: "r" });
for await (const voice of client.pages.listVoices({ name: "x" })) console.log(voice.voiceType);
for await (const { id, event } of client.followDial(dial.id, { lastEventId: "1" })) {
  const seen: LiveEvent = event;
  if (event.type === "transcript") console.log(id, event.entry.text, seen, data, cursor, sound);
}
`;

/** Each of them must be a mistake, or the types say nothing. */
const MISTAKES = [
  `await client.createAgent({ body: { name: "Ada" } });`,
  `await client.createAgent({ body: { name: "Ada", language: "en", nmae: "x" } });`,
  `await client.getDial();`,
  `await client.getDial({});`,
  `await client.listDials({ status: "over" });`,
  `await client.updateAgent({ id: "a" });`,
  `client.pages.getDial({ id: "a" });`,
  `createClient({ baseUrl: "x" });`,
  `createClient({ baseUrl: "x", apiKey: "a", dialToken: "b" });`,
  `await client.createAgent({ body: { name: "Ada", language: "en" }, idempotencyKey: "x" });`,
  `(await client.getDial({ id: "a" })).nothing;`,
];

test.for(["nodenext", "bundler"])("a program's types are checked, with module resolution %s", async (resolution) => {
  const file = `consumer-${resolution}.ts`;
  const mistakes = MISTAKES.map((line) => `// @ts-expect-error\n${line}`).join("\n");
  await writeFile(join(project, file), `${CONSUMER}\n${mistakes}\n`);
  await symlink(resolve("node_modules/@types"), join(project, "node_modules/@types")).catch(() => undefined);
  const module = resolution === "bundler" ? "esnext" : resolution;
  const lib = resolution === "bundler" ? ["--lib", "es2024,dom,dom.asynciterable", "--types", ""] : ["--types", "node"];
  const flags = ["--strict", "--noEmit", "--target", "es2024", "--module", module, "--moduleResolution", resolution];
  const checked = run(process.execPath, [TSC, ...flags, ...lib, file], { cwd: project }).catch(
    (error: unknown) => error as Readonly<{ stdout: string }>,
  );
  expect((await checked).stdout).toBe("");
});

test("what a consumer gets names no file that is not there", async () => {
  const { exports } = JSON.parse(await readFile("package.json", "utf8")) as {
    exports: Record<string, string | Record<string, string>>;
  };
  for (const path of Object.values(exports["./client"] ?? {}))
    await expect(readFile(join(project, "node_modules/call-engine", path), "utf8")).resolves.toMatch(/createClient/);
});
