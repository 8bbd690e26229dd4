import type { CarrierHost } from "../../../ports/carrier.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Logger } from "../../../ports/logger.ts";
import type { Metrics } from "../../../ports/metrics.ts";
import type { Random } from "../../../ports/random.ts";
import type { AskDeps } from "./ask.ts";
import type { RtpPair } from "./rtp-ports.ts";
import type { SipPeer } from "./sip-network.ts";
import type { Transactions } from "./transactions.ts";

/** What calls of one account share. */
export type SipCallDeps = AskDeps &
  Readonly<{
    clock: Clock;
    random: Random;
    logger: Logger;
    metrics: Metrics;
    transactions: Transactions;
    host: CarrierHost;
    /** The trunk, as calls begin there. */
    server: Readonly<{ host: string; port: number }>;
    /** Our own name at the trunk, for From where no number is shown. */
    user: string | undefined;
    /** Value of Contact. */
    contact(): string;
    /** Address at which we hear. */
    mediaAddress(): string;
    openPair(): Promise<RtpPair>;
    /** Where a request for a URI goes; rejects with `Unreachable`. */
    locate(uri: string): Promise<SipPeer>;
  }>;

/** Methods that we take, as every answer that tells of us lists them. */
export const ALLOW = "INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, NOTIFY, INFO";
