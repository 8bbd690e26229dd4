import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { VisitorCalls } from "../adapters/browser/browser-calls.ts";
import { createBrowserPeers, type WebRtcSettings } from "../adapters/browser/webrtc/peers.ts";
import type { Config } from "../config.ts";
import { createDialTokens } from "../dials/dial-token.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import { BrowserGateway } from "../worker/browser-gateway.ts";
import type { Lines } from "../worker/lines.ts";
import type { MediaGateway } from "../worker/media-gateway.ts";
import type { Worker } from "../worker/worker.ts";
import type { Stores } from "./stores.ts";

type Parts = Readonly<{ deps: AdapterDeps; stores: Stores }>;

/** The visitors of this process; `worker` is there only once the service listens. */
export const openVisitorCalls = ({
  config,
  deps,
  stores,
  lines,
  worker,
}: Parts & Readonly<{ config: Config; lines: Lines; worker(): Worker | undefined }>): VisitorCalls =>
  new VisitorCalls({
    ...deps,
    peers: createBrowserPeers({ ...deps, settings: peerSettings(config) }),
    live: stores.live,
    begin: (dialId) => worker()?.take(dialId) ?? false,
    withdraw: (dialId) => worker()?.withdraw(dialId),
    onLine: (ticket, line) => lines.arrived(ticket, line),
  });

/** Gives each websocket of an HTTP server to whom its path belongs; the returned function ends that and closes what browsers opened. */
export const routeUpgrades = (
  server: Server,
  media: MediaGateway,
  { config, deps, stores, visitors }: Parts & Readonly<{ config: Config; visitors: VisitorCalls }>,
): (() => Promise<void>) => {
  const browsers = new BrowserGateway({
    ...deps,
    dials: stores.store.dials,
    tokens: createDialTokens({ ...deps, deploymentSecret: stores.deploymentSecret }),
    calls: visitors,
    origins: config.corsOrigins,
  });
  const listener = (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    void (BrowserGateway.owns(request) ? browsers : media).handle(request, socket, head);
  server.on("upgrade", listener);
  return async () => {
    server.off("upgrade", listener);
    await browsers.close();
  };
};

const peerSettings = ({ webrtc, publicUrl }: Config): WebRtcSettings => ({
  ...webrtc,
  iceServers: webrtc.iceServers.map(({ credential, ...server }) =>
    credential === undefined ? server : { ...server, credential: credential.reveal() },
  ),
  // A service that is reached as localhost is talked to by browsers on the same machine.
  loopback: publicUrl === undefined || /^https?:\/\/(localhost|127\.|\[::1\])/.test(publicUrl),
});
