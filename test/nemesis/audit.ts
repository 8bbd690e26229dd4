import type { Dial } from "../../src/client/client.ts";
import type { ReceivedWebhook } from "../kit/webhook-receiver.ts";
import type { LedgerCall } from "./carrier-double.ts";

/** A dial that the service said it took, and what was done about it from outside. */
export type Wanted = { readonly dialId: string; readonly to: string; hangUpAsked: boolean };

export type Evidence = Readonly<{
  wanted: readonly Wanted[];
  dials: ReadonlyMap<string, Dial>;
  calls: readonly LedgerCall[];
  webhooks: readonly ReceivedWebhook[];
}>;

/** Every broken promise, by its kind; each names a dial and what speaks against it. */
export type Verdict = Readonly<Record<"twice" | "stuck" | "untrue" | "alive" | "webhooks" | "lost", readonly string[]>>;

/** Statuses of a dial that has ended. */
export const OVER: ReadonlySet<string> = new Set(["completed", "busy", "no-answer", "canceled", "failed"]);

/** How many dials have each result. */
export const countResults = (dials: ReadonlyMap<string, Dial>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...Map.groupBy(dials.values(), ({ systemResultType }) => systemResultType ?? "none")].map(([result, all]) => [
      result,
      all.length,
    ]),
  );

/** Calls that were not the person's own to end, and what people said that is not in a transcript, where everybody answers and hangs up. */
export const auditTalks = (
  { wanted, dials, calls }: Evidence,
  spared: (to: string) => boolean = () => false,
): Readonly<Record<"dropped" | "words", readonly string[]>> => {
  const found = { dropped: [] as string[], words: [] as string[] };
  const callTo = new Map(calls.map((call) => [call.to, call]));
  for (const { dialId, to } of wanted) {
    const call = callTo.get(to);
    const dial = dials.get(dialId);
    if (spared(to)) continue;
    if (call?.person.hungUp() !== true || dial?.endReason !== "counterparty_hangup") {
      found.dropped.push(`${dialId} ends as ${dial?.endReason} by ${dial?.endedBy}; the carrier ${tell(call)}`);
      continue;
    }
    const written = (dial.transcript ?? [])
      .filter(({ speaker }) => speaker === "HUMAN")
      .flatMap(({ text }) => text.split(" "));
    const said = call.person.said;
    if (written.join(" ") !== said.join(" "))
      found.words.push(`${dialId} has "${written.join(" ")}" of "${said.join(" ")}"`);
  }
  return found;
};

/** Holds what the service says against the carrier's own books and the customer's own post. */
export const audit = ({ wanted, dials, calls, webhooks }: Evidence): Verdict => {
  const verdict = { twice: [], stuck: [], untrue: [], alive: [], webhooks: [], lost: [] } as Record<
    keyof Verdict,
    string[]
  >;
  const callsTo = Map.groupBy(calls, ({ to }) => to);
  const post = Map.groupBy(webhooks, ({ payload }) => payload.dial_id);
  for (const [to, rung] of callsTo) if (rung.length > 1) verdict.twice.push(`${to} was rung ${rung.length} times`);
  for (const { to, call } of calls) if (!call.over) verdict.alive.push(`${to} is ${call.status}`);
  for (const want of wanted) {
    const dial = dials.get(want.dialId);
    const call = callsTo.get(want.to)?.[0];
    if (dial === undefined) verdict.lost.push(want.dialId);
    else if (dial.endedAt === undefined || !OVER.has(dial.status ?? ""))
      verdict.stuck.push(`${dial.id} is ${dial.status}`);
    else {
      const true_ = truths(call, want);
      if (!true_.has(dial.systemResultType ?? null))
        verdict.untrue.push(
          `${dial.id} says ${dial.systemResultType} (${dial.endReason} by ${dial.endedBy}); the carrier ${tell(call)}`,
        );
      const wrong = wrongPost(dial, post.get(dial.id) ?? []);
      if (wrong !== undefined) verdict.webhooks.push(`${dial.id}: ${wrong}`);
    }
  }
  return verdict;
};

/** What may truly be said of a call. A worker that was lost makes any of them a failure, whoever hung up in the end. */
const truths = (call: LedgerCall | undefined, { hangUpAsked }: Wanted): ReadonlySet<string | null> => {
  const asked = hangUpAsked ? ["CANCELLED", "USER_HANGUP"] : [];
  if (call === undefined) return new Set(["FAILED", "RATE_LIMITED", ...asked]);
  const { status } = call.call;
  if (status === "busy") return new Set(["BUSY", ...(call.endAskedAt === undefined ? [] : ["FAILED", ...asked])]);
  if (status === "no-answer") return new Set(["NO_ANSWER", "FAILED"]);
  if (status === "failed") return new Set(["FAILED"]);
  if (status === "canceled") return new Set(["FAILED", "NO_ANSWER", ...asked]);
  const ours = call.endAskedAt === undefined ? [] : [null, "TIMEOUT"];
  return new Set(["FAILED", ...asked, ...ours, ...(call.person.hungUp() ? ["COUNTERPARTY_HANGUP"] : [])]);
};

const tell = (call: LedgerCall | undefined): string => {
  if (call === undefined) return "rang nobody";
  const by = call.endAskedAt === undefined ? "" : ", ended by us";
  return `has it as ${call.call.status}${call.person.hungUp() ? ", hung up by the person" : ""}${by}`;
};

/** One terminal event, told of as it was, and no gap in what was told. */
const wrongPost = (dial: Dial, post: readonly ReceivedWebhook[]): string | undefined => {
  const once = new Map(post.map((event) => [event.id, event]));
  const events = [...once.values()].toSorted((a, b) => a.sequence - b.sequence);
  const terminal = events.filter(
    ({ event, payload }) => event === "dial.updated" && OVER.has(String(payload["status"])),
  );
  const corrections = events.filter(({ event }) => event === "dial.corrected");
  if (terminal.length !== 1) return `${terminal.length} terminal events`;
  if (corrections.length > 1) return `${corrections.length} corrections`;
  if (events.some(({ sequence }, index) => sequence !== index + 1))
    return `events ${events.map(({ sequence }) => sequence).join(", ")}`;
  const last = [...terminal, ...corrections].at(-1);
  const told = last?.payload["system_result_type"] ?? null;
  return told === (dial.systemResultType ?? null)
    ? undefined
    : `was told ${JSON.stringify(told)}, is ${dial.systemResultType}`;
};
