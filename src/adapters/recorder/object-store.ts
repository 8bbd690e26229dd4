import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { AwsV4Signer } from "aws4fetch";
import { backoff } from "../../kit/backoff.ts";
import type { SecretString } from "../../kit/secret-string.ts";
import { sleep, type Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";

/** Where the store is and who we are there. Buckets are named in the path, which every S3-compatible store understands. */
export type ObjectStoreSettings = Readonly<{
  /** Such as `https://s3.eu-central-1.amazonaws.com`, without a slash at the end. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: SecretString;
}>;

/** The store refused a request, or did not answer; the message says which and by what, without key or address. */
export class ObjectStoreError extends Error {
  override readonly name = "ObjectStoreError";
  /** Of the last answer; absent where there was none. */
  readonly status: number | undefined;

  constructor(what: string, status: number | undefined, cause?: unknown) {
    super(
      status === undefined
        ? `the object store did not answer (${what}); see whether S3_ENDPOINT can be reached`
        : `the object store answered ${status} (${what}); see whether bucket and keys are right`,
      { cause },
    );
    this.status = status;
  }
}

type Request = Readonly<{
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  key?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** Statuses that are answers beside 2xx. */
  expected?: readonly number[];
}>;

/** A part of 8 MiB over a slow line takes so long, in milliseconds. */
const ANSWER_MS = 120_000;

const ATTEMPTS = 4;
const PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4000;

/** Signed addresses lead to the sound for five minutes: long enough for a player to begin. */
const ADDRESS_SECONDS = 300;

/**
 * One bucket of a store that speaks S3, by signed requests (Signature Version 4). Everything here may be repeated, and is, when the
 * store does not answer or says that it cannot now. Rejects with {@link ObjectStoreError}.
 */
export class ObjectStore {
  readonly #settings: ObjectStoreSettings;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #closing = new AbortController();

  constructor(settings: ObjectStoreSettings, deps: Readonly<{ clock: Clock; random: Random }>) {
    this.#settings = settings;
    this.#clock = deps.clock;
    this.#random = deps.random;
  }

  async put(key: string, body: Uint8Array, contentType: string): Promise<void> {
    await this.#text({ method: "PUT", key, body, headers: { "content-type": contentType } });
  }

  /** Begins an upload in parts; answers its id. */
  async beginParts(key: string, contentType: string): Promise<string> {
    const headers = { "content-type": contentType };
    const answer = await this.#text({ method: "POST", key, query: { uploads: "" }, headers });
    return elementOf(answer, "UploadId") ?? fail("an upload without an id");
  }

  /** Answers the part's tag. `number` counts from 1. */
  async putPart(key: string, uploadId: string, number: number, body: Uint8Array): Promise<string> {
    const query = { partNumber: String(number), uploadId };
    const response = await this.#ask({ method: "PUT", key, query, body });
    await response.arrayBuffer();
    return response.headers.get("etag") ?? fail("a part without a tag");
  }

  /** Makes one object of the parts, whose tags are given in order. */
  async joinParts(key: string, uploadId: string, tags: readonly string[]): Promise<void> {
    const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
    const answer = await this.#text({ method: "POST", key, query: { uploadId }, body });
    // The status is sent before the work is done, so that a failure comes as a body.
    if (answer.includes("<Error>")) throw new ObjectStoreError("joining parts", 200);
  }

  /** The length of an object in bytes; `undefined` for none. */
  async sizeOf(key: string): Promise<number | undefined> {
    const response = await this.#ask({ method: "HEAD", key, expected: [404] });
    return response.ok ? Number(response.headers.get("content-length")) : undefined;
  }

  async read(key: string, range: Readonly<{ start: number; end: number }>): Promise<Readable> {
    const headers = { range: `bytes=${range.start}-${range.end}` };
    const { body } = await this.#ask({ method: "GET", key, headers });
    return body === null ? Readable.from([]) : Readable.fromWeb(body);
  }

  /** The keys below a prefix, 1000 at most. Ours have no characters that XML would write otherwise. */
  async keysBelow(prefix: string): Promise<readonly string[]> {
    const answer = await this.#text({ method: "GET", query: { "list-type": "2", prefix } });
    return [...answer.matchAll(/<Key>([^<&]*)<\/Key>/g)].map(([, key = ""]) => key);
  }

  async remove(key: string): Promise<void> {
    await this.#text({ method: "DELETE", key, expected: [404] });
  }

  /** An address at which anybody may fetch the object for five minutes. */
  async addressOf(key: string): Promise<string> {
    const url = this.#urlOf({ method: "GET", key, query: { "X-Amz-Expires": String(ADDRESS_SECONDS) } });
    const { url: signed } = await this.#sign({ method: "GET" }, url, true);
    return signed.href;
  }

  /** Breaks off what is under way. Idempotent. */
  close(): void {
    this.#closing.abort(new Error("the object store is closed"));
  }

  async #text(request: Request): Promise<string> {
    return (await this.#ask(request)).text();
  }

  async #ask(request: Request): Promise<Response> {
    const what = `${request.method} ${Object.keys(request.query ?? {}).join(" ")}`.trim();
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#askOnce(request);
      if (outcome instanceof Response) {
        if (outcome.ok || request.expected?.includes(outcome.status) === true) return outcome;
        await outcome.arrayBuffer().catch(() => undefined);
      }
      const status = outcome instanceof Response ? outcome.status : undefined;
      const passing = status === undefined || status >= 500 || status === 429 || status === 408;
      if (!passing || attempt + 1 === ATTEMPTS || this.#closing.signal.aborted)
        throw new ObjectStoreError(what, status, outcome instanceof Response ? undefined : outcome);
      await sleep(
        this.#clock,
        PAUSE_MS + backoff(this.#random, attempt, PAUSE_MS, LONGEST_PAUSE_MS),
        this.#closing.signal,
      );
    }
  }

  /** An answer, or why there was none. */
  async #askOnce(request: Request): Promise<Response | Error> {
    const { url, headers } = await this.#sign(request, this.#urlOf(request), false);
    const late = new AbortController();
    const stop = () => {
      late.abort(this.#closing.signal.reason);
    };
    this.#closing.signal.addEventListener("abort", stop, { once: true });
    const timer = this.#clock.setTimer(ANSWER_MS, () => {
      late.abort(new Error(`no answer in ${ANSWER_MS} ms`));
    });
    try {
      return await fetch(url, {
        method: request.method,
        headers,
        body: (request.body as Uint8Array<ArrayBuffer> | undefined) ?? null,
        redirect: "error",
        signal: late.signal,
      });
    } catch (error) {
      return error instanceof Error ? error : new Error("the request failed", { cause: error });
    } finally {
      timer.cancel();
      this.#closing.signal.removeEventListener("abort", stop);
    }
  }

  #urlOf({ key, query = {} }: Request): URL {
    const { endpoint, bucket } = this.#settings;
    const url = new URL(`${endpoint}/${bucket}${key === undefined ? "" : `/${key}`}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  /** The signature covers the body's digest, so that a body that is changed on its way is refused. */
  #sign(request: Request, url: URL, inAddress: boolean) {
    const { accessKeyId, secretAccessKey, region } = this.#settings;
    const digest = createHash("sha256")
      .update(request.body ?? "")
      .digest("hex");
    return new AwsV4Signer({
      method: request.method,
      url: url.href,
      headers: inAddress ? {} : { ...request.headers, "x-amz-content-sha256": digest },
      accessKeyId,
      secretAccessKey: secretAccessKey.reveal(),
      region,
      service: "s3",
      datetime: new Date(this.#clock.now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ""),
      signQuery: inAddress,
    }).sign();
  }
}

const elementOf = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml)?.[1];

const fail = (what: string): never => {
  throw new Error(`the object store answered ${what}, which S3 does not do`);
};
