import { sql } from "kysely";
import { type Clock, DeadlineExceeded, withDeadline } from "../../../ports/clock.ts";
import type { Random } from "../../../ports/random.ts";
import type { Lineage } from "../../../ports/lineage.ts";
import { type Store, StoreUnavailable } from "../../../ports/store.ts";
import type { Workspaces } from "../../../ports/workspaces.ts";
import { catalogue } from "./catalogue.ts";
import { openDatabases } from "./databases.ts";
import { dialCreation } from "./dial-creation.ts";
import { aiResults } from "./ai-result.ts";
import { dialEndings } from "./dial-end.ts";
import { dialLists } from "./dial-list.ts";
import { dialLife } from "./dial-life.ts";
import { dialRecords, writeCallRows } from "./dial-records.ts";
import { dialReferences } from "./dial-references.ts";
import { GatheredWrites } from "./gathered-writes.ts";
import { erasures } from "./erasures.ts";
import { lineage, type KnownMark } from "./lineage.ts";
import { recordingRecords } from "./recordings.ts";
import { outbox } from "./outbox.ts";
import { workspaces } from "./workspaces.ts";

export type PostgresStoreOptions = Readonly<{
  /** A database that {@link migrate} has prepared; the login may take both of its roles. */
  url: string;
  clock: Clock;
  random: Random;
  /** Most connections of each of the two roles; 10 unless told. */
  connections?: number;
}>;

/** The record, the workspaces that it is divided into, and whether it has lost anything. */
export type PostgresStore = Store & Readonly<{ workspaces: Workspaces; lineage: Lineage }>;

/** How long the database may take to answer that it is there. */
const PING_MS = 2_000;
const DEFAULT_CONNECTIONS = 10;
const SECRET_BYTES = 32;
const SECRET_NAME = "tokens";

/**
 * Opens the record of everything. Throws {@link StoreUnsafe} when the database's settings or roles do not hold what the service
 * promises, and {@link StoreUnavailable} when it does not answer.
 */
export const openPostgresStore = async (options: PostgresStoreOptions): Promise<PostgresStore> => {
  const { clock, random } = options;
  const databases = openDatabases(options.url, options.connections ?? DEFAULT_CONNECTIONS);
  try {
    await databases.check();
  } catch (error) {
    await databases.close();
    throw error;
  }
  const writes = new GatheredWrites(clock, writeCallRows(databases));
  let closing: Promise<void> | undefined;
  const known: KnownMark = {};
  return {
    catalogue: catalogue(databases, random),
    dials: {
      ...dialReferences(databases),
      ...dialCreation(databases),
      ...dialLife(databases, known),
      ...dialEndings(databases),
      ...dialRecords(databases, writes),
      ...recordingRecords(databases),
      ...aiResults(databases),
      ...dialLists(databases),
    },
    outbox: outbox(databases, random),
    erasures: erasures(databases),
    workspaces: workspaces(databases),
    lineage: lineage(databases, random, known),
    async deploymentSecret() {
      const found = await databases.system
        .selectFrom("deployment_secret")
        .select("secret")
        .where("name", "=", SECRET_NAME)
        .executeTakeFirst();
      if (found !== undefined) return found.secret;
      const { rows } = await sql<{ secret: string }>`
        INSERT INTO deployment_secret (name, secret) VALUES (${SECRET_NAME}, ${random.secret(SECRET_BYTES)})
        ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING secret`.execute(databases.system);
      const [row] = rows;
      if (row === undefined) throw new StoreUnavailable("the database kept no deployment secret");
      return row.secret;
    },
    async ping() {
      try {
        await withDeadline(clock, PING_MS, "the database", sql`SELECT 1`.execute(databases.system));
      } catch (error) {
        if (error instanceof DeadlineExceeded) throw new StoreUnavailable("the database is silent", { cause: error });
        throw error;
      }
    },
    close: () => (closing ??= writes.close().then(() => databases.close())),
  };
};
