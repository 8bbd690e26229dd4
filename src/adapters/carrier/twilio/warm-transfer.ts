import type { CarrierCall, TransferBack } from "../../../ports/carrier.ts";
import { sleep, type Clock } from "../../../ports/clock.ts";
import { briefingDocument, redirectDocument, waitingDocument } from "./call-document.ts";

/** What a warm transfer asks of an account. */
export type Conferencing = Readonly<{
  clock: Clock;
  /** Rings a number and carries the document out when it is answered; the call's id, `undefined` when the carrier refuses. */
  ring(to: string, from: string, document: string): Promise<string | undefined>;
  /** Has a call go on with another document; false when it is over. */
  redirect(callId: string, document: string): Promise<boolean>;
  hangUp(callId: string): Promise<void>;
  /** How far a call is; `undefined` when that cannot be learned now. */
  look(callId: string): Promise<CarrierCall | undefined>;
  /** Whether somebody has come into a room; `undefined` as above. */
  isOpen(room: string): Promise<boolean | undefined>;
}>;

export type WarmTransfer = Readonly<{
  callId: string;
  to: string;
  /** The name of a room that nobody else has. */
  room: string;
  answerUrl: string;
  callerId: string;
  summary: NonNullable<TransferBack["summary"]>;
}>;

/** How long the other phone rings, as with every transfer, and how long after that somebody is to have come, in milliseconds. */
export const RING_MS = 20_000;
const COME_MS = 30_000;
const LOOK_MS = 1000;

/**
 * Rings somebody, tells them what it is about, and lets them talk with the person, who hears music from the ringing on. The person leaves
 * the music only for somebody who is there: who does not answer, or hangs up while being told, is not waited for, and the person
 * comes back to us. Rejects when the carrier's answer is lost, or `signal` aborts; then too nobody is left ringing, or waiting.
 */
export const transferWarmly = async (
  account: Conferencing,
  transfer: WarmTransfer,
  signal: AbortSignal,
): Promise<"transferred" | "failed"> => {
  const { callId, to, room, answerUrl, callerId, summary } = transfer;
  const other = await account.ring(to, callerId, briefingDocument(room, summary));
  if (other === undefined) return "failed";
  let [waits, came] = [false, false];
  try {
    waits = await account.redirect(callId, waitingDocument(room, answerUrl));
    came = waits && (await comesToTalk(account, { callId, other, room }, signal));
    return came ? "transferred" : "failed";
  } finally {
    if (!came) {
      const back = waits ? account.redirect(callId, redirectDocument(answerUrl)) : undefined;
      await Promise.all([back, account.hangUp(other)]);
    }
  }
};

/** Looks every second; a look that sees nothing is one that says nothing. */
const comesToTalk = async (
  { clock, look, isOpen }: Conferencing,
  { callId, other, room }: Readonly<{ callId: string; other: string; room: string }>,
  signal: AbortSignal,
): Promise<boolean> => {
  const until = clock.monotonic() + RING_MS + COME_MS;
  while (clock.monotonic() < until) {
    await sleep(clock, LOOK_MS, signal);
    const [person, somebody] = [await look(callId), await look(other)];
    if (person?.state === "ended" || somebody?.state === "ended") return false;
    if (somebody?.state === "in-progress" && (await isOpen(room)) === true) return true;
  }
  return false;
};
