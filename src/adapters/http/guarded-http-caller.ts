import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector, Client, type Dispatcher } from "undici";
import { toError } from "../../kit/errors.ts";
import { isPublicAddress } from "../../kit/public-address.ts";
import { Scope } from "../../kit/scope.ts";
import type { Clock } from "../../ports/clock.ts";
import type { HttpCaller, HttpOutcome, HttpPost } from "../../ports/http-caller.ts";

/** One address of a name. */
export type Resolved = Readonly<{ address: string; family: number }>;

export type GuardedHttpDeps = Readonly<{
  clock: Clock;
  /** Lets calls lead into private networks, over http and to any port. */
  allowPrivateNetwork: boolean;
  /** All addresses of a name; the operating system's answer when absent. */
  resolve?: ((host: string) => Promise<readonly Resolved[]>) | undefined;
  /** Ports that may be called, as the URL parser writes them; {@link PORTS} when absent. */
  ports?: ReadonlySet<string> | undefined;
}>;

/** Where web servers of customers listen; other ports are other protocols, and some understand a POST. */
const PORTS: ReadonlySet<string> = new Set(["", "443", "8443"]);

/** Headers that frame the message or name its target, and are made here. */
const OURS: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "keep-alive",
  "content-length",
  "transfer-encoding",
  "te",
  "trailer",
  "upgrade",
  "expect",
  "accept-encoding",
  "proxy-authorization",
  "proxy-connection",
]);

/** Largest head of an answer, in bytes. */
const MAX_HEAD_BYTES = 16_384;

/**
 * An HTTP client that cannot be led astray. The name is looked up once, every address that it has must be public, and the connection
 * goes to one of exactly these addresses: there is no second look-up that could answer differently. Each request has a connection of
 * its own, so that none is written into one that the far side is just closing. Proxies of the environment are not used.
 */
export class GuardedHttpCaller implements HttpCaller {
  readonly #deps: GuardedHttpDeps;
  readonly #scope = new Scope("calls to customers");

  constructor(deps: GuardedHttpDeps) {
    this.#deps = deps;
  }

  async post(request: HttpPost, signal: AbortSignal): Promise<HttpOutcome> {
    const target = targetOf(request.url, this.#deps);
    if (typeof target === "string") return { type: "refused", why: target };
    const attempt = new Attempt(this.#deps, target, request);
    const scope = this.#scope.child("a call");
    const stop = () => {
      attempt.stop();
    };
    scope.onClose(stop);
    signal.addEventListener("abort", stop, { once: true });
    const timer = this.#deps.clock.setTimer(request.timeoutMs, stop);
    if (signal.aborted) stop();
    try {
      return await attempt.run();
    } finally {
      timer.cancel();
      signal.removeEventListener("abort", stop);
      await scope.close();
    }
  }

  close(): Promise<void> {
    return this.#scope.close();
  }
}

/** The URL to call, or why it may not be called. */
const targetOf = (text: string, { allowPrivateNetwork, ports = PORTS }: GuardedHttpDeps): URL | string => {
  if (!URL.canParse(text)) return "the address is no URL";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return "the address holds a user name or password";
  if (allowPrivateNetwork) return ["https:", "http:"].includes(url.protocol) ? url : "the address is not http or https";
  if (url.protocol !== "https:") return "the address is not https";
  if (!ports.has(url.port)) return "the address has another port than 443 or 8443";
  const host = hostOf(url);
  return isIP(host) !== 0 && !isPublicAddress(host) ? PRIVATE : url;
};

const PRIVATE = "the address leads into a private network";

/** The host without the brackets of an IPv6 address. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

/** One request and the connection that is made for it. */
class Attempt {
  readonly #deps: GuardedHttpDeps;
  readonly #url: URL;
  readonly #request: HttpPost;
  readonly #stopped = Promise.withResolvers<undefined>();
  #isStopped = false;
  #connected = false;
  #client: Client | undefined;

  constructor(deps: GuardedHttpDeps, url: URL, request: HttpPost) {
    this.#deps = deps;
    this.#url = url;
    this.#request = request;
  }

  async run(): Promise<HttpOutcome> {
    const outcome = await Promise.race([this.#run(), this.#stopped.promise]);
    return outcome ?? this.#overdue();
  }

  /** Breaks off; nothing is sent or read from here on. Idempotent. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#stopped.resolve(undefined);
    void this.#client?.destroy();
  }

  async #run(): Promise<HttpOutcome> {
    try {
      const addresses = await this.#addresses();
      if (addresses === undefined) return { type: "refused", why: PRIVATE };
      if (this.#isStopped) return this.#overdue();
      return await this.#ask(addresses);
    } catch (error) {
      const cause = toError(error);
      if (this.#isStopped) return this.#overdue();
      return this.#connected ? { type: "broken", cause } : { type: "not-sent", cause };
    }
  }

  #overdue(): HttpOutcome {
    if (this.#connected) return { type: "timeout" };
    return { type: "not-sent", cause: new Error("there was no connection in time") };
  }

  /** Every address of the host, or nothing when one of them is not public. */
  async #addresses(): Promise<readonly Resolved[] | undefined> {
    const host = hostOf(this.#url);
    const family = isIP(host);
    const resolve = this.#deps.resolve ?? ((name) => lookup(name, { all: true }));
    const found = family === 0 ? await resolve(host) : [{ address: host, family }];
    if (found.length === 0) throw new Error("the name has no address");
    return this.#deps.allowPrivateNetwork || found.every(({ address }) => isPublicAddress(address)) ? found : undefined;
  }

  async #ask(addresses: readonly Resolved[]): Promise<HttpOutcome> {
    const { headers, body, maxBytes } = this.#request;
    const client = new Client(this.#url.origin, {
      allowH2: false,
      pipelining: 0,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: MAX_HEAD_BYTES,
      connect: this.#connector(addresses),
    });
    this.#client = client;
    try {
      const path = `${this.#url.pathname}${this.#url.search}`;
      const answer = await client.request({ method: "POST", path, headers: sent(headers), body });
      const read = await readAtMost(answer.body, maxBytes);
      if (read === undefined) return { type: "too-large", status: answer.statusCode };
      return { type: "answered", status: answer.statusCode, contentType: contentTypeOf(answer), body: read };
    } finally {
      void client.destroy();
    }
  }

  /** Connects to addresses that were checked, whatever the name resolves to by now. */
  #connector(addresses: readonly Resolved[]): buildConnector.connector {
    const connect = buildConnector({ allowH2: false, timeout: 0, lookup: answering(addresses) });
    return (options, done) => {
      connect(options, (...outcome) => {
        this.#connected ||= outcome[0] === null;
        done(...outcome);
      });
    };
  }
}

const answering =
  (addresses: readonly Resolved[]): LookupFunction =>
  (_host, options, done) => {
    const [first] = addresses;
    if (options.all === true) done(null, [...addresses]);
    else if (first === undefined) done(new Error("the name has no address"), "", 4);
    else done(null, first.address, first.family);
  };

/** Answers are wanted as they are: a compressed one could unfold without bound. */
const sent = (headers: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => !OURS.has(name.toLowerCase()))),
  "accept-encoding": "identity",
});

const contentTypeOf = ({ headers }: Dispatcher.ResponseData): string => {
  const value = headers["content-type"];
  return (typeof value === "string" ? value : value?.[0]) ?? "";
};

/** The whole body, or nothing when it is larger than `most`. */
const readAtMost = async (body: AsyncIterable<unknown>, most: number): Promise<Uint8Array | undefined> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    bytes += chunk.length;
    if (bytes > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
};
