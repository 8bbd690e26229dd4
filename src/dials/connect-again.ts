import type { CallbackAnswer, Carrier, ConnectWish } from "../ports/carrier.ts";
import type { LiveState } from "../ports/live.ts";
import type { Random } from "../ports/random.ts";
import type { DialStore } from "../ports/store.ts";
import type { CallbackTokens } from "./callback-token.ts";

/** What is needed to tell a carrier where a dial's sound goes. */
export type MediaAddressDeps = Readonly<{
  live: Pick<LiveState, "issueTicket">;
  random: Pick<Random, "secret">;
  callbacks: CallbackTokens;
  publicUrl(): string;
}>;

type ConnectDeps = MediaAddressDeps & Readonly<{ dials: Pick<DialStore, "peek"> }>;

/** A carrier connects the sound as soon as it has read where; a minute is for the slowest of them. */
const TICKET_MS = 60_000;

/**
 * The addresses of one dial's call, with a media URL that lets one more socket in for whoever holds the dial under `epoch`.
 */
export const addressCall = async (
  deps: MediaAddressDeps,
  dial: Readonly<{ dialId: string; epoch: number; carrier: string }>,
): Promise<Readonly<{ mediaUrl: string; statusUrl: string; answerUrl: string }>> => {
  const { dialId, carrier } = dial;
  const token = deps.random.secret(24);
  await deps.live.issueTicket(token, dial, TICKET_MS);
  const publicUrl = deps.publicUrl();
  return {
    mediaUrl: `${publicUrl.replace(/^http/, "ws")}/media/${carrier}/${token}`,
    statusUrl: deps.callbacks.statusUrl(publicUrl, carrier, dialId),
    answerUrl: deps.callbacks.answerUrl(publicUrl, carrier, dialId),
  };
};

/**
 * Answers a carrier that asks how a dial's sound is connected: on answer, after a broken media socket, or when somebody who was to be
 * connected elsewhere comes back. A dial that is over has its call ended.
 */
export const connectAgain = async (
  deps: ConnectDeps,
  carrier: Pick<Carrier, "name" | "connect">,
  dialId: string,
  wish: ConnectWish,
): Promise<CallbackAnswer> => {
  if (typeof wish === "object") return wish.answer;
  const dial = wish === "over" ? undefined : await deps.dials.peek(dialId);
  const live = dial !== undefined && dial.state !== "ENDED" && dial.state !== "QUEUED" && dial.hangupIntent === null;
  const addresses = live ? await addressCall(deps, { dialId, epoch: dial.epoch, carrier: carrier.name }) : undefined;
  return (
    carrier.connect?.(addresses && { ...addresses, dialId }) ?? { status: 204, contentType: "text/plain", body: "" }
  );
};
