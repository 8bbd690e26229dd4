import { toError } from "../../../kit/errors.ts";
import type {
  CallbackAnswer,
  CallReference,
  Carrier,
  CarrierDeps,
  CarrierHost,
  DeclineReason,
  InboundCall,
  LookUp,
  PlaceOutcome,
  PlaceRequest,
  TransferBack,
} from "../../../ports/carrier.ts";
import type { Transport } from "../../../ports/transport.ts";
import { ALLOW, type SipCallDeps } from "./call-deps.ts";
import { CallBook, type SipCall } from "./call-book.ts";
import { IncomingCall, objectionTo } from "./incoming-call.ts";
import { headerOf, type SipRequest } from "./message.ts";
import { OutgoingCall } from "./outgoing-call.ts";
import { Registration } from "./registration.ts";
import { probeTrunk } from "./probe-trunk.ts";
import { openPair } from "./rtp-ports.ts";
import type { ServerTransaction } from "./server-transaction.ts";
import type { SipSettings } from "./settings.ts";
import { escapeUser, parseUri } from "./sip-address.ts";
import { addressTowards, resolveHost, SipNetwork, Unreachable, type SipPeer } from "./sip-network.ts";
import { tagOf } from "./dialog.ts";
import { answerTo, Transactions } from "./transactions.ts";

/** An account at a trunk: a user agent of SIP that places and takes calls, and carries their sound itself. */
export class SipAccount implements Carrier {
  readonly name: string;
  readonly #settings: SipSettings;
  readonly #deps: CarrierDeps;
  readonly #network: SipNetwork;
  readonly #transactions: Transactions;
  readonly #calls = new CallBook();
  /** Addresses that the server's name has had. */
  readonly #servers = new Set<string>();
  #own: SipCallDeps | undefined;
  #registration: Registration | undefined;
  #address = "";
  /** When the server was last looked for. */
  #foundAt = Number.NEGATIVE_INFINITY;
  #closing: Promise<void> | undefined;

  constructor(name: string, settings: SipSettings, deps: CarrierDeps) {
    this.name = name;
    this.#settings = settings;
    this.#deps = deps;
    this.#network = new SipNetwork({
      ...deps,
      listen: settings.listen,
      admits: (address) => this.#servers.has(address) || settings.peers.includes(address),
      receive: (data, from) => this.#transactions.receive(data, from),
    });
    this.#transactions = new Transactions({
      ...deps,
      network: this.#network,
      sentBy: () => `${this.#address}:${this.#network.port}`,
      onRequest: (request, transaction, from) => this.#onRequest(request, transaction, from),
      onStray: () => undefined,
    });
  }

  /** The port that is listened on. */
  get port(): number {
    return this.#network.port;
  }

  /** Whether the trunk knows where we are; false also where it is not to be told. */
  get registered(): boolean {
    return this.#registration?.registered ?? false;
  }

  /** Begins to listen. @throws {CannotListen} */
  async listen(host: CarrierHost): Promise<void> {
    await this.#network.open();
    const { server, user, registers } = this.#settings;
    this.#own = this.#makeDeps(host);
    try {
      await this.#findWay();
    } catch (error) {
      // A trunk that is away now may be there when somebody is to be called.
      this.#deps.logger.warn("the SIP server has no address", { name: server.host, error: toError(error) });
    }
    if (!registers || user === undefined) return;
    this.#registration = new Registration(this.#own, user.name);
    this.#registration.start();
  }

  /**
   * The status of the trunk's answer to a question that changes nothing: whether it is there, or where it believes our user to be. Rejects
   * when it does not answer, or `signal` aborts.
   */
  async probe(asUser: boolean, signal: AbortSignal): Promise<number> {
    const own = this.#own;
    if (own === undefined) throw new Unreachable("this process does not speak SIP");
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await Promise.race([aborted.promise, probeTrunk(own, asUser ? own.user : undefined)]);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  async place(request: PlaceRequest, signal: AbortSignal): Promise<PlaceOutcome> {
    const own = this.#own;
    if (own === undefined || this.#closing !== undefined)
      return { type: "not-sent", cause: new Unreachable("this process does not speak SIP") };
    if (this.#calls.full) return { type: "rate-limited", retryAfterMs: 1000 };
    const call = new OutgoingCall(own, request);
    this.#calls.add(call);
    const outcome = await call.place(signal);
    if (!call.isCall) this.#calls.remove(call);
    return outcome;
  }

  async hangUp(callId: string): Promise<void> {
    this.#calls.get(callId)?.hangUp();
  }

  async transfer(
    callId: string,
    to: string,
    signal: AbortSignal,
    { callerId }: TransferBack,
  ): Promise<"transferred" | "failed"> {
    const { host, port } = this.#settings.server;
    const server = port === 5060 ? host : `${host}:${port}`;
    const by = `sip:${escapeUser(callerId ?? this.#settings.user?.name ?? "anonymous")}@${host}`;
    const call = this.#calls.get(callId)?.established;
    return (await call?.transfer(`sip:${escapeUser(to)}@${server}`, by, signal)) ?? "failed";
  }

  /** What this process knows: calls end with the process that held them, and nobody else can be asked. */
  async lookUp({ callId, dialId }: CallReference): Promise<LookUp> {
    return this.#calls.get(callId ?? dialId)?.state ?? { state: "absent", final: false };
  }

  readCallback(): undefined {
    return undefined;
  }

  async answer(
    { callId }: InboundCall,
    request: Pick<PlaceRequest, "dialId" | "mediaUrl" | "timeLimitMs">,
  ): Promise<CallbackAnswer> {
    const call = this.#calls.get(callId);
    const caller = call instanceof IncomingCall ? call : undefined;
    if (caller === undefined) throw new Error("the caller has hung up");
    await caller.answer(request);
    return NOTHING;
  }

  async decline({ callId }: InboundCall, why: DeclineReason): Promise<CallbackAnswer> {
    const call = this.#calls.get(callId);
    if (call instanceof IncomingCall) call.decline(why);
    return NOTHING;
  }

  acceptMedia(): Promise<Transport> {
    return Promise.reject(new Error("the sound of SIP calls comes by RTP, not by websockets"));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const call of this.#calls.open) call.hangUp();
    await this.#registration?.close();
    // Goodbyes leave at once, and their answers are not waited for.
    await new Promise((resolve) => setImmediate(resolve));
    this.#transactions.close();
    await this.#network.close();
  }

  #makeDeps(host: CarrierHost): SipCallDeps {
    const { server, user, publicAddress, listen, rtpPorts, transport } = this.#settings;
    return {
      ...this.#deps,
      transactions: this.#transactions,
      host,
      server,
      user: user?.name,
      credentials: () => user && { user: user.name, password: user.password.reveal() },
      contact: () => {
        const name = user === undefined ? "" : `${escapeUser(user.name)}@`;
        return `<sip:${name}${this.#address}:${this.#network.port};transport=${transport}>`;
      },
      mediaAddress: () => publicAddress ?? this.#address,
      openPair: () => openPair(this.#deps.random, listen.address, rtpPorts),
      locate: (uri) => this.#locate(uri),
    };
  }

  async #locate(uri: string): Promise<SipPeer> {
    if (this.#address === "" || uri.includes(this.#settings.server.host)) await this.#findWay();
    const parsed = parseUri(uri);
    if (parsed === undefined) throw new Unreachable("a SIP address cannot be read");
    const asked = parsed.params.get("transport")?.toLowerCase();
    const transport = asked === "tcp" || asked === "udp" ? asked : this.#settings.transport;
    return { transport, address: await resolveHost(this.#deps.clock, parsed.host), port: parsed.port ?? 5060 };
  }

  /** Learns where the server is, and by which address of ours it reaches us. */
  async #findWay(): Promise<void> {
    const { server, publicAddress, listen } = this.#settings;
    const now = this.#deps.clock.monotonic();
    if (now - this.#foundAt < KNOWN_MS) return;
    const address = await resolveHost(this.#deps.clock, server.host);
    this.#servers.add(address);
    const bound = listen.address === "0.0.0.0" ? undefined : listen.address;
    this.#address = publicAddress ?? bound ?? (await addressTowards(address, server.port));
    this.#foundAt = now;
  }

  #onRequest(request: SipRequest, transaction: ServerTransaction | undefined, _from: SipPeer): void {
    const call = this.#calls.get(headerOf(request, "call-id") ?? "");
    if (transaction === undefined) {
      if (call instanceof IncomingCall && call.established?.has(request) === true) call.acknowledged(request);
      return;
    }
    if (request.method === "CANCEL") this.#onCancel(request, transaction, call);
    else if (tagOf(headerOf(request, "to")) !== "") this.#onWithin(request, transaction, call);
    else if (request.method === "INVITE") this.#onInvite(transaction, call);
    else if (request.method === "OPTIONS")
      transaction.respond(
        answerTo(request, 200, {
          tag: "options",
          headers: [
            ["allow", ALLOW],
            ["accept", "application/sdp"],
          ],
        }),
      );
    else {
      const status = KNOWN.has(request.method) ? 481 : 405;
      transaction.respond(answerTo(request, status, { headers: [["allow", ALLOW]] }));
    }
  }

  #onCancel(request: SipRequest, transaction: ServerTransaction, call: SipCall | undefined): void {
    const invite = this.#transactions.inviteOf(request);
    transaction.respond(answerTo(request, invite === undefined ? 481 : 200));
    if (invite !== undefined && !invite.answered && call instanceof IncomingCall) call.canceled();
  }

  #onWithin(request: SipRequest, transaction: ServerTransaction, call: SipCall | undefined): void {
    const established = call?.established;
    if (established?.has(request) === true) established.receive(request, transaction);
    else transaction.respond(answerTo(request, 481));
  }

  #onInvite(transaction: ServerTransaction, known: SipCall | undefined): void {
    const { request } = transaction;
    const own = this.#own;
    const objection = objectionTo(request);
    if (objection !== undefined) transaction.respond(answerTo(request, objection.status, objection));
    else if (known !== undefined) transaction.respond(answerTo(request, 482));
    else if (own === undefined || this.#closing !== undefined || this.#calls.full)
      transaction.respond(answerTo(request, 503, { headers: [["retry-after", "5"]] }));
    else {
      const call = new IncomingCall(own, transaction);
      this.#calls.add(call);
      call.ring();
    }
  }
}

/** How long a way to the server counts as known, in milliseconds. */
const KNOWN_MS = 5000;

const NOTHING: CallbackAnswer = { status: 204, contentType: "text/plain", body: "" };

/** Methods that make sense within calls only. */
const KNOWN: ReadonlySet<string> = new Set(["BYE", "UPDATE", "NOTIFY", "INFO", "REFER", "PRACK"]);
