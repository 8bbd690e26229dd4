import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * Delivery of webhooks. A dial's events leave one after another, so what is claimed is not an event but the dial's stream: one
 * narrow row that says when its next attempt is due. `next_at` of a leased stream is the end of the lease; null means nothing waits.
 */
export const webhooks: Migration = {
  name: "0003-webhooks",
  statements: [
    sql`ALTER TABLE outbox
      ADD COLUMN uid text NOT NULL DEFAULT gen_random_uuid()::text UNIQUE,
      ADD COLUMN state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'dead')),
      ADD COLUMN step integer NOT NULL DEFAULT 0`,
    sql`DROP INDEX outbox_due`,
    sql`CREATE INDEX outbox_head ON outbox (dial_id, sequence) WHERE state = 'pending'`,
    sql`CREATE INDEX outbox_page ON outbox (workspace_id, id)`,
    sql`CREATE INDEX outbox_state_page ON outbox (workspace_id, state, id)`,
    sql`CREATE TABLE webhook_stream (
      dial_id text PRIMARY KEY REFERENCES dial ON DELETE CASCADE,
      workspace_id text NOT NULL,
      endpoint text NOT NULL,
      next_at timestamptz,
      leased boolean NOT NULL DEFAULT false,
      epoch integer NOT NULL DEFAULT 0,
      armed integer NOT NULL DEFAULT 1,
      gone boolean NOT NULL DEFAULT false
    )`,
    sql`CREATE INDEX webhook_stream_due ON webhook_stream (endpoint, next_at) WHERE next_at IS NOT NULL`,
    sql`CREATE INDEX webhook_stream_leased ON webhook_stream (endpoint, next_at) WHERE leased`,
    sql`CREATE TABLE webhook_attempt (
      outbox_id bigint NOT NULL REFERENCES outbox ON DELETE CASCADE,
      number integer NOT NULL,
      workspace_id text NOT NULL,
      at timestamptz(3) NOT NULL DEFAULT now(),
      outcome text NOT NULL,
      status_code integer,
      duration_ms integer NOT NULL,
      PRIMARY KEY (outbox_id, number)
    )`,
    sql`CREATE TABLE webhook_secret (
      workspace_id text PRIMARY KEY REFERENCES workspace,
      secret text NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      previous text,
      previous_until timestamptz(3)
    )`,
    // Events that were kept before there was delivery. Their owner may not see them, since row-level security holds for it too.
    sql`GRANT SELECT, INSERT ON webhook_stream, dial TO call_engine_system`,
    sql`SET LOCAL ROLE call_engine_system`,
    sql`INSERT INTO webhook_stream (dial_id, workspace_id, endpoint, next_at)
      SELECT id, workspace_id, workspace_id || ' ' || coalesce(lower(substring(webhook_url FROM '^[^:]+://[^/?#]*')), ''), now()
      FROM dial WHERE webhook_url IS NOT NULL AND outbox_sequence > 0`,
    sql`RESET ROLE`,
  ],
};
