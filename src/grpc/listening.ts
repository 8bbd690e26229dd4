import { readFile } from "node:fs/promises";
import { timingSafeEqual } from "node:crypto";
import {
  Server,
  ServerCredentials,
  ServerListenerBuilder,
  ServerInterceptingCall,
  status,
  type Metadata,
  type ServerInterceptor,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { withDeadline, type Clock } from "../ports/clock.ts";
import { MOST_MESSAGE_BYTES } from "./endpoint.ts";
import { healthProtocol } from "./protocols.ts";
import type { HealthHandlers } from "./generated/grpc/health/v1/Health.ts";

export type ListenOptions = Readonly<{
  clock: Clock;
  /** `host:port`; port 0 takes a free one. */
  address: string;
  /** Required of every request but those for health; absent: nobody is asked. */
  token?: string | undefined;
  /** Paths of the certificate and its key in PEM; absent: no TLS. */
  tls?: Readonly<{ certPath: string; keyPath: string }> | undefined;
  service: ServiceDefinition;
  /** The service's name for those who ask for its health. */
  name: string;
  handlers: UntypedServiceImplementation;
}>;

export type Listening = Readonly<{
  port: number;
  /** Tells those who ask for its health whether it should be used. */
  setServing(serving: boolean): void;
  /** Lets streams end for a second, then cuts them. Idempotent. */
  close(): Promise<void>;
}>;

const CLOSE_MS = 1000;

/** Serves one gRPC service and its health. Rejects when the address cannot be listened on or the certificate cannot be read. */
export const listen = async (options: ListenOptions): Promise<Listening> => {
  const { clock, address, token, tls, service, name, handlers } = options;
  const server = new Server({
    "grpc.max_receive_message_length": MOST_MESSAGE_BYTES,
    "grpc.max_send_message_length": MOST_MESSAGE_BYTES,
    "grpc.max_concurrent_streams": 1000,
    ...(token === undefined ? {} : { interceptors: [tokenCheck(token)] }),
  });
  let serving = true;
  server.addService(service, handlers);
  server.addService(
    healthProtocol().service,
    healthOf(name, () => serving),
  );
  const port = await bind(server, address, await credentialsOf(tls));
  let closing: Promise<void> | undefined;
  const close = async () => {
    serving = false;
    const closed = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
    await withDeadline(clock, CLOSE_MS, "closing the server", closed).catch(() => server.forceShutdown());
  };
  return {
    port,
    setServing: (now) => {
      serving = now;
    },
    close: () => (closing ??= close()),
  };
};

const credentialsOf = async (tls: ListenOptions["tls"]): Promise<ServerCredentials> => {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const [cert_chain, private_key] = await Promise.all([readFile(tls.certPath), readFile(tls.keyPath)]);
  return ServerCredentials.createSsl(null, [{ cert_chain, private_key }]);
};

const bind = (server: Server, address: string, credentials: ServerCredentials): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });

const HEALTH_PATH = "/grpc.health.v1.Health/";

/** Refuses requests without the token before anything of them is read; load balancers ask for health without one. */
const tokenCheck =
  (token: string): ServerInterceptor =>
  ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start: (next) => {
        next(
          new ServerListenerBuilder()
            .withOnReceiveMetadata((metadata, go) => {
              if (path.startsWith(HEALTH_PATH) || bears(metadata, token)) go(metadata);
              else
                call.sendStatus({
                  code: status.UNAUTHENTICATED,
                  details: "send the metadata authorization: Bearer <token> with the token of this server",
                });
            })
            .build(),
        );
      },
    });

const bears = (metadata: Metadata, token: string): boolean => {
  const [given] = metadata.get("authorization");
  const wanted = Buffer.from(`Bearer ${token}`);
  const got = Buffer.from(given ?? "");
  return got.length === wanted.length && timingSafeEqual(got, wanted);
};

const healthOf = (name: string, serving: () => boolean): HealthHandlers & UntypedServiceImplementation => ({
  Check: ({ request: { service } }, answer) => {
    if (service !== "" && service !== name)
      answer({ code: status.NOT_FOUND, details: "this server has no service of that name" });
    else answer(null, { status: serving() ? "SERVING" : "NOT_SERVING" });
  },
  Watch: (call) => {
    // Whoever watches sees the connection close when the server stops, which is the only change there is to tell.
    const known = call.request.service === "" || call.request.service === name;
    const present = serving() ? "SERVING" : "NOT_SERVING";
    call.write({ status: known ? present : "SERVICE_UNKNOWN" });
  },
});
