import { EventEmitter } from "node:events";
import type { SipCallDeps } from "../../../../src/adapters/carrier/sip/call-deps.ts";
import { serializeMessage, type SipMessage, type SipRequest } from "../../../../src/adapters/carrier/sip/message.ts";
import { parseMessage } from "../../../../src/adapters/carrier/sip/parse-message.ts";
import type { RtpPair } from "../../../../src/adapters/carrier/sip/rtp-ports.ts";
import type { ServerTransaction } from "../../../../src/adapters/carrier/sip/server-transaction.ts";
import type { SipPeer, SipTransport } from "../../../../src/adapters/carrier/sip/sip-network.ts";
import { answerTo, Transactions } from "../../../../src/adapters/carrier/sip/transactions.ts";
import { PromMetrics } from "../../../../src/adapters/metrics/prom.ts";
import { SeededRandom } from "../../../kit/seeded-random.ts";
import { silentLogger } from "../../../kit/silent-logger.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";
import { HostDouble } from "./trunk-rig.ts";

/** SIP in virtual time: what we send is kept with its time, and what the peer sends is handed in. */
export class MemoryNetwork {
  readonly clock = new VirtualClock();
  readonly sent: (SipMessage & { readonly atMs: number })[] = [];
  readonly asked: { request: SipRequest; transaction: ServerTransaction | undefined }[] = [];
  readonly transactions: Transactions;
  readonly peer: SipPeer;
  /** What sending comes to; nothing means that it was sent. */
  broken: Error | undefined;

  constructor(transport: SipTransport = "udp") {
    this.peer = { transport, address: "192.0.2.1", port: 5060 };
    this.transactions = new Transactions({
      clock: this.clock,
      random: new SeededRandom(),
      logger: silentLogger(),
      sentBy: () => "192.0.2.7:5060",
      network: {
        send: async (data) => {
          if (this.broken !== undefined) throw this.broken;
          const message = parseMessage(data);
          if (message === undefined) throw new Error("we sent what is no message");
          this.sent.push({ ...message, atMs: this.clock.monotonic() });
        },
      },
      onRequest: (request, transaction) => this.asked.push({ request, transaction }),
      onStray: () => undefined,
    });
  }

  /** What calls share, on this network. */
  deps(given: Partial<SipCallDeps> = {}): SipCallDeps & Readonly<{ host: HostDouble }> {
    return {
      clock: this.clock,
      random: new SeededRandom(7),
      logger: silentLogger(),
      metrics: new PromMetrics(),
      transactions: this.transactions,
      server: { host: "192.0.2.1", port: 5060 },
      user: "alice",
      credentials: () => ({ user: "alice", password: "secret" }),
      contact: () => "<sip:alice@192.0.2.7:5060>",
      mediaAddress: () => "192.0.2.7",
      openPair: async () => memoryPair().pair,
      locate: async () => this.peer,
      ...given,
      host: new HostDouble(),
    };
  }

  /** The requests of a method that we sent, repetitions included. */
  requests(method: string): readonly (SipRequest & { readonly atMs: number })[] {
    return this.sent.flatMap((each) => (each.type === "request" && each.method === method ? [each] : []));
  }

  /** The peer answers the last request of a method. */
  async answer(method: string, status: number, more: Parameters<typeof answerTo>[2] = {}): Promise<void> {
    const request = this.requests(method).at(-1);
    if (request === undefined) throw new Error(`no ${method} was sent`);
    this.transactions.receive(serializeMessage(answerTo(request, status, { tag: "theirs", ...more })), this.peer);
    await this.clock.settle();
  }

  /** The peer sends a message. */
  async receive(message: SipMessage): Promise<void> {
    this.transactions.receive(serializeMessage(message), this.peer);
    await this.clock.settle();
  }
}

/** Ports of a call without a network behind them. */
export const memoryPair = () => {
  const out: { kind: "sound" | "report"; data: Uint8Array; port: number; address: string }[] = [];
  const socket = (kind: "sound" | "report") =>
    Object.assign(new EventEmitter(), {
      send: (data: Uint8Array, port: number, address: string, sent?: () => void) => {
        out.push({ kind, data, port, address });
        sent?.();
      },
    });
  const [sound, reports] = [socket("sound"), socket("report")];
  let closed = 0;
  const pair = { sound, reports, port: 6000, close: () => (closed += 1) } as unknown as RtpPair;
  return { pair, sound, reports, out, closed: () => closed };
};
