import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const ROOT = resolve(import.meta.dirname, "../..");

/** Where the types lie that belong to the .proto files. */
export const TYPES_FOLDER = join(ROOT, "src/grpc/generated");

const FILES = [
  "callengine/models/v1/models.proto",
  "callengine/control/v1/control.proto",
  "grpc/health/v1/health.proto",
];

// What src/grpc/protocols.ts loads the files with.
const FORM = ["--longs=Number", "--enums=String", "--defaults", "--oneofs", "--includeComments"];

/** The types of every message and service, by their path in the folder. @throws Error when a .proto file is not valid. */
export const grpcTypes = async (): Promise<ReadonlyMap<string, string>> => {
  const folder = await mkdtemp(join(tmpdir(), "call-engine-grpc-"));
  try {
    await promisify(execFile)(
      join(ROOT, "node_modules/.bin/proto-loader-gen-types"),
      [...FORM, "--grpcLib=@grpc/grpc-js", "--importFileExtension=.ts", `--outDir=${folder}`, ...FILES],
      { cwd: join(ROOT, "proto"), timeout: 60_000 },
    );
    return await readTypes(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** The TypeScript files below a folder, by their path in it. */
export const readTypes = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(".ts")).toSorted();
  const files = paths.map(async (path) => [path, await readFile(join(folder, path), "utf8")] as const);
  return new Map(await Promise.all(files));
};

/** Writes the folder anew. */
export const writeGrpcTypes = async (): Promise<void> => {
  const types = await grpcTypes();
  await rm(TYPES_FOLDER, { recursive: true, force: true });
  for (const [path, text] of types) {
    await mkdir(dirname(join(TYPES_FOLDER, path)), { recursive: true });
    await writeFile(join(TYPES_FOLDER, path), text);
  }
};
