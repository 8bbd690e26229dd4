import { parseArgs } from "node:util";
import { makeDeps } from "../app.ts";
import { NothingToServe, OFFERS, startModelServer, type Offer } from "../app/model-server.ts";
import { readConfig } from "../config.ts";
import { deferred } from "../kit/deferred.ts";

export const MODEL_SERVER_HELP = `Usage: call-engine model-server [options]

Serves the engines of this machine to others over gRPC (proto/callengine/models/v1), which use them by MODEL_SERVER_URL
(docs/model-servers.md). Runs until it is stopped.

  --listen <host:port>   127.0.0.1:50051 unless told; port 0 takes a free one
  --cert <path>          certificate in PEM, and
  --key <path>           its key: TLS, which a network that is not your own needs
  --offer <list>         some of ${OFFERS.join(",")};
                         what hears and speaks unless told, as far as it runs here

MODEL_SERVER_TOKEN in the environment is asked of every client; without it the server listens on this machine only.
`;

type Env = Readonly<Record<string, string | undefined>>;

/** Runs the command until it is stopped; answers its exit code. */
export const runModelServer = async (args: readonly string[], env: Env): Promise<number> => {
  let order;
  try {
    order = read(args, env);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${MODEL_SERVER_HELP}`);
    return 2;
  }
  const deps = makeDeps(readConfig(env), env);
  const stopped = deferred<void>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopped.resolve());
  try {
    const server = await startModelServer(deps, env, order);
    const scheme = order.tls === undefined ? "grpc" : "grpcs";
    const host = order.address.replace(/:\d+$/, "");
    process.stdout.write(`ready url=${scheme}://${host}:${server.port} engines=${server.engines.join(",")}\n`);
    await stopped.promise;
    await server.close();
    return 0;
  } catch (error) {
    if (!(error instanceof NothingToServe)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  } finally {
    deps.metrics.close();
  }
};

const TEXT = { type: "string" } as const;

const read = (args: readonly string[], env: Env) => {
  const { values } = parseArgs({ args: [...args], options: { listen: TEXT, cert: TEXT, key: TEXT, offer: TEXT } });
  const address = values.listen ?? "127.0.0.1:50051";
  if (!/^(\[[\da-fA-F:.]+\]|[\w.-]+):\d{1,5}$/.test(address)) throw new Error("--listen must be host:port.");
  if ((values.cert === undefined) !== (values.key === undefined)) throw new Error("--cert and --key go together.");
  const token = env["MODEL_SERVER_TOKEN"]?.trim() || undefined;
  if (token === undefined && !/^(localhost|127\.[\d.]+|\[::1\]):/.test(address))
    throw new Error("Set MODEL_SERVER_TOKEN: without it anybody who reaches this address could use the server.");
  const { cert: certPath, key: keyPath } = values;
  return {
    address,
    token,
    tls: certPath && keyPath ? { certPath, keyPath } : undefined,
    offers: offersOf(values.offer),
  };
};

const offersOf = (text: string | undefined): readonly Offer[] => {
  // A language model needs a key or an address, and its script is of use to nobody else.
  if (text === undefined) return OFFERS.filter((offer) => offer !== "language-model");
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !OFFERS.some((offer) => offer === name));
  if (unknown.length > 0) throw new Error(`--offer knows ${OFFERS.join(", ")}, not ${unknown.join(", ")}.`);
  return OFFERS.filter((offer) => names.includes(offer));
};
