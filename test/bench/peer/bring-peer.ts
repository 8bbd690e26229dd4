import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { EngineProgram } from "../engine/engine-process.ts";

const HERE = import.meta.dirname;
const ROOT = resolve(HERE, "../../..");
const FILES = ["package.json", "package-lock.json"];
/** Some 200 MB have to come over the network. */
const MOST_MS = 600_000;
const COMPLETE = "complete";

/**
 * The peer, with its packages at the versions of the lockfile that lies here. They are brought once, into
 * `$XDG_CACHE_HOME/call-engine/peer` (`~/.cache/call-engine/peer`), without running any script of theirs.
 *
 * @throws {Error} where they cannot be had, or are not what `livekit.d.ts` says of them.
 */
export const bringPeer = (): EngineProgram => ({
  name: "the peer",
  args: [join(HERE, "peer.ts")],
  env: { LOG_LEVEL: "error", PEER_PACKAGES: packagesFolder() },
});

/** What is measured, as it is written in tables. */
export const peerName = (): string => {
  const { dependencies } = JSON.parse(readFileSync(join(HERE, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  return `@livekit/agents ${dependencies["@livekit/agents"]}`;
};

const packagesFolder = (): string => {
  const cacheHome = process.env["XDG_CACHE_HOME"] || join(process.env["HOME"] || homedir(), ".cache");
  const key = createHash("sha256").update(`${process.platform} ${process.arch} `);
  for (const name of FILES) key.update(readFileSync(join(HERE, name)));
  const folder = join(resolve(cacheHome, "call-engine", "peer"), key.digest("hex").slice(0, 16));
  if (!existsSync(join(folder, COMPLETE))) bring(folder);
  return folder;
};

/** Complete or not at all, and beside others that do the same. */
const bring = (folder: string): void => {
  console.error(`bringing ${peerName()} into ${folder} …`);
  mkdirSync(dirname(folder), { recursive: true });
  const into = mkdtempSync(`${folder}.`);
  try {
    for (const name of FILES) copyFileSync(join(HERE, name), join(into, name));
    const npm = process.env["npm_execpath"];
    const [program, ...first] = npm === undefined ? (["npm"] as const) : ([process.execPath, npm] as const);
    run(into, program, [...first, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    checkTypes(into);
    writeFileSync(join(into, COMPLETE), "");
    if (!existsSync(join(folder, COMPLETE))) {
      rmSync(folder, { recursive: true, force: true });
      renameSync(into, folder);
    }
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
};

/** Holds the program against the packages' own types, which are not there when the project's are checked. */
const checkTypes = (into: string): void => {
  const own = (name: string) => [`./node_modules/@livekit/${name}/dist/index.d.ts`];
  const config = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      paths: { "@livekit/agents": own("agents"), "@livekit/rtc-node": own("rtc-node") },
      typeRoots: [join(ROOT, "node_modules", "@types")],
    },
    files: [join(HERE, "peer-server.ts")],
    include: [],
  };
  writeFileSync(join(into, "tsconfig.json"), JSON.stringify(config));
  run(into, process.execPath, [join(ROOT, "node_modules", "typescript", "bin", "tsc"), "--project", into]);
};

const run = (cwd: string, program: string, args: readonly string[]): void => {
  // What they say is no figure: standard output is for those.
  const { status, error } = spawnSync(program, args, { cwd, stdio: ["ignore", 2, 2], timeout: MOST_MS });
  if (status === 0) return;
  throw new Error(`the peer cannot be had: ${program} ${args.join(" ")} failed in ${cwd}, see above`, { cause: error });
};
