import { afterAll } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../../../src/adapters/random/system.ts";
import { openPostgresStore } from "../../../../src/adapters/store/postgres/store.ts";
import { storeContract } from "../../../contract/store.contract.ts";
import { createTestDatabase } from "../../../kit/postgres.ts";

const releasers: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const release of releasers.toReversed()) await release();
});

storeContract(async () => {
  const database = await createTestDatabase();
  releasers.push(() => database.close());
  const store = await openPostgresStore({ url: database.url, clock: new SystemClock(), random: new SystemRandom() });
  releasers.push(() => store.close());
  const age = async (dialId: string, ms: number) => {
    const columns = [
      "created_at",
      "started_at",
      "state_at",
      "enqueued_at",
      "lease_until",
      "reconcile_until",
      "confirmed_at",
      "ended_at",
      "ready_at",
      "look_at",
    ];
    const moved = columns.map((column) => `${column} = ${column} - $2 * interval '1 ms'`).join(", ");
    await database.query(`UPDATE dial SET ${moved} WHERE id = $1`, [dialId, ms]);
  };
  return { store, age };
});
