import { VisitorCalls } from "../adapters/browser/browser-calls.ts";
import { createBrowserPeers, type WebRtcSettings } from "../adapters/browser/webrtc/peers.ts";
import type { Config } from "../config.ts";
import { createDialTokens } from "../dials/dial-token.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import { BrowserGateway } from "../worker/browser-gateway.ts";
import type { Lines } from "../worker/lines.ts";
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

export type BrowserParts = Parts & Readonly<{ config: Config; visitors: VisitorCalls }>;

/** Lets browsers in to the visitors of this process. */
export const openBrowserGateway = ({ config, deps, stores, visitors }: BrowserParts): BrowserGateway =>
  new BrowserGateway({
    ...deps,
    dials: stores.store.dials,
    tokens: createDialTokens({ ...deps, deploymentSecret: stores.deploymentSecret }),
    calls: visitors,
    origins: config.corsOrigins,
  });

const peerSettings = ({ webrtc, publicUrl }: Config): WebRtcSettings => ({
  ...webrtc,
  iceServers: webrtc.iceServers.map(({ credential, ...server }) =>
    credential === undefined ? server : { ...server, credential: credential.reveal() },
  ),
  // A service that is reached as localhost is talked to by browsers on the same machine.
  loopback: publicUrl === undefined || /^https?:\/\/(localhost|127\.|\[::1\])/.test(publicUrl),
});
