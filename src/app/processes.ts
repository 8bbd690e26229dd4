import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { memoryCallRegistry } from "../adapters/call-registry/memory.ts";
import { openRedisCallRegistry } from "../adapters/call-registry/redis.ts";
import type { Config } from "../config.ts";
import type { Scope } from "../kit/scope.ts";
import type { CallRegistry, ProcessAddress } from "../ports/call-registry.ts";
import type { Carrier } from "../ports/carrier.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import type { Listening } from "../grpc/listening.ts";
import { BrowserGateway } from "../worker/browser-gateway.ts";
import { LocalCalls } from "../worker/control/local-calls.ts";
import { OtherProcesses } from "../worker/control/other-processes.ts";
import { serveControl } from "../worker/control/serve-control.ts";
import { mediaForwarder } from "../worker/forward-media.ts";
import { SocketForwarding } from "../worker/forward-socket.ts";
import type { Lines } from "../worker/lines.ts";
import { MediaGateway } from "../worker/media-gateway.ts";
import { Presence } from "../worker/presence.ts";
import type { Worker } from "../worker/worker.ts";
import { openBrowserGateway, type BrowserParts } from "./browsers.ts";
import { readControlSettings, type ControlSettings } from "./control-settings.ts";
import type { Stores } from "./stores.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** This process among those of the deployment. */
export type Processes = Readonly<{
  self: ProcessAddress;
  registry: CallRegistry;
  forwarding: SocketForwarding;
  settings: ControlSettings;
  /** Tells the others what is held here. */
  presence: Presence;
}>;

type Given = Readonly<{ config: Config; env: Env; deps: AdapterDeps; stores: Stores }>;

/** Gets ready to be found by the other processes; `port` is that of our HTTP server. */
export const openProcesses = async (
  { config, env, deps }: Given,
  name: string,
  port: number,
  scope: Scope,
): Promise<Processes> => {
  const settings = readControlSettings(env);
  const url = config.redisUrl?.reveal();
  const registry = url === undefined ? memoryCallRegistry() : await openRedisCallRegistry({ ...deps, url });
  scope.onClose(() => registry.close());
  const forwarding = new SocketForwarding({ ...deps, registry, self: name, drainMs: config.drainMs });
  scope.onClose(() => {
    forwarding.close();
  });
  const self = { name, mediaUrl: `http://${settings.host}:${port}` };
  const presence = new Presence({ ...deps, registry, self });
  scope.onClose(() => presence.stop());
  return { self, registry, forwarding, settings, presence };
};

type SocketParts = BrowserParts &
  Readonly<{ carriers: Readonly<{ accounts: ReadonlyMap<string, Carrier> }>; lines: Lines; publicUrl: string }>;

/**
 * Takes the websockets of carriers and browsers: those of calls that are held here, and those of others to pass on. `worker` is there
 * only once the service runs, and never in a process that holds no calls.
 */
export const openSockets = (
  server: Server,
  parts: SocketParts,
  { forwarding, registry, self }: Processes,
  worker: () => Worker | undefined,
  scope: Scope,
): void => {
  const { deps, stores, carriers, lines, publicUrl } = parts;
  const holds = (dialId: string) => worker()?.runs.has(dialId) ?? false;
  const media = new MediaGateway({
    ...deps,
    live: stores.live,
    carriers: carriers.accounts,
    publicWsUrl: publicUrl.replace(/^http/, "ws"),
    onLine: (ticket, line) => lines.arrived(ticket, line),
    forward: mediaForwarder(forwarding, stores.live, holds),
  });
  scope.onClose(() => media.close());
  const browsers = openBrowserGateway(parts);
  /** A process that holds no calls lets visitors in at one that does. */
  const ownerOf = async (request: IncomingMessage, dialId: string) => {
    const owner = await forwarding.ownerElsewhere(request, dialId);
    if (owner !== undefined || worker() !== undefined) return owner;
    const others = await registry.processes().catch(() => []);
    return others[Math.floor(deps.random.fraction() * others.length)];
  };
  const visit = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const ignore = () => socket.destroy();
    socket.on("error", ignore);
    const dialId = BrowserGateway.dialOf(request);
    const owner = dialId === undefined || holds(dialId) ? undefined : await ownerOf(request, dialId);
    if (owner !== undefined && owner.name !== self.name && (await forwarding.pass(owner, request, socket, head)))
      return;
    socket.off("error", ignore);
    await browsers.handle(request, socket, head);
  };
  const listener = (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    void (BrowserGateway.owns(request) ? visit(request, socket, head) : media.handle(request, socket, head));
  server.on("upgrade", listener);
  scope.onClose(() => {
    server.off("upgrade", listener);
    return browsers.close();
  });
};

/** Takes orders, where the environment wants that, and tells the others where. */
export const takeOrders = async (
  { deps, stores }: Given,
  { settings, registry, self, presence }: Processes,
  worker: Worker,
  drain: () => void,
  scope: Scope,
): Promise<Listening | undefined> => {
  const { listen, caPath, host } = settings;
  if (listen === undefined) {
    await presence.start();
    return undefined;
  }
  const others = new OtherProcesses({ ...deps, registry, self: self.name, token: listen.token, caPath });
  const parts = {
    ...deps,
    live: stores.live,
    dials: stores.store.dials,
    self,
    calls: new LocalCalls(worker),
    others,
    drain,
  };
  const listening = await serveControl(parts, listen);
  scope.onClose(() => listening.close());
  await presence.start(`${listen.tls === undefined ? "grpc" : "grpcs"}://${host}:${listening.port}`);
  return listening;
};
