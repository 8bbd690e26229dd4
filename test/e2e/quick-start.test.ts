import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type RunningService } from "./running-service.ts";

const run = promisify(execFile);

let project: string;
let service: RunningService;
let guide: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "call-engine-quick-"));
  await chmod(project, 0o711);
  guide = await readFile("docs/quick-start.md", "utf8");
  service = await startService({ DATA_DIR: join(project, "data") });
});

afterAll(async () => {
  expect(await service.end("SIGTERM")).toBe(0);
  await rm(project, { recursive: true, force: true });
});

/** The examples of one language, in their order. */
const examples = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(([, text]) => text as string);

test.concurrent("the commands of the quick start work as they stand, one after the other", async () => {
  const commands = examples("sh");
  // Only where the service is differs from a reader's machine.
  const script = commands.join("\n").replace("http://localhost:8080/api", service.baseUrl);
  expect(script).toContain(service.baseUrl);
  // The last one shows an error on purpose, and a pipe passes over that one.
  const { stdout } = await run("bash", ["-euc", script], { cwd: project, timeout: 110_000 });
  expect(stdout).toMatch(/^event: transcript$/m);
  expect(stdout).toMatch(/"AI: Hello Sarah, this is the front desk\. How can I help\?"/);
  expect(stdout).toMatch(/^completed$/m);
  expect(stdout).toContain('"code": "validation_failed"');
  expect((await stat(join(project, "call.wav"))).size).toBeGreaterThan(10_000);
});

test.concurrent("the program of the quick start runs with the built client", async () => {
  const home = join(project, "node_modules/call-engine");
  await mkdir(home, { recursive: true });
  await cp("package.json", join(home, "package.json"));
  const tsc = resolve("node_modules/.bin/tsc");
  await run(process.execPath, [tsc, "--project", "tsconfig.build.json", "--outDir", join(home, "dist")]);
  const [program] = examples("js");
  await writeFile(join(project, "program.mjs"), program as string);
  const env = { PATH: process.env["PATH"], BASE: service.baseUrl, KEY: service.apiKey };
  const { stdout } = await run(process.execPath, ["program.mjs"], { cwd: project, env, timeout: 110_000 });
  expect(stdout).toMatch(/^queued$(.|\n)*^completed$/m);
  expect(stdout).toMatch(/^AI: Hello Sarah/m);
  expect(stdout).toMatch(/counterparty_hangup/);
  expect(stdout).toMatch(/^dial_not_found \S+$/m);
});
