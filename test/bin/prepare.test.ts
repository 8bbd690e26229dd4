import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Clone } from "./clone.ts";

let clone: Clone;

beforeEach(() => {
  clone = new Clone();
});

afterEach(() => {
  rmSync(clone.home, { recursive: true, force: true });
});

const npmCalls = (): number => {
  const log = join(clone.home, "npm-calls");
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0;
};

const oldNode = () => {
  rmSync(join(clone.programs, "node"));
  clone.program("node", 'echo v20.20.2; [ "$1" = --version ]');
};

/** A PATH with nothing but these programs of the system. */
const bare = (...names: readonly string[]): string => {
  const folder = join(clone.home, "bare");
  mkdirSync(folder);
  for (const name of names) symlinkSync(execFileSync("which", [name], { encoding: "utf8" }).trim(), join(folder, name));
  return folder;
};

const shellTools = [
  "sh",
  "readlink",
  "uname",
  "id",
  "mkdir",
  "rm",
  "mv",
  "cut",
  "cat",
  "cmp",
  "sleep",
  "sha512sum",
  "tar",
] as const;

test("a script runs through a symbolic link from elsewhere, with its arguments, and adds nothing to standard output", async () => {
  clone.install();
  const link = join(clone.home, "link");
  symlinkSync(join(clone.root, "bin/call-engine"), link);
  const { code, stdout, stderr } = await clone.run(link, ["chat", "two words", "$HOME *", ""]);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({ args: ["chat", "two words", "$HOME *", ""], cwd: clone.home });
  expect(code).toBe(0);
});

test("bin/start runs all roles, and its signals and exit code are the program's own", async () => {
  clone.install();
  clone.write(
    "src/main.ts",
    'process.on("SIGTERM", () => process.exit(42)); console.log(process.argv[2]); setInterval(() => 0, 1000);',
  );
  const child = clone.start("bin/start");
  if (child.stdout === null) throw new Error("its output is piped");
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  expect(line.toString()).toBe("all\n");
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([42, null]);
});

test("young objects have their room, unless somebody who starts the program says otherwise", async () => {
  clone.install();
  clone.write("src/main.ts", 'console.log(process.env["NODE_OPTIONS"]);');
  expect(await clone.run("bin/start")).toMatchObject({ stdout: "--max-semi-space-size=32\n" });
  const env = { NODE_OPTIONS: "--max-semi-space-size=64" };
  expect(await clone.run("bin/start", [], env)).toMatchObject({
    stdout: "--max-semi-space-size=32 --max-semi-space-size=64\n",
  });
});

test("packages are installed once, and again only when the lockfile changes", async () => {
  clone.npm();
  const first = await clone.run("bin/call-engine");
  expect(first).toMatchObject({ code: 0, stderr: "call-engine: installing packages (npm ci)\n" });
  expect(JSON.parse(first.stdout)).toMatchObject({ args: [] });
  await clone.run("bin/call-engine");
  expect(npmCalls()).toBe(1);

  clone.lock("1.0.1");
  await clone.run("bin/call-engine");
  expect(npmCalls()).toBe(2);
});

test("packages that somebody installed by npm itself are kept", async () => {
  clone.npm();
  clone.install();
  expect(await clone.run("bin/call-engine")).toMatchObject({ code: 0, stderr: "" });
  expect(npmCalls()).toBe(0);
});

test("two scripts at once install once", async () => {
  clone.npm();
  const outcomes = await Promise.all([
    clone.run("bin/call-engine"),
    clone.run("bin/call-engine"),
    clone.run("bin/start"),
  ]);
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(npmCalls()).toBe(1);
});

test("an install that failed is repaired by the next run", async () => {
  clone.npm("false");
  const failed = await clone.run("bin/call-engine");
  expect(failed).toMatchObject({ code: 1, stdout: "" });
  expect(failed.stderr).toContain("npm ci failed");
  clone.npm();
  expect(await clone.run("bin/call-engine")).toMatchObject({ code: 0 });
});

test("an install that left a package out is not taken for complete", async () => {
  clone.npm("exit 0");
  const { code, stderr } = await clone.run("bin/call-engine");
  expect(code).toBe(1);
  expect(stderr).toContain("missing node_modules/one 1.0.0");
  clone.npm();
  expect(await clone.run("bin/call-engine")).toMatchObject({ code: 0 });
});

test("an older Node on PATH gives way to the one in .node", async () => {
  oldNode();
  clone.install();
  mkdirSync(join(clone.root, ".node/24/package/bin"), { recursive: true });
  symlinkSync(process.execPath, join(clone.root, ".node/24/package/bin/node"));
  expect(await clone.run("bin/call-engine", ["models"])).toMatchObject({ code: 0, stderr: "" });
});

test("a Node that arrives altered is refused and leaves nothing behind", async () => {
  oldNode();
  clone.program("npm", 'echo forged >node.tgz; echo "$@" >&2');
  const { code, stdout, stderr } = await clone.run("bin/call-engine");
  expect(stderr).toContain("arrived damaged or altered");
  expect(stderr).toMatch(/pack --silent node-\S+@2\d\.\d+\.\d+/);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(readdirSync(join(clone.root, ".node")).filter((name) => !name.startsWith("lock"))).toEqual([]);
});

test("a machine that can fetch nothing is told what to install", async () => {
  const { code, stderr } = await clone.run("bin/start", [], { PATH: bare(...shellTools) });
  expect(stderr).toContain("there is no npm, curl or wget");
  expect(stderr).toContain("install Node 24.11 or newer");
  expect(code).toBe(1);
});

test("a system without flock has a lock as well", async () => {
  clone.npm();
  const env = { PATH: `${clone.programs}:${bare(...shellTools, "rmdir", "cp")}` };
  const outcomes = await Promise.all([clone.run("bin/call-engine", [], env), clone.run("bin/call-engine", [], env)]);
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
  expect(npmCalls()).toBe(1);
  expect(existsSync(join(clone.root, ".node/lock.d"))).toBe(false);
});

test("an install that was killed midway is repaired by the next run, which finds no lock", async () => {
  clone.npm("echo halfway; sleep 60");
  const child = clone.start("bin/call-engine");
  if (child.stderr === null || child.pid === undefined) throw new Error("it runs with its output piped");
  for await (const said of child.stderr) if (String(said).includes("halfway")) break;
  process.kill(-child.pid, "SIGKILL");
  clone.npm();
  expect(await clone.run("bin/call-engine")).toMatchObject({ code: 0 });
  expect(npmCalls()).toBe(2);
});
