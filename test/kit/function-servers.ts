import type { HttpCaller, HttpOutcome, HttpPost } from "../../src/ports/http-caller.ts";

/** Answers of a customer's server, one for each request; remembers what it was sent. */
export class ScriptedHttp implements HttpCaller {
  readonly posts: HttpPost[] = [];
  readonly #outcomes: (HttpOutcome | Promise<HttpOutcome>)[];

  constructor(...outcomes: (HttpOutcome | Promise<HttpOutcome>)[]) {
    this.#outcomes = outcomes;
  }

  post(request: HttpPost): Promise<HttpOutcome> {
    this.posts.push(request);
    const outcome = this.#outcomes.shift();
    if (outcome === undefined) throw new Error("the server was asked more often than its script has answers");
    return Promise.resolve(outcome);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** An answer of a server. */
export const answers = (body: string | Uint8Array, status = 200): HttpOutcome => ({
  type: "answered",
  status,
  contentType: "application/json",
  body: typeof body === "string" ? Buffer.from(body) : body,
});
