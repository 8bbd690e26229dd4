import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { simulator as plivoSimulator } from "../../src/adapters/carrier/plivo/simulator.ts";
import { simulator as telnyxSimulator } from "../../src/adapters/carrier/telnyx/simulator.ts";
import { simulator as signalwireSimulator } from "../../src/adapters/carrier/twilio/signalwire-simulator.ts";
import { simulator as twilioSimulator } from "../../src/adapters/carrier/twilio/simulator.ts";
import { simulator as vonageSimulator } from "../../src/adapters/carrier/vonage/simulator.ts";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../src/adapters/random/system.ts";
import { startApp, type App } from "../../src/app.ts";
import { DEMO_AGENT_ID } from "../../src/app/demo-workspace.ts";
import { createClient, type Client } from "../../src/client/client.ts";
import { readConfig } from "../../src/config.ts";
import { untilDial } from "../../src/demo/until-dial.ts";
import type { Dial } from "../../src/model/dial.ts";
import type { RunningSimulator } from "../../src/ports/carrier-simulator.ts";
import { scriptedServer } from "../adapters/carrier/sip/scripted-server.ts";
import { freePort } from "../adapters/carrier/sip/trunk-rig.ts";
import { QuickClock } from "../adapters/carrier/simulation/quick-clock.ts";
import { lightEngines } from "../kit/light-engines.ts";
import { createTestDatabase, type TestDatabase } from "../kit/postgres.ts";
import { silentLogger } from "../kit/silent-logger.ts";

const SIMULATORS = [twilioSimulator, signalwireSimulator, telnyxSimulator, vonageSimulator, plivoSimulator];
const NAMES = SIMULATORS.map(({ name }) => name);

/** In these networks 45 s of ringing are over in two, and the carrier's limit for a call of one minute in six. */
const SPEED = 20;

const clock = new SystemClock();

/** Their time of day is ours, since carriers sign it. */
class QuickNetworks extends QuickClock {
  override now(): number {
    return clock.now();
  }
}

let dataDir: string;
let database: TestDatabase;
let service: App;
let client: Client;
let trunk: Awaited<ReturnType<typeof scriptedServer>>;
const networks = new Map<string, RunningSimulator>();
const numberIds = new Map<string, string>();

const idOf = (carrier: string): string => `${carrier}-quick`;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "call-engine-outcomes-"));
  await chmod(dataDir, 0o711);
  const deps = { clock: new QuickNetworks(SPEED), random: new SystemRandom(), logger: silentLogger() };
  for (const simulator of SIMULATORS)
    networks.set(
      simulator.name,
      await simulator.start({
        port: 0,
        host: "127.0.0.1",
        settings: {},
        faults: { duplicate: 0.3, reorder: 0.3 },
        deps,
      }),
    );
  // The accounts are the file's, which the numbers choose.
  const accounts = [...networks].map(([carrier, { environment }]) => ({
    id: idOf(carrier),
    carrier,
    settings: environment,
  }));
  const accountsFile = join(dataDir, "accounts.json");
  await writeFile(accountsFile, JSON.stringify({ accounts }));
  // A trunk that rings and answers by the last three digits of who is called.
  const retryLater = [["retry-after", "3600"]] as const;
  trunk = await scriptedServer((user) => {
    const status = Number(user.slice(-3));
    return [{ status: 180 }, status === 503 || status === 429 ? { status, headers: retryLater } : { status }];
  });
  const sip = { SIP_SERVER: `127.0.0.1:${trunk.port}`, SIP_LISTEN: `127.0.0.1:${await freePort()}` };
  database = await createTestDatabase({ migrated: false });
  const settings = { PORT: "0", HOST: "127.0.0.1", LOG_LEVEL: "error", ALLOW_PRIVATE_NETWORK: "true" };
  const env = { ...settings, DATA_DIR: dataDir, DATABASE_URL: database.url, ACCOUNTS_FILE: accountsFile, ...sip };
  service = await startApp({ config: readConfig(env), env, role: "all", engines: lightEngines });
  client = createClient(service);
  for (const [index, carrier] of NAMES.entries()) {
    const body = { number: `+1202555016${index}`, carrier, carrierAccountId: idOf(carrier) };
    numberIds.set(carrier, (await client.importPhoneNumber({ body })).id);
  }
  const sipNumber = await client.importPhoneNumber({ body: { number: "+12025550169", carrier: "sip" } });
  numberIds.set("sip", sipNumber.id);
});

afterAll(async () => {
  await service.stop();
  await trunk.close();
  await Promise.all([...networks.values()].map((network) => network.close()));
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

const until = (dialId: string, condition: (dial: Dial) => boolean): Promise<Dial> =>
  untilDial(client, clock, dialId, condition, 90_000);

const over = ({ endedAt }: Dial) => endedAt !== undefined;

const ask = async (carrier: string, toNumber: string): Promise<string> => {
  const fromNumberId = numberIds.get(carrier) ?? null;
  const body = { callAgentId: DEMO_AGENT_ID, fromNumberId, toNumber, timeoutMinutes: 1 };
  return (await client.createDial({ body })).dialId;
};

const ROWS = [
  ["+12025550130", "busy", "BUSY", "busy"],
  ["+12025550131", "no-answer", "NO_ANSWER", "no_answer"],
  ["+12025550132", "failed", "FAILED", "carrier_rejected"],
  ["+12025550133", "failed", "FAILED", "invalid_number"],
  ["+12025550134", "failed", "FAILED", "invalid_number"],
  ["+12025550135", "failed", "FAILED", "carrier_rejected"],
  ["+12025550137", "failed", "RATE_LIMITED", "rate_limited"],
  ["+12025550138", "failed", "FAILED", "carrier_error"],
  ["+12025550145", "completed", "COUNTERPARTY_HANGUP", "counterparty_hangup"],
] as const;

test.concurrent.for(NAMES.flatMap((name) => ROWS.map((row) => [name, ...row] as const)))(
  "a call over %s to %s ends as %s, %s, %s",
  async ([carrier, number, status, systemResultType, endReason]) => {
    const ended = await until(await ask(carrier, number), over);
    expect(ended).toMatchObject({ status, systemResultType, endReason });
    expect(ended.durationSeconds === undefined).toBe(status !== "completed");
  },
);

// One at a time: such a phone rings for two seconds in all, and must be seen ringing and be stopped within them.
test.for(NAMES)("a call over %s that is withdrawn before the answer is cancelled", async (carrier) => {
  const dialId = await ask(carrier, "+12025550131");
  await until(dialId, ({ status }) => status === "ringing");
  await client.hangUpDial({ id: dialId });
  const ended = await until(dialId, over);
  expect(ended).toMatchObject({ status: "canceled", systemResultType: "CANCELLED", endReason: "canceled" });
});

test.concurrent.for(NAMES)("a call over %s that we end is ended by us", async (carrier) => {
  const dialId = await ask(carrier, "+12025550126");
  await until(dialId, ({ status }) => status === "in-progress");
  await client.hangUpDial({ id: dialId });
  const ended = await until(dialId, over);
  expect(ended).toMatchObject({ status: "completed", systemResultType: "USER_HANGUP", endReason: "operator_hangup" });
});

/** Carriers that say of a call that they have ended it at their own limit. The others say that it is over. */
const TELLS_LIMIT: ReadonlySet<string> = new Set(["telnyx", "plivo"]);

test.concurrent.for(NAMES)("a call over %s that comes to the carrier's own limit is completed", async (carrier) => {
  const ended = await until(await ask(carrier, "+12025550126"), over);
  expect(ended.status).toBe("completed");
  expect(ended.systemResultType).toBe(TELLS_LIMIT.has(carrier) ? "TIMEOUT" : "COUNTERPARTY_HANGUP");
});

const TRUNK_ROWS = [
  [[486, 600], "busy", "BUSY", "busy"],
  [[408, 480], "no-answer", "NO_ANSWER", "no_answer"],
  [[487], "canceled", "CANCELLED", "canceled"],
  [[404, 410, 484, 604], "failed", "FAILED", "invalid_number"],
  [[403, 603, 607, 608], "failed", "FAILED", "carrier_rejected"],
  [[429, 503], "failed", "RATE_LIMITED", "rate_limited"],
  [[302, 488, 500], "failed", "FAILED", "carrier_error"],
] as const;

test.concurrent.for(TRUNK_ROWS.flatMap(([answers, ...end]) => answers.map((answer) => [answer, ...end] as const)))(
  "a call over a SIP trunk that answers %i ends as %s, %s, %s",
  async ([answer, status, systemResultType, endReason]) => {
    const ended = await until(await ask("sip", `+12024560${answer}`), over);
    expect(ended).toMatchObject({ status, systemResultType, endReason });
  },
);
