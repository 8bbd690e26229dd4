import { parseArgs } from "node:util";
import { makeDeps } from "../app.ts";
import { startSimulator, UnknownSimulator } from "../app/simulator.ts";
import { readConfig } from "../config.ts";
import { deferred } from "../kit/deferred.ts";

export const SIMULATE_HELP = `Usage: call-engine simulate-carrier <carrier> [options]

Runs a carrier on this machine: its REST interface, its callbacks and its media sockets, with people behind the numbers of
docs/carriers.md. Prints what the service is to be started with, and runs until it is stopped.

  --port <port>        where it listens; any free port unless told
  --host <address>     127.0.0.1 unless told
  --ring <number>      somebody with this number rings, once --to and --webhook are given
  --to <number>        the number of ours that they ring
  --webhook <url>      where the carrier announces them, such as http://localhost:8080/carriers/twilio/inbound

What goes wrong, as shares from 0 to 1:
  --drop, --duplicate, --reorder   callbacks
  --lose-answer, --too-many        requests for a call
  --break-media                    media sockets, two seconds after they were opened
  --delay <ms>                     every callback comes this much later
`;

type Env = Readonly<Record<string, string | undefined>>;

/** Runs the command until it is stopped; answers its exit code. */
export const simulateCarrier = async (args: readonly string[], env: Env): Promise<number> => {
  let order;
  try {
    order = read(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${SIMULATE_HELP}`);
    return 2;
  }
  const deps = makeDeps(readConfig(env), env);
  const stopped = deferred<void>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopped.resolve());
  try {
    const simulator = await startSimulator(deps, env, order);
    try {
      const variables = Object.entries(simulator.environment).map(([name, value]) => `${name}=${quoted(value)}`);
      process.stdout.write(`${variables.join(" ")}\n`);
      if (order.ring !== undefined) process.stdout.write(`rings as ${await simulator.ring(order.ring)}\n`);
      await stopped.promise;
    } finally {
      await simulator.close();
    }
    return 0;
  } catch (error) {
    if (!(error instanceof UnknownSimulator)) throw error;
    process.stderr.write(`${error.message}\n\n${SIMULATE_HELP}`);
    return 2;
  } finally {
    deps.metrics.close();
  }
};

const quoted = (value: string): string =>
  /^[\w:/.+-]*$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;

const TEXT = { type: "string" } as const;

const read = (args: readonly string[]) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      port: TEXT,
      host: TEXT,
      ring: TEXT,
      to: TEXT,
      webhook: TEXT,
      drop: TEXT,
      duplicate: TEXT,
      reorder: TEXT,
      delay: TEXT,
      "lose-answer": TEXT,
      "too-many": TEXT,
      "break-media": TEXT,
    },
  });
  const [carrier, ...others] = positionals;
  if (carrier === undefined || others.length > 0) throw new Error("Name one carrier.");
  const { ring, to, webhook } = values;
  if (
    [ring, to, webhook].some((one) => one !== undefined) &&
    (ring === undefined || to === undefined || webhook === undefined)
  )
    throw new Error("--ring, --to and --webhook go together.");
  return {
    carrier,
    port: numberOf("port", values.port, 65_535) ?? 0,
    host: values.host ?? "127.0.0.1",
    faults: faultsOf(values),
    ring: ring && to && webhook ? { from: ring, to, webhookUrl: webhook } : undefined,
  };
};

const faultsOf = (values: Readonly<Record<string, string | undefined>>) => {
  const share = (name: string) => numberOf(name, values[name], 1) ?? 0;
  return {
    drop: share("drop"),
    duplicate: share("duplicate"),
    reorder: share("reorder"),
    delayMs: numberOf("delay", values["delay"], 600_000) ?? 0,
    loseAnswer: share("lose-answer"),
    tooMany: share("too-many"),
    breakMedia: share("break-media"),
  };
};

const numberOf = (name: string, value: string | undefined, most: number): number | undefined => {
  if (value === undefined) return undefined;
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (!(number <= most)) throw new Error(`--${name} must be a number from 0 to ${most}, not "${value}".`);
  return number;
};
