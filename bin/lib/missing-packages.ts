/**
 * Lists the packages that package-lock.json names for this platform and that node_modules lacks; exits with 1 when there are any.
 *
 * npm skips an optional package in silence when its download fails, and an interrupted install leaves folders half filled, so
 * neither the presence of node_modules nor npm's exit code is proof.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

type LockedPackage = Readonly<{
  version?: string;
  integrity?: string;
  os?: readonly string[];
  cpu?: readonly string[];
  libc?: readonly string[];
  optional?: boolean;
  devOptional?: boolean;
}>;
type Lockfile = Readonly<{ packages: Readonly<Record<string, LockedPackage>> }>;

const root = process.argv[2] ?? ".";

const readLockfile = (path: string): Lockfile =>
  existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Lockfile) : { packages: {} };

const admits = (list: readonly string[] | undefined, value: string): boolean =>
  list === undefined ||
  list.includes(value) ||
  (list.every((entry) => entry.startsWith("!")) && !list.includes(`!${value}`));

/** Optional packages that name no platform hang below one that does, and are there or not with it. */
const isNeeded = (locked: LockedPackage): boolean =>
  locked.optional === true || locked.devOptional === true
    ? (locked.os ?? locked.cpu) !== undefined && fitsMachine(locked)
    : fitsMachine(locked);

const fitsMachine = ({ os, cpu, libc }: LockedPackage): boolean =>
  admits(os, process.platform) && admits(cpu, process.arch) && admits(libc, "glibc");

const wanted = readLockfile(join(root, "package-lock.json")).packages;
// npm writes it as the last step of an install.
const present = readLockfile(join(root, "node_modules/.package-lock.json")).packages;

const missing = Object.entries(wanted).filter(
  ([path, locked]) =>
    path !== "" &&
    isNeeded(locked) &&
    (present[path]?.version !== locked.version ||
      present[path]?.integrity !== locked.integrity ||
      !existsSync(join(root, path, "package.json"))),
);
const stale = Object.keys(present).filter((path) => wanted[path] === undefined);

for (const [path, { version }] of missing) console.log(`missing ${path} ${version ?? ""}`);
for (const path of stale) console.log(`not in the lockfile: ${path}`);
process.exitCode = missing.length + stale.length > 0 ? 1 : 0;
