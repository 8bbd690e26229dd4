import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../../src/adapters/random/system.ts";
import { levelDbfs } from "../../../src/audio/level.ts";
import { decodeSamples } from "../../../src/audio/convert.ts";
import { deferred } from "../../../src/kit/deferred.ts";
import type { CarrierHost } from "../../../src/ports/carrier.ts";
import type { CarrierSimulator } from "../../../src/ports/carrier-simulator.ts";
import { sleep, withDeadline, type Clock, type Timer } from "../../../src/ports/clock.ts";
import { discoverSimulators } from "../../../src/registry.ts";
import { freePort, patience, placeRequest, sipAccount } from "../../adapters/carrier/sip/trunk-rig.ts";
import { startServiceProcess, type RunningService } from "../../kit/service-process.ts";
import { silentLogger } from "../../kit/silent-logger.ts";
import { quantilesOf } from "../engine/quantiles.ts";

/** Calls over each carrier, and the voice; both may be given. */
const CALLS = 50;
const VOICE = "kokoro-af_heart";

/** Another one in every call, so that none is kept from the call before. */
const OPENING = "Hello, this is the front desk, and you are number {{number}}.";

/** Carriers that are measured side by side: a voice takes about a third of a core's time for what it says. */
const AT_ONCE = 2;

/** Whoever picks up here says nothing and stays. They are rung for so long, and no other timer of their network is of this length. */
const SILENT_PERSON = "+12025550126";
const RING_MS = 2500;

/** Below this level there is nothing to be heard. */
const QUIET_DBFS = -45;
const LIMIT_MS = 30_000;

const clock = new SystemClock();

/** Of one call, in milliseconds since somebody picked up: when the line was open, and when anything and something loud was heard. */
type Heard = Readonly<{ openMs: number; soundMs: number; loudMs: number }>;

/** What one carrier's people tell of the call that they are in. */
class Ears {
  #pickedUpAt = 0;
  #openMs: number | undefined;
  #soundMs: number | undefined;
  #heard = deferred<Heard>();

  pickedUp(): void {
    this.#pickedUpAt = clock.monotonic();
  }

  hears(samples: Int16Array): void {
    const now = clock.monotonic() - this.#pickedUpAt;
    this.#openMs ??= now;
    if (samples.some((sample) => sample !== 0)) this.#soundMs ??= now;
    if (levelDbfs(samples) > QUIET_DBFS)
      this.#heard.resolve({ openMs: this.#openMs, soundMs: this.#soundMs ?? now, loudMs: now });
  }

  /** What is heard in the next call. */
  next(): Promise<Heard> {
    this.#openMs = undefined;
    this.#soundMs = undefined;
    this.#heard = deferred();
    return withDeadline(clock, LIMIT_MS, "the agent's first sound", this.#heard.promise);
  }
}

/** Time in which it is seen when somebody picks up. */
const watched = (ears: Ears): Clock => ({
  now: () => clock.now(),
  monotonic: () => clock.monotonic(),
  setTimer: (ms: number, callback: () => void): Timer =>
    clock.setTimer(ms, () => {
      if (ms === RING_MS) ears.pickedUp();
      callback();
    }),
});

/**
 * From the answer to the agent's first sound, at the ear of whoever answered, with a voice that speaks on this machine: over each simulated
 * carrier, whose people let it ring for 2.5 s, so that the opening line is made meanwhile, and over a SIP trunk that answers at once, so
 * that it is not. `npm run bench -- first-sound [calls] [voice]`.
 */
export const run = async ([calls = String(CALLS), voice = VOICE]: readonly string[]): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), "call-engine-first-sound-"));
  await chmod(dataDir, 0o711);
  const simulated = await Promise.all((await discoverSimulators()).map(startSimulated));
  const trunk = await startTrunk();
  const service = await startServiceProcess({
    ...Object.assign({}, ...simulated.map(({ network }) => network.environment)),
    ...trunk.environment,
    DATA_DIR: dataDir,
    DEFAULT_VOICE: voice,
    ALLOW_PRIVATE_NETWORK: "true",
  });
  try {
    const agentId = await createAgent(service);
    const left = [...simulated, trunk].entries();
    const measureNext = async () => {
      for (const [index, { name, ears }] of left) {
        const number = `+1202555016${index}`;
        const { id } = await service.client.importPhoneNumber({ body: { number, carrier: name } });
        const call = { callAgentId: agentId, fromNumberId: id };
        const heard = await measure(service, call, ears, Number(calls), index);
        const told = (["openMs", "soundMs", "loudMs"] as const).map((part) => {
          const { p50, p99 } = quantilesOf(heard.map((one) => one[part]));
          return `${part} p50 ${p50.toFixed(0)} p99 ${p99.toFixed(0)}`.padEnd(28);
        });
        console.log(`${name.padEnd(12)} ${heard.length} calls  ${told.join("")}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, measureNext));
  } finally {
    await service.end("SIGTERM");
    await trunk.close();
    await Promise.all(simulated.map(({ network }) => network.close()));
    await rm(dataDir, { recursive: true, force: true });
  }
};

const createAgent = async ({ client }: RunningService): Promise<string> => {
  const { id } = await client.createAgent({ body: { name: "Front desk", language: "en", openingLine: OPENING } });
  await client.createVersionedPrompt({
    agentId: id,
    body: { name: "v1", agentType: "STANDARD", prompt: "You are at the front desk." },
  });
  return id;
};

const measure = async (
  { client, until }: RunningService,
  call: Readonly<{ callAgentId: string; fromNumberId: string }>,
  ears: Ears,
  calls: number,
  carrier: number,
): Promise<readonly Heard[]> => {
  const taken: Heard[] = [];
  for (let count = 0; count < calls; count++) {
    const heard = ears.next();
    const { dialId } = await client.createDial({
      body: { ...call, toNumber: SILENT_PERSON, callAgentInput: { number: 1000 * carrier + count } },
    });
    taken.push(await heard);
    await client.hangUpDial({ id: dialId });
    await until(dialId, ({ endedAt }) => endedAt !== undefined, LIMIT_MS);
    await sleep(clock, 100);
  }
  return taken;
};

const startSimulated = async (simulator: CarrierSimulator) => {
  const ears = new Ears();
  const network = await simulator.start({
    port: 0,
    host: "127.0.0.1",
    settings: {},
    faults: {},
    deps: { clock: watched(ears), random: new SystemRandom(), logger: silentLogger() },
    hears: (_number, samples) => ears.hears(samples),
  });
  return { name: simulator.name, ears, network };
};

/** The far end of a trunk, which picks up at once. */
const startTrunk = async () => {
  const [port, ours] = [await freePort(), await freePort()];
  const ears = new Ears();
  const carrier = sipAccount(port, ours);
  const host: CarrierHost = {
    report: () => undefined,
    ring: (call) => {
      ears.pickedUp();
      void carrier.answer?.(call, placeRequest("+12025550100", { dialId: `inbound-${call.callId}` }), patience());
    },
    line: (_mediaUrl, line) =>
      line.listen({
        frame: ({ payload }) => ears.hears(decodeSamples(line.format.encoding, payload)),
        digit: () => undefined,
        mark: () => undefined,
        gone: () => undefined,
      }),
  };
  await carrier.listen?.(host);
  return {
    name: "sip",
    ears,
    environment: { SIP_SERVER: `127.0.0.1:${port}`, SIP_LISTEN: `127.0.0.1:${ours}` },
    close: () => carrier.close(),
  };
};
