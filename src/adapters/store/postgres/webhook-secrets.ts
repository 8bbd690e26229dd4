import { type RawBuilder, sql } from "kysely";
import type { WebhookSecret } from "../../../model/webhook-delivery.ts";
import { OLD_SECRET_MS, type Outbox } from "../../../ports/outbox.ts";
import type { Random } from "../../../ports/random.ts";
import type { Database, Databases } from "./databases.ts";

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

type SecretRow = Readonly<{ secret: string; created_at: Date; previous: string | null; previous_until: Date | null }>;

/** The secrets of workspaces, each made by the first who asks for it. */
export const webhookSecrets = (
  { inWorkspace }: Databases,
  random: Random,
): Pick<Outbox, "secret" | "rotateSecret"> => ({
  secret: (workspaceId) =>
    inWorkspace(workspaceId, async (transaction) =>
      toSecret(await ensureStatement(workspaceId, random).execute(transaction)),
    ),

  rotateSecret: (workspaceId) =>
    inWorkspace(workspaceId, async (transaction) => {
      await ensureStatement(workspaceId, random).execute(transaction);
      return toSecret(
        await sql<SecretRow>`
          UPDATE webhook_secret SET secret = ${newSecret(random)}, created_at = now(), previous = secret,
            previous_until = now() + ${OLD_SECRET_MS}::int * interval '1 ms'
          WHERE workspace_id = ${workspaceId}
          RETURNING ${COLUMNS}`.execute(transaction),
      );
    }),
});

/** What signs for a workspace now: its secret, and the one before while that is alive. */
export const liveSecrets = async (
  database: Database,
  random: Random,
  workspaceId: string,
): Promise<readonly string[]> => {
  const known = await sql<SecretRow>`
    SELECT ${COLUMNS} FROM webhook_secret WHERE workspace_id = ${workspaceId}`.execute(database);
  const { rows } = known.rows.length > 0 ? known : await ensureStatement(workspaceId, random).execute(database);
  return rows.flatMap(({ secret, previous }) => (previous === null ? [secret] : [secret, previous]));
};

/** The one before is read only while it is alive. */
const COLUMNS: RawBuilder<unknown> = sql`secret, created_at,
  CASE WHEN previous_until > now() THEN previous END AS previous,
  CASE WHEN previous_until > now() THEN previous_until END AS previous_until`;

const ensureStatement = (workspaceId: string, random: Random): RawBuilder<SecretRow> => sql<SecretRow>`
  INSERT INTO webhook_secret (workspace_id, secret) VALUES (${workspaceId}, ${newSecret(random)})
  ON CONFLICT (workspace_id) DO UPDATE SET workspace_id = excluded.workspace_id
  RETURNING ${COLUMNS}`;

/** Base64 with padding, as the receivers' libraries read it. */
const newSecret = (random: Random): string =>
  `whsec_${Buffer.from(random.secret(SECRET_BYTES), "base64url").toString("base64")}`;

const toSecret = ({ rows: [row] }: Readonly<{ rows: readonly SecretRow[] }>): WebhookSecret => {
  if (row === undefined) throw new Error("a secret that was written is not there");
  return {
    secret: row.secret,
    createdAt: row.created_at.toISOString(),
    previousExpiresAt: row.previous_until?.toISOString() ?? null,
  };
};
