import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const STORE_KEYS = { accessKeyId: "AKIATESTTESTTEST", secretAccessKey: "a-secret/of+the-test" };
const REGION = "eu-test-1";
const BUCKET = "calls";

type Signed = Readonly<{
  method: string;
  /** As it was sent. */
  target: string;
  headers: Readonly<Record<string, string | undefined>>;
}>;

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");

/**
 * The signature that a request must have by Signature Version 4, from the documents of Amazon S3 alone: it knows nothing of what signs.
 * `payload` is the digest that was signed, `names` the signed headers.
 */
export const signatureOf = (
  { method, target, headers }: Signed,
  parts: Readonly<{ secret: string; scope: string; time: string; names: readonly string[]; payload: string }>,
): string => {
  const { secret, scope, time, names, payload } = parts;
  const [path = "", query = ""] = target.split("?");
  const pairs = query
    .split("&")
    .filter((pair) => pair !== "" && !pair.startsWith("X-Amz-Signature="))
    .map((pair) => (pair.includes("=") ? pair : `${pair}=`))
    .toSorted((a, b) => (a < b ? -1 : 1));
  const lines = names.map((name) => `${name}:${(headers[name] ?? "").trim().replaceAll(/ +/g, " ")}\n`);
  const canonical = [method, path, pairs.join("&"), lines.join(""), names.join(";"), payload].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const key = scope.split("/").reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${secret}`);
  return hmac(key, toSign).toString("hex");
};

/** An S3-compatible store on loopback: one bucket, signatures checked, faults when asked for. */
export class ObjectStoreServer {
  readonly objects = new Map<string, Buffer>();
  /** Method and query of every request that was let in. */
  readonly requests: string[] = [];
  readonly uploads = new Map<string, Map<number, Buffer>>();
  /** Answers 503 to so many requests. */
  failing = 0;
  /** Breaks so many connections without an answer. */
  breaking = 0;
  /** Lets so many requests through, and then answers 503 to all. */
  lastBeforeOutage = Number.POSITIVE_INFINITY;
  readonly #server = createServer((request, response) => {
    void this.#answer(request, response);
  });

  static async start(): Promise<ObjectStoreServer> {
    const server = new ObjectStoreServer();
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get settings() {
    const { port } = this.#server.address() as AddressInfo;
    return { endpoint: `http://127.0.0.1:${port}`, bucket: BUCKET, region: REGION, ...STORE_KEYS };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (this.breaking > 0) {
      this.breaking -= 1;
      request.socket.destroy();
      return;
    }
    if (this.failing > 0 || this.lastBeforeOutage <= 0) {
      this.failing -= 1;
      response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
      return;
    }
    this.lastBeforeOutage -= 1;
    const why = whyRefused(request, body);
    if (why !== undefined) {
      response.writeHead(403).end(`<Error><Code>${why}</Code></Error>`);
      return;
    }
    const url = new URL(request.url ?? "", "http://store");
    this.requests.push(
      `${request.method} ${[...url.searchParams.keys()].filter((name) => !name.startsWith("X-Amz")).join(" ")}`.trim(),
    );
    const key = decodeURIComponent(url.pathname.slice(BUCKET.length + 2));
    this.#serve(request, response, { key, query: url.searchParams, body });
  }

  #serve(
    request: IncomingMessage,
    response: ServerResponse,
    { key, query, body }: Readonly<{ key: string; query: URLSearchParams; body: Buffer }>,
  ): void {
    const uploadId = query.get("uploadId");
    if (uploadId !== null || query.has("uploads")) {
      this.#serveParts(request, response, { key, uploadId, number: Number(query.get("partNumber")), body });
      return;
    }
    const object = this.objects.get(key);
    if (query.get("list-type") === "2") {
      const keys = [...this.objects.keys()].filter((one) => one.startsWith(query.get("prefix") ?? ""));
      response.end(
        `<ListBucketResult>${keys.map((one) => `<Contents><Key>${one}</Key></Contents>`).join("")}</ListBucketResult>`,
      );
    } else if (request.method === "PUT") {
      this.objects.set(key, body);
      response.end();
    } else if (request.method === "DELETE") {
      this.objects.delete(key);
      response.writeHead(204).end();
    } else if (object === undefined) response.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>");
    else if (request.method === "HEAD") response.writeHead(200, { "content-length": object.length }).end();
    else {
      const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
      if (start === undefined) response.end(object);
      else response.writeHead(206).end(object.subarray(Number(start), Number(end) + 1));
    }
  }

  #serveParts(
    request: IncomingMessage,
    response: ServerResponse,
    { key, uploadId, number, body }: Readonly<{ key: string; uploadId: string | null; number: number; body: Buffer }>,
  ): void {
    const parts = this.uploads.get(uploadId ?? "");
    if (uploadId === null) {
      const id = `upload-${this.uploads.size + 1}`;
      this.uploads.set(id, new Map());
      response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    } else if (parts === undefined) response.writeHead(404).end("<Error><Code>NoSuchUpload</Code></Error>");
    else if (request.method === "PUT") {
      parts.set(number, body);
      response.writeHead(200, { etag: `"${sha256(body).slice(0, 32)}"` }).end();
    } else {
      const tags = [...body.toString().matchAll(/<ETag>(.*?)<\/ETag>/g)].map(([, tag]) => tag);
      const held = [...parts].toSorted(([a], [b]) => a - b).map(([, bytes]) => bytes);
      const whole = held.map((bytes) => `"${sha256(bytes).slice(0, 32)}"`).join() === tags.join();
      if (whole) {
        this.objects.set(key, Buffer.concat(held));
        this.uploads.delete(uploadId);
      }
      response.end(whole ? "<CompleteMultipartUploadResult/>" : "<Error><Code>InvalidPart</Code></Error>");
    }
  }
}

/** Why S3 would not let a request in. */
const whyRefused = (request: IncomingMessage, body: Buffer): string | undefined => {
  const target = request.url ?? "";
  const query = new URL(target, "http://store").searchParams;
  const header = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
    request.headers.authorization ?? "",
  );
  const [credential, names, signature] = header?.slice(1) ?? [
    query.get("X-Amz-Credential"),
    query.get("X-Amz-SignedHeaders"),
    query.get("X-Amz-Signature"),
  ];
  if (!credential || !names || !signature) return "AccessDenied";
  const [accessKeyId, ...scope] = credential.split("/");
  if (accessKeyId !== STORE_KEYS.accessKeyId) return "InvalidAccessKeyId";
  if (scope.slice(1).join("/") !== `${REGION}/s3/aws4_request`) return "AuthorizationHeaderMalformed";
  const headers = request.headers as Record<string, string | undefined>;
  const payload = header === null ? "UNSIGNED-PAYLOAD" : (headers["x-amz-content-sha256"] ?? "");
  if (header !== null && payload !== sha256(body)) return "XAmzContentSHA256Mismatch";
  if (!names.split(";").includes("host")) return "AccessDenied";
  const time = (header === null ? query.get("X-Amz-Date") : headers["x-amz-date"]) ?? "";
  const expected = signatureOf(
    { method: request.method ?? "", target, headers },
    { secret: STORE_KEYS.secretAccessKey, scope: scope.join("/"), time, names: names.split(";"), payload },
  );
  if (header === null && Number(query.get("X-Amz-Expires")) > 300) return "TooLong";
  return expected === signature ? undefined : "SignatureDoesNotMatch";
};
