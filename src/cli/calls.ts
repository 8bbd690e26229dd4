import { parseArgs } from "node:util";
import { status, type ServiceError } from "@grpc/grpc-js";
import { makeDeps } from "../app.ts";
import { readConfig } from "../config.ts";
import { CLIENT_OPTIONS, metadataFor, readEndpoint, UnusableEndpoint, type Endpoint } from "../grpc/endpoint.ts";
import type { CallControlClient } from "../grpc/generated/callengine/control/v1/CallControl.ts";
import type { CallEvent__Output } from "../grpc/generated/callengine/control/v1/CallEvent.ts";
import type { ListCallsResponse__Output } from "../grpc/generated/callengine/control/v1/ListCallsResponse.ts";
import { codeOf } from "../grpc/provider-failure.ts";
import { callControlProtocol } from "../grpc/protocols.ts";
import { deferred } from "../kit/deferred.ts";
import type { Clock } from "../ports/clock.ts";

export const CALLS_HELP = `Usage: call-engine calls <order>

Sees and directs live calls, whichever process holds them. Asks the process at CONTROL_URL (grpc://127.0.0.1:50052 unless set; grpcs://
with CONTROL_CA where its certificate is not trusted by itself), with CONTROL_TOKEN.

  list                     the calls that are held now
  watch <dial>             what happens in a call, one JSON object a line, until it is over
  say <dial> <text>        the agent says this at once
  hangup <dial>            ends a call
  transfer <dial> <number> connects the other party to a number
  pause <dial>             the agent listens and says nothing of its own
  resume <dial>            it answers again
  drain [process]          a process takes no new calls; the one that is asked unless named
`;

type Env = Readonly<Record<string, string | undefined>>;

/** Carries out one order; answers the exit code: 0 done, 1 refused or out of reach, 2 not understood. */
export const runCalls = async (args: readonly string[], env: Env): Promise<number> => {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true, strict: false });
  const [name = "", ...rest] = positionals;
  const order = ORDERS[name];
  if (order === undefined || rest.length < order.least || rest.length > order.most) {
    process.stderr.write(
      `${order === undefined ? `There is no order "${name}"` : `"${name}" wants something else`}.\n\n${CALLS_HELP}`,
    );
    return 2;
  }
  const deps = makeDeps(readConfig({ ...env, LOG_LEVEL: "silent" }), env);
  try {
    const endpoint = await readEndpoint({
      url: env["CONTROL_URL"]?.trim() || "grpc://127.0.0.1:50052",
      token: env["CONTROL_TOKEN"]?.trim() || undefined,
      caPath: env["CONTROL_CA"]?.trim() || undefined,
    });
    const client = new (callControlProtocol())(endpoint.target, endpoint.credentials, CLIENT_OPTIONS);
    try {
      await order.run({ client, endpoint, clock: deps.clock }, rest);
      return 0;
    } finally {
      client.close();
    }
  } catch (error) {
    process.stderr.write(`${why(error)}\n`);
    return 1;
  } finally {
    deps.metrics.close();
  }
};

type Control = Readonly<{ client: CallControlClient; endpoint: Endpoint; clock: Clock }>;

type Order = Readonly<{
  least: number;
  most: number;
  run(control: Control, args: readonly string[]): Promise<void>;
}>;

/** Listing asks other processes, which have two seconds. */
const ANSWER_MS = 10_000;

type Done<Answer> = (error: ServiceError | null, answer?: Answer) => void;

const asked = <Answer>(
  { endpoint, clock }: Control,
  ask: (metadata: ReturnType<typeof metadataFor>, options: { deadline: Date }, done: Done<Answer>) => void,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    ask(metadataFor(endpoint), { deadline: new Date(clock.now() + ANSWER_MS) }, (error, answer) => {
      if (answer === undefined) reject(error ?? new Error("the process answered nothing"));
      else resolve(answer);
    });
  });

const list = async (control: Control): Promise<void> => {
  const { calls, silentProcesses } = await asked<ListCallsResponse__Output>(control, (metadata, options, done) => {
    control.client.ListCalls({}, metadata, options, done);
  });
  for (const call of calls) {
    const seconds = Math.round((control.clock.now() - call.heldSinceMs) / 1000);
    const state = call.connected ? "connected" : "waiting";
    const agent = call.agentPaused ? "  agent paused" : "";
    process.stdout.write(`${call.dialId}  ${call.direction}  ${state}  ${seconds} s  ${call.process}${agent}\n`);
  }
  for (const name of silentProcesses) process.stderr.write(`${name} does not answer; its calls are missing\n`);
};

const watch = async ({ client, endpoint }: Control, dialId: string): Promise<void> => {
  const { promise, resolve, reject } = deferred<void>();
  const call = client.WatchCall({ dialId }, metadataFor(endpoint));
  call.on("data", ({ json }: CallEvent__Output) => {
    process.stdout.write(`${json}\n`);
  });
  call.on("error", reject);
  call.on("end", () => {
    resolve();
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      resolve();
      call.cancel();
    });
  await promise;
};

const drain = async (control: Control, name: string): Promise<void> => {
  const { calls } = await asked<{ calls: number }>(control, (metadata, options, done) => {
    control.client.Drain({ process: name }, metadata, options, done);
  });
  process.stdout.write(`takes no new calls; ${calls} go on until they end\n`);
};

const pause = (paused: boolean): Order => ({
  least: 1,
  most: 1,
  run: async (control, [dialId = ""]) => {
    await asked(control, (metadata, options, done) => {
      control.client.PauseAgent({ dialId, paused }, metadata, options, done);
    });
  },
});

const ORDERS: Readonly<Record<string, Order>> = {
  list: { least: 0, most: 0, run: list },
  watch: { least: 1, most: 1, run: (control, [dialId = ""]) => watch(control, dialId) },
  say: {
    least: 2,
    most: 200,
    run: async (control, [dialId = "", ...words]) => {
      await asked(control, (metadata, options, done) => {
        control.client.Say({ dialId, text: words.join(" ") }, metadata, options, done);
      });
    },
  },
  hangup: {
    least: 1,
    most: 1,
    run: async (control, [dialId = ""]) => {
      await asked(control, (metadata, options, done) => {
        control.client.HangUp({ dialId }, metadata, options, done);
      });
    },
  },
  transfer: {
    least: 2,
    most: 2,
    run: async (control, [dialId = "", to = ""]) => {
      await asked(control, (metadata, options, done) => {
        control.client.Transfer({ dialId, to }, metadata, options, done);
      });
    },
  },
  pause: pause(true),
  resume: pause(false),
  drain: { least: 0, most: 1, run: (control, [name = ""]) => drain(control, name) },
};

const why = (error: unknown): string => {
  if (error instanceof UnusableEndpoint)
    return `${error.part === "authority" ? "CONTROL_CA" : "CONTROL_URL"}: ${error.message}`;
  const code = codeOf(error);
  if (code === status.UNAUTHENTICATED) return "the process refuses the token; check CONTROL_TOKEN";
  if (code === undefined) return error instanceof Error ? error.message : String(error);
  const { details } = error as ServiceError;
  return code === status.UNAVAILABLE && details.startsWith("No connection")
    ? "no process takes orders at CONTROL_URL; set CONTROL_LISTEN there"
    : details;
};
