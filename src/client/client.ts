import { followDial, type FollowedEvent, type FollowOptions } from "./follow-dial.ts";
import { thisMachine, type Machine } from "./machine.ts";
import { OPERATIONS, type Operations } from "./operations.ts";
import { Transport, type Fetch, type Sending } from "./transport.ts";

export { ApiProblem, NoAnswer, type ApiProblemCode } from "./errors.ts";
export type { FollowedEvent, FollowOptions } from "./follow-dial.ts";
// The package's entrance: a list by hand would forget types that the document gains, and types load nothing.
export type * from "./operations.ts";

/** An API key does all that it may; the token of a dial reaches that dial alone, and may be given to a browser. */
export type Credential = Readonly<{ apiKey: string; dialToken?: never } | { dialToken: string; apiKey?: never }>;

export type ClientOptions = Credential &
  Readonly<{
    /** Of the API, such as `http://localhost:8080/api`. */
    baseUrl: string;
    /** Does the sending; the program's own when absent. */
    fetch?: Fetch;
    /** How long one attempt at a request may take, in milliseconds; 30 s when absent. */
    timeoutMs?: number;
    /** Timers and chance; the machine's own when absent. */
    machine?: Machine;
  }>;

export type RequestOptions = Readonly<{
  signal?: AbortSignal | undefined;
  /** Instead of the client's, in milliseconds. */
  timeoutMs?: number | undefined;
}>;

type Name = Exclude<keyof Operations, "followDial">;

type Query<Of extends Name> = {
  [Field in keyof Operations[Of]["query"]]:
    | (Field extends "limit" ? number : Operations[Of]["query"][Field])
    | undefined;
};

/** What an operation takes: the parts of its path and query side by side, and its `body`. */
export type Input<Of extends Name> = Readonly<
  Operations[Of]["params"] &
    Query<Of> &
    (Operations[Of]["body"] extends undefined ? unknown : Readonly<{ body: Operations[Of]["body"] }>) &
    ("idempotency-key" extends keyof Operations[Of]["headers"]
      ? {
          /** Makes it safe to send the request again, which the client then does by itself. */
          idempotencyKey?: string | undefined;
        }
      : unknown)
>;

/** What an operation answers when it succeeds. */
export type Answer<Of extends Name> = Operations[Of]["responses"] extends infer Responses
  ? Responses[keyof Responses & (200 | 201 | 202)]
  : never;

type Arguments<Of extends Name> =
  Partial<Input<Of>> extends Input<Of>
    ? [input?: Input<Of>, options?: RequestOptions]
    : [input: Input<Of>, options?: RequestOptions];

type Table = typeof OPERATIONS;
type Listing = { [Of in Name]: Table[Of] extends Readonly<{ page: string }> ? Of : never }[Name];
type ItemOf<Of extends Listing> =
  Answer<Of> extends infer Page ? (Page[keyof Page & Table[Of]["page"]] extends (infer Item)[] ? Item : never) : never;

/** One method for each operation of the API. */
export type Client = Readonly<
  { [Of in Name]: (...input: Arguments<Of>) => Promise<Answer<Of>> } & {
    /** Follows a call while it happens, until it is over; over broken connections, too. */
    followDial(id: string, options?: FollowOptions): AsyncGenerator<FollowedEvent, void, undefined>;
    /** The lists, item by item over all pages. */
    pages: Readonly<{
      [Of in Listing]: (...input: Arguments<Of>) => AsyncGenerator<ItemOf<Of>, void, undefined>;
    }>;
  }
>;

/**
 * A client of the API. Nothing is sent before a method is called. What is refused rejects with `ApiProblem`, what does not arrive
 * with `NoAnswer`; GET, and `createDial` with an `idempotencyKey`, are tried three times before.
 */
export const createClient = (options: ClientOptions): Client => {
  const transport = new Transport({
    baseUrl: options.baseUrl.replace(/\/+$/, ""),
    credential: options.apiKey ?? options.dialToken,
    // Called as a method of something else, a browser's own would refuse.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    machine: options.machine ?? thisMachine,
  });
  const methods = Object.entries(OPERATIONS).map(([name, operation]) => {
    const isBlob = "answer" in operation && operation.answer === "blob";
    const read = isBlob ? readBlob : readJson;
    const send = (input: Given = {}, more: RequestOptions = {}) =>
      transport.send({ ...sendingOf(name, input, more), followed: isBlob }, read);
    return [name, send];
  });
  const pages = Object.entries(OPERATIONS).flatMap(([name, operation]) =>
    "page" in operation
      ? [[name, (input?: Given, more?: RequestOptions) => items(transport, name, operation.page, input, more)]]
      : [],
  );
  return {
    // The table and the types are made of the same document.
    ...(Object.fromEntries(methods) as Pick<Client, Name>),
    pages: Object.fromEntries(pages) as Client["pages"],
    followDial: (id, more = {}) => followDial(transport, pathOf("followDial", { id }), more),
  };
};

const DEFAULT_TIMEOUT_MS = 30_000;

type Given = Readonly<Record<string, unknown>>;

const readJson = async (response: Response): Promise<unknown> => response.json();

const readBlob = async (response: Response): Promise<Blob> => response.blob();

/** Every item of every page. */
async function* items(transport: Transport, name: string, field: string, input: Given = {}, more: RequestOptions = {}) {
  for (let cursor = input["cursor"]; ;) {
    const page = (await transport.send(sendingOf(name, { ...input, cursor }, more), readJson)) as Given;
    yield* page[field] as readonly unknown[];
    if (typeof page["cursor"] !== "string") return;
    ({ cursor } = page);
  }
}

const sendingOf = (name: string, input: Given, { signal, timeoutMs }: RequestOptions): Sending => {
  const operation = OPERATIONS[name as keyof Table];
  const { method } = operation;
  const { idempotencyKey, body } = input;
  return {
    method,
    path: pathOf(name, input),
    ...(typeof idempotencyKey === "string" ? { headers: { "idempotency-key": idempotencyKey } } : {}),
    ...(body === undefined ? {} : { body }),
    ...("sends" in operation ? { contentType: operation.sends } : {}),
    repeatable: method === "GET" || typeof idempotencyKey === "string",
    signal,
    timeoutMs,
  };
};

const pathOf = (name: string, input: Given): string => {
  const { path, query } = OPERATIONS[name as keyof Table];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, part: string) => {
    const value = input[part];
    // Dots would be taken for steps through the path, and lead to another operation.
    if (typeof value !== "string" || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} needs "${part}", an id`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const field of query) {
    const value = input[field];
    if (typeof value === "string" || typeof value === "number") search.set(field, String(value));
  }
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
};
