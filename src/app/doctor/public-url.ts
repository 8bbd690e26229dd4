import { createServer, type Server } from "node:http";
import { WebSocket } from "ws";
import type { Config } from "../../config.ts";
import type { Random } from "../../ports/random.ts";
import { refuseUpgrade } from "../../worker/refuse-upgrade.ts";
import type { Check, Finding } from "./finding.ts";

/**
 * Whether carriers and browsers reach this machine at the public address: by HTTP, and with websockets, which proxies often lose. Where
 * the service does not run, something stands in for it on its port meanwhile.
 */
export const publicUrlCheck = (config: Config, random: Random, needed: boolean): Check => ({
  what: "public address",
  run: async (signal) => {
    const { publicUrl } = config;
    if (publicUrl === undefined)
      return needed
        ? {
            state: "broken",
            says: "PUBLIC_URL is not set: carriers cannot reach http://localhost; set it to an https origin",
          }
        : { state: "off", says: "PUBLIC_URL is not set; this machine alone reaches the service" };
    const standIn = await stand(config, random.secret(16));
    try {
      return await reach(publicUrl, standIn?.nonce, signal);
    } finally {
      standIn?.server.closeAllConnections();
      standIn?.server.close();
    }
  },
});

const reach = async (
  publicUrl: string,
  nonce: string | undefined,
  signal: AbortSignal,
): Promise<Omit<Finding, "what">> => {
  const broken = (says: string) => ({ state: "broken", says: `PUBLIC_URL: ${says}` }) as const;
  let response: Response;
  try {
    response = await fetch(`${publicUrl}/healthz`, { signal, redirect: "manual" });
  } catch (error) {
    const { cause } = error as Readonly<{ cause?: unknown }>;
    const code = typeof cause === "object" && cause !== null && "code" in cause ? ` (${String(cause.code)})` : "";
    return broken(`${publicUrl} is not reached${code}: look at its name, its certificate, the proxy and the firewall`);
  }
  await response.body?.cancel();
  if (response.status !== 200)
    return broken(`${publicUrl}/healthz answers ${response.status}: have the proxy lead to this service's PORT`);
  if (nonce !== undefined && response.headers.get(NONCE) !== nonce)
    return broken(`${publicUrl} leads to another service: look at the proxy's target`);
  const socket = await upgrade(publicUrl.replace(/^http/u, "ws"), signal);
  if (socket !== REFUSED_BY_US)
    return broken(
      `${publicUrl} does not let websockets through (${socket}): have the proxy pass on Upgrade and Connection`,
    );
  if (!publicUrl.startsWith("https:"))
    return {
      state: "lesser",
      says: `PUBLIC_URL: ${publicUrl} is reached, without https: carriers and browsers' microphones want it`,
    };
  return { state: "ok", says: `${publicUrl} is reached, websockets too` };
};

/** What a media address that never was one is answered with; a proxy that loses the upgrade asks for a page, and finds none. */
const REFUSED_BY_US = 403;

const upgrade = (wsUrl: string, signal: AbortSignal): Promise<number | string> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`${wsUrl}/media/loopback/${"doctor-".repeat(4)}`);
    signal.addEventListener("abort", () => socket.terminate(), { once: true });
    socket.once("unexpected-response", (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.once("open", () => {
      socket.terminate();
      resolve("something else opened it");
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code ?? "it broke off");
    });
  });

const NONCE = "x-call-engine-doctor";

/** Answers in the service's place; `undefined` when its port is taken, which is taken for the service itself. */
const stand = (
  { port, host }: Config,
  nonce: string,
): Promise<Readonly<{ server: Server; nonce: string }> | undefined> =>
  new Promise((resolve) => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { [NONCE]: nonce }).end();
    });
    server.on("upgrade", (_request, socket) => {
      refuseUpgrade(socket, { status: REFUSED_BY_US, code: "invalid_media_token", detail: "This is a check." });
    });
    server.once("error", () => {
      resolve(undefined);
    });
    server.listen({ port, host }, () => {
      resolve({ server, nonce });
    });
  });
