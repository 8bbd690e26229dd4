import { expect, test } from "vitest";
import { readAccounts } from "../../../../src/app/accounts.ts";
import { discoverCarriers, discoverSimulators } from "../../../../src/registry.ts";
import { silentLogger } from "../../../kit/silent-logger.ts";
import { SeededRandom } from "../../../kit/seeded-random.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";

test.each(["telnyx", "vonage", "plivo"])(
  "%s is found as a carrier and as a simulator, whose variables make an account",
  async (name) => {
    const simulators = await discoverSimulators();
    const deps = { clock: new VirtualClock(), random: new SeededRandom(), logger: silentLogger() };
    const options = { port: 0, host: "127.0.0.1", settings: {}, faults: {}, deps };
    const running = await simulators.find((one) => one.name === name)?.start(options);
    try {
      const accounts = await readAccounts(await discoverCarriers(), running?.environment ?? {});
      expect(accounts.map(({ account }) => account.id)).toEqual([name]);
    } finally {
      await running?.close();
    }
  },
);
