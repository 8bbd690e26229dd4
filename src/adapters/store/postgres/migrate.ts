import { createHash } from "node:crypto";
import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import { type Clock, sleep } from "../../../ports/clock.ts";
import type { Logger } from "../../../ports/logger.ts";
import { APP_ROLE, definitions, roles, SYSTEM_ROLE } from "./definitions.ts";
import { foundation } from "./migrations/0001-foundation.ts";
import { catalogueRecords } from "./migrations/0002-catalogue.ts";
import { webhooks } from "./migrations/0003-webhooks.ts";
import { extraction } from "./migrations/0004-extraction.ts";
import { audioRecords } from "./migrations/0005-audio.ts";
import { doNotCall } from "./migrations/0006-do-not-call.ts";
import { planColumns } from "./migrations/0007-plan-columns.ts";
import { extractionEvidence } from "./migrations/0008-extraction-evidence.ts";
import { workspaceName } from "./migrations/0009-workspace-name.ts";
import { lineage } from "./migrations/0010-lineage.ts";
import { browserDials } from "./migrations/0011-browser-dials.ts";
import { erasure } from "./migrations/0012-erasure.ts";
import { limits } from "./migrations/0014-limits.ts";
import type { Migration } from "./migrations/migration.ts";

/** The database could not be brought to this version's schema. */
export class MigrationFailed extends Error {
  override readonly name = "MigrationFailed";
}

export const MIGRATIONS: readonly Migration[] = [
  foundation,
  catalogueRecords,
  webhooks,
  extraction,
  audioRecords,
  doNotCall,
  planColumns,
  extractionEvidence,
  workspaceName,
  lineage,
  browserDials,
  erasure,
  limits,
];

/** Any number that is ours alone; serializes the migrations of one database. */
const ADVISORY_LOCK = 4_212_023_017;
/** A statement that waits longer for a lock would make every query behind it wait too. */
const LOCK_TIMEOUT = "1s";
const ATTEMPTS = 20;
const RETRY_MS = 500;
/** Somebody else migrates, or makes the same roles, at this moment: lock_not_available, deadlock, duplicates, concurrent change of a catalogue row. */
const PASSING = new Set(["55P03", "40P01", "42710", "23505", "XX000"]);
const NOT_ALLOWED = "42501";

/** What a migration may use besides the database. */
export type MigrateOptions = Readonly<{ clock: Clock; logger: Logger }>;

/**
 * Brings a database to this version's schema: pending migrations, then what is derived from the code. Does nothing when all is
 * there. May run in many processes at once. Answers the names of the migrations that it ran.
 */
export const migrate = async (url: string, { clock, logger }: MigrateOptions): Promise<readonly string[]> => {
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 10_000 });
  pool.on("error", () => undefined);
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        const ran = await database.transaction().execute(migrateOnce);
        for (const name of ran) logger.info("migrated the database", { migration: name });
        return ran;
      } catch (error) {
        const code = error instanceof pg.DatabaseError ? error.code : undefined;
        if (code === undefined || !PASSING.has(code) || attempt === ATTEMPTS) throw explain(error, code);
        await sleep(clock, RETRY_MS);
      }
    }
  } finally {
    await database.destroy();
  }
};

const migrateOnce = async (transaction: Transaction<unknown>): Promise<readonly string[]> => {
  await sql.raw(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`).execute(transaction);
  await sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(transaction);
  // Asked before, because a login that only works here may not create anything, not even what is there.
  const { rows: found } = await sql<{ there: boolean }>`
    SELECT to_regclass('schema_migration') IS NOT NULL AS there`.execute(transaction);
  if (found[0]?.there !== true)
    await sql`CREATE TABLE schema_migration (
      name text PRIMARY KEY, fingerprint text, at timestamptz NOT NULL DEFAULT now())`.execute(transaction);
  const rows = await sql<{ name: string; fingerprint: string | null }>`
    SELECT name, fingerprint FROM schema_migration`.execute(transaction);
  const done = new Map(rows.rows.map((row) => [row.name, row.fingerprint]));
  const pending = MIGRATIONS.filter(({ name }) => !done.has(name));
  const derived = definitions();
  const fingerprint = createHash("sha256").update(derived.join("\n")).digest("hex");
  if (pending.length === 0 && done.get("definitions") === fingerprint && (await hasRoles(transaction))) return [];
  for (const role of roles) await role.execute(transaction);
  for (const { name, statements } of pending) {
    for (const statement of statements) await statement.execute(transaction);
    await sql`INSERT INTO schema_migration (name) VALUES (${name})`.execute(transaction);
  }
  for (const statement of derived) await sql.raw(statement).execute(transaction);
  await sql`INSERT INTO schema_migration (name, fingerprint) VALUES ('definitions', ${fingerprint})
    ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint, at = now()`.execute(transaction);
  return pending.map(({ name }) => name);
};

/** Whether this login may take both roles; a new one on an old database may not yet. */
const hasRoles = async (transaction: Transaction<unknown>): Promise<boolean> => {
  const { rows } = await sql<{ held: string }>`SELECT count(*) AS held FROM pg_roles
    WHERE rolname IN (${APP_ROLE}, ${SYSTEM_ROLE}) AND pg_has_role(current_user, oid, 'MEMBER')`.execute(transaction);
  return rows[0]?.held === "2";
};

const explain = (error: unknown, code: string | undefined): Error =>
  new MigrationFailed(
    code === NOT_ALLOWED
      ? "the database user may not make what the migrations need: give it CREATEROLE and ownership of the database"
      : "the migrations did not run; the cause says why, and nothing was changed",
    { cause: error },
  );
