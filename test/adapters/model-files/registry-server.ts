import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { create } from "tar";
import type { ModelPackage } from "../../../src/adapters/model-files/manifest.ts";

/** How the server answers a request for the archive. */
export type ArchiveAnswer = (request: IncomingMessage, response: ServerResponse, archive: Buffer) => void;

/** The archive of a package with the given files, and what the manifest would say of it. */
export const makePackage = async (
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<Readonly<{ carrier: ModelPackage; archive: Buffer }>> => {
  const folder = await mkdtemp(join(tmpdir(), "package-"));
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, "package", path)), { recursive: true });
      await writeFile(join(folder, "package", path), content);
    }
    await create({ file: join(folder, "archive.tgz"), cwd: folder, gzip: true }, ["package"]);
    const archive = await readFile(join(folder, "archive.tgz"));
    const carrier: ModelPackage = {
      name,
      version: "1.0.0",
      integrity: `sha512-${createHash("sha512").update(archive).digest("base64")}`,
      licence: "MIT",
      files: Object.entries(files).map(([path, content]) => ({
        name: path.replaceAll("/", "-"),
        path,
        bytes: Buffer.byteLength(content),
        sha256: createHash("sha256").update(content).digest("hex"),
        slot: "vad",
        tier: 1,
      })),
    };
    return { carrier, archive };
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** Whole, or the rest of it when a range is asked for. */
export const wellBehaved: ArchiveAnswer = (request, response, archive) => {
  const from = Number(/^bytes=(?<from>\d+)-$/.exec(request.headers.range ?? "")?.groups?.["from"] ?? "0");
  if (from >= archive.length) response.writeHead(416).end();
  else if (from > 0) {
    response.writeHead(206, {
      "content-length": archive.length - from,
      "content-range": `bytes ${from}-${archive.length - 1}/${archive.length}`,
    });
    response.end(archive.subarray(from));
  } else response.writeHead(200, { "content-length": archive.length }).end(archive);
};

/** A registry on loopback with one package. It names npm's own registry for the archive, as mirrors do. */
export class RegistryServer {
  readonly requests: string[] = [];
  readonly #server: Server;
  /** Answers to requests for the archive, used up one by one; the last one stays. */
  #answers: ArchiveAnswer[] = [wellBehaved];

  constructor(carrier: ModelPackage, archive: Buffer) {
    this.#server = createServer((request, response) => {
      this.requests.push(
        `${request.url ?? ""}${request.headers.range === undefined ? "" : ` ${request.headers.range}`}`,
      );
      if (request.url?.endsWith(".tgz") === true) {
        const [answer] = this.#answers.length > 1 ? this.#answers.splice(0, 1) : this.#answers;
        answer?.(request, response, archive);
        return;
      }
      const tarball = `https://registry.npmjs.org/${carrier.name}/-/archive-1.0.0.tgz`;
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ dist: { tarball } }));
    });
  }

  /** Starts it and answers its URL. */
  async start(...answers: readonly ArchiveAnswer[]): Promise<string> {
    if (answers.length > 0) this.#answers = [...answers];
    await new Promise<void>((resolve) => {
      this.#server.listen(0, "127.0.0.1", resolve);
    });
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the server has no port");
    return `http://127.0.0.1:${address.port}/`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
