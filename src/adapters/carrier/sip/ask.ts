import { toError } from "../../../kit/errors.ts";
import type { Random } from "../../../ports/random.ts";
import { answerChallenge, type Credentials } from "./digest.ts";
import { headersOf, type SipHeader, type SipRequest, type SipResponse } from "./message.ts";
import type { SipPeer } from "./sip-network.ts";
import type { Transactions } from "./transactions.ts";

export type AskDeps = Readonly<{
  transactions: Pick<Transactions, "request">;
  random: Random;
  credentials(): Credentials | undefined;
}>;

export type AskHooks = Readonly<{
  /** The request left, or will at once; again after a challenge. */
  sent?(request: SipRequest, branch: string): void;
  provisional?(response: SipResponse): void;
  /** A 2xx to an INVITE that came after the first one. */
  again?(response: SipResponse): void;
}>;

/** No final answer came. `sent`: the request may have arrived all the same. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
  readonly sent: boolean;
  constructor(cause: Error, sent: boolean) {
    super("a SIP request got no final answer", { cause });
    this.sent = sent;
  }
}

/**
 * Sends a request and resolves with its final answer. A challenge is answered once; who challenges again has refused the password, and
 * asking for ever would lock the account. `build` makes the request anew each time, with another CSeq.
 *
 * @throws {Unanswered}
 */
export const ask = async (
  deps: AskDeps,
  build: (authorization: readonly SipHeader[]) => SipRequest,
  to: SipPeer,
  hooks: AskHooks = {},
): Promise<SipResponse> => {
  const first = build([]);
  const response = await send(deps, first, to, hooks);
  const challenge = CHALLENGES.get(response.status);
  const credentials = deps.credentials();
  if (challenge === undefined || credentials === undefined) return response;
  // One field holds one challenge; commas stand within it.
  const challenges = response.headers.flatMap(([name, value]) => (name === challenge.asked ? [value] : []));
  const answer = answerChallenge(challenges, credentials, {
    method: first.method,
    uri: first.uri,
    clientNonce: deps.random.secret(12),
  });
  if (answer === undefined) return response;
  return send(deps, build([[challenge.answered, answer]]), to, hooks);
};

const CHALLENGES: ReadonlyMap<number, Readonly<{ asked: string; answered: string }>> = new Map([
  [401, { asked: "www-authenticate", answered: "authorization" }],
  [407, { asked: "proxy-authenticate", answered: "proxy-authorization" }],
]);

const send = (deps: AskDeps, request: SipRequest, to: SipPeer, hooks: AskHooks): Promise<SipResponse> =>
  new Promise((resolve, reject) => {
    let answered = false;
    const branch = deps.transactions.request(request, to, {
      response: (response) => {
        if (response.status < 200) hooks.provisional?.(response);
        else if (answered) hooks.again?.(response);
        else {
          answered = true;
          resolve(response);
        }
      },
      failed: (cause, sent) => reject(new Unanswered(toError(cause), sent)),
    });
    hooks.sent?.(request, branch);
  });

/** Whether a list of options, such as Supported, has one. */
export const hasOption = (message: SipRequest | SipResponse, field: string, option: string): boolean =>
  headersOf(message, field).some((each) => each.toLowerCase() === option);
