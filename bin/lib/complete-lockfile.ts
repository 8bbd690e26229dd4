/**
 * Adds to package-lock.json the optional packages of other platforms that npm left out; with --check it only lists them and exits
 * with 1 when there are any.
 *
 * `npm install` drops an optional package from the lockfile when the registry in use does not have it, and `npm ci` then refuses the
 * whole lockfile. The entries that are added here name version and platform but no hash, so a machine of that platform can install
 * them, and all others skip them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

type Entry = Record<string, unknown> & {
  version?: string;
  dev?: boolean;
  optionalDependencies?: Readonly<Record<string, string>>;
};
type Lockfile = { packages: Record<string, Entry> };

const systems = new Set([
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
]);
const processors = new Set([
  "arm",
  "arm64",
  "ia32",
  "loong64",
  "mips64el",
  "ppc64",
  "riscv64",
  "s390x",
  "wasm32",
  "x64",
]);

const path = join(resolve(import.meta.dirname, "../.."), "package-lock.json");
const lockfile = JSON.parse(readFileSync(path, "utf8")) as Lockfile;

/** Where Node would look for package `name` from the package at `from`: nested first, then outwards. */
const isLocked = (name: string, from: string): boolean => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))) {
    if (lockfile.packages[folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`] !== undefined)
      return true;
    if (folder === "") return false;
  }
};

const platformEntry = (name: string, version: string, owner: Entry): Entry => {
  const words = name.split(/[/-]/);
  const os = words.filter((word) => systems.has(word));
  const cpu = words.filter((word) => processors.has(word));
  if (os.length === 0 || cpu.length === 0)
    throw new Error(`cannot tell the platform of ${name}: add it to the lockfile by hand`);
  return {
    version,
    cpu,
    ...(owner.dev === true ? { dev: true } : {}),
    ...(words.includes("musl") ? { libc: ["musl"] } : {}),
    optional: true,
    os,
  };
};

const added: string[] = [];
for (const [from, owner] of Object.entries(lockfile.packages)) {
  for (const [name, wanted] of Object.entries(owner.optionalDependencies ?? {})) {
    if (isLocked(name, from)) continue;
    const version = /\d+\.\d+\.\d+[\w.+-]*/.exec(wanted)?.[0] ?? owner.version;
    if (version === undefined) throw new Error(`cannot tell the version of ${name} (${wanted})`);
    lockfile.packages[`node_modules/${name}`] = platformEntry(name, version, owner);
    added.push(`${name}@${version}`);
  }
}

const check = process.argv.includes("--check");
if (added.length > 0 && !check) {
  const { "": project, ...rest } = lockfile.packages;
  const sorted = Object.fromEntries(Object.entries(rest).toSorted(([a], [b]) => a.localeCompare(b, "en")));
  lockfile.packages = { ...(project === undefined ? {} : { "": project }), ...sorted };
  writeFileSync(path, `${JSON.stringify(lockfile, null, 2)}\n`);
}
for (const name of added) console.log(`${check ? "missing" : "added"} ${name}`);
if (check && added.length > 0) {
  console.log("npm ci will refuse this lockfile; complete it with: node bin/lib/complete-lockfile.ts");
  process.exitCode = 1;
}
