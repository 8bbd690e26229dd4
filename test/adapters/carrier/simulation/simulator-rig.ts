import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CarrierHttpClient } from "../../../../src/adapters/http/carrier-http-client.ts";
import type { CarrierFaults, CarrierSimulator } from "../../../../src/ports/carrier-simulator.ts";
import type {
  CallAddresses,
  CallbackAnswer,
  CallbackRequest,
  Carrier,
  CarrierDescriptor,
  CarrierNotice,
  CarrierReport,
  PlaceRequest,
} from "../../../../src/ports/carrier.ts";
import type { Transport } from "../../../../src/ports/transport.ts";
import { MediaGateway } from "../../../../src/worker/media-gateway.ts";
import { adapterDeps } from "../../../kit/adapter-deps.ts";
import { SeededRandom } from "../../../kit/seeded-random.ts";
import { silentLogger } from "../../../kit/silent-logger.ts";
import { QuickClock } from "./quick-clock.ts";
import { LineLog, Tickets } from "../twilio/network-rig.ts";

const NOTHING: CallbackAnswer = { status: 204, contentType: "text/plain", body: "" };

/** A simulated carrier and the adapter that speaks to it, with a small service around the adapter; all on loopback sockets. */
export const simulatorRig = async (
  simulator: CarrierSimulator,
  descriptor: CarrierDescriptor,
  faults: CarrierFaults = {},
  settings: Readonly<Record<string, string>> = {},
) => {
  const clock = new QuickClock(5);
  const random = new SeededRandom(11);
  const logger = silentLogger();
  const running = await simulator.start({
    port: 0,
    host: "127.0.0.1",
    settings,
    faults,
    deps: { clock, random, logger },
  });
  const http = new CarrierHttpClient({ clock, timeoutMs: 5000 });
  const deps = { ...adapterDeps({ clock, random }), http };
  const carrier: Carrier = descriptor.create({ id: descriptor.name, settings: running.environment }, deps);
  const tickets = new Tickets();
  const reports: CarrierReport[] = [];
  const notices: CarrierNotice[] = [];
  const lines: { line: Transport; log: LineLog }[] = [];
  const requests: CallbackRequest[] = [];
  const looks = new Set<() => void>();
  const look = () => {
    for (const one of looks) one();
  };
  /** Resolves with the first thing found; the test's own time-out is the deadline. */
  const when = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const attempt = () => {
        const found = find();
        if (found === undefined) return;
        looks.delete(attempt);
        resolve(found);
      };
      looks.add(attempt);
      attempt();
    });
  const gateway = new MediaGateway({
    clock,
    logger,
    live: tickets.asLive(),
    carriers: new Map([[descriptor.name, carrier]]),
    publicWsUrl: "wss://calls.example.com",
    onLine: (_ticket, line) => {
      const log = new LineLog();
      line.listen(log);
      lines.push({ line, log });
      look();
      return true;
    },
  });
  let tickets_ = 0;
  const addresses = (dialId: string): CallAddresses => {
    tickets_ += 1;
    const token = `token-${String(tickets_).padStart(4, "0")}-0123456789abcdef`;
    void tickets.issueTicket(token, { dialId, epoch: 1, carrier: descriptor.name });
    return {
      mediaUrl: `${baseUrl().replace(/^http/, "ws")}/media/${descriptor.name}/${token}`,
      statusUrl: `${baseUrl()}/status/${dialId}`,
      answerUrl: `${baseUrl()}/answer/${dialId}`,
    };
  };
  const patience = new AbortController().signal;
  const serve = async (request: CallbackRequest): Promise<CallbackAnswer> => {
    const [, kind, dialId = ""] = new URL(request.url).pathname.split("/");
    if (kind === "status") {
      const said = carrier.readCallback(dialId, request);
      if (said === "forged") return { ...NOTHING, status: 403 };
      if (said !== undefined) reports.push(said);
      return NOTHING;
    }
    if (kind === "answer") {
      const wish = carrier.readConnect?.(request);
      if (wish === "forged" || wish === undefined) return { ...NOTHING, status: 403 };
      if (typeof wish === "object") return wish.answer;
      return carrier.connect?.(wish === "connect" ? { ...addresses(dialId), dialId } : undefined) ?? NOTHING;
    }
    const notice = carrier.readNotice?.(request);
    if (notice === "forged") return { ...NOTHING, status: 403 };
    if (notice !== undefined) notices.push(notice);
    if (notice?.type !== "ringing") return carrier.noticeTaken ?? NOTHING;
    if (notice.call.to.endsWith("66")) return (await carrier.decline?.(notice.call, "busy", patience)) ?? NOTHING;
    const call = { ...addresses("inbound"), dialId: "inbound", timeLimitMs: 60_000 };
    return (await carrier.answer?.(notice.call, call, patience)) ?? NOTHING;
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await callbackOf(request, baseUrl());
    requests.push(asked);
    const { status, contentType, body } = await serve(asked);
    response.writeHead(status, { "content-type": contentType }).end(body);
    look();
  };
  const server = createServer((request, response) => {
    void handle(request, response);
  });
  const baseUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  gateway.attach(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  let dials = 0;
  return {
    carrier,
    running,
    reports,
    notices,
    requests,
    lines,
    when,
    patience,
    noticeUrl: `${baseUrl()}/notice`,
    back: (dialId: string) => ({ answerUrl: `${baseUrl()}/answer/${dialId}`, callerId: "+12025550100" }),
    request: (to: string, given: Partial<PlaceRequest> = {}): PlaceRequest => {
      dials += 1;
      const dialId = `dial-${dials}`;
      const times = { ringTimeoutMs: 30_000, timeLimitMs: 60_000 };
      return { dialId, to, from: "+12025550100", ...times, ...addresses(dialId), ...given };
    },
    end: () => when(() => reports.find(({ call }) => call.state === "ended")),
    close: async () => {
      await running.close();
      await carrier.close();
      await http.close();
      await gateway.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
};

export type SimulatorRig = Awaited<ReturnType<typeof simulatorRig>>;

const callbackOf = async (request: IncomingMessage, baseUrl: string): Promise<CallbackRequest> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return {
    method: request.method === "GET" ? "GET" : "POST",
    url: `${baseUrl}${request.url ?? ""}`,
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
    ),
    body: Buffer.concat(parts),
  };
};
