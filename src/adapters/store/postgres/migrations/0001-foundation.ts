import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * The first schema. Times have milliseconds (`timestamptz(3)`), so that a cursor made of the text that customers see names a
 * row exactly. What is not searched for lies in `json` rather than `jsonb` columns: `jsonb` refuses the character U+0000 and
 * lone surrogates, both of which JSON text from outside may contain, and changes the order of keys.
 */
export const foundation: Migration = {
  name: "0001-foundation",
  statements: [
    sql`CREATE TABLE workspace (
      id text PRIMARY KEY CHECK (id <> ''),
      created_at timestamptz(3) NOT NULL DEFAULT now()
    )`,
    sql`CREATE TABLE api_key (
      id text PRIMARY KEY,
      workspace_id text NOT NULL REFERENCES workspace,
      sha256 text NOT NULL UNIQUE,
      kind text NOT NULL CHECK (kind IN ('secret', 'public')),
      label text NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now()
    )`,
    sql`CREATE TABLE agent (
      id text PRIMARY KEY,
      workspace_id text NOT NULL REFERENCES workspace,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      name text NOT NULL,
      rest json NOT NULL
    )`,
    sql`CREATE INDEX agent_page ON agent (workspace_id, created_at, id)`,
    sql`CREATE TABLE versioned_prompt (
      id text PRIMARY KEY,
      workspace_id text NOT NULL REFERENCES workspace,
      agent_id text NOT NULL REFERENCES agent ON DELETE CASCADE,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      rest json NOT NULL
    )`,
    sql`CREATE INDEX versioned_prompt_page ON versioned_prompt (agent_id, created_at, id)`,
    sql`CREATE TABLE phone_number (
      id text PRIMARY KEY,
      workspace_id text NOT NULL REFERENCES workspace,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      number text NOT NULL,
      agent_id text,
      rest json NOT NULL
    )`,
    sql`CREATE INDEX phone_number_page ON phone_number (workspace_id, created_at, id)`,
    sql`CREATE INDEX phone_number_number ON phone_number (number)`,
    sql`CREATE TABLE function_definition (
      id text PRIMARY KEY,
      workspace_id text NOT NULL REFERENCES workspace,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      rest json NOT NULL
    )`,
    sql`CREATE INDEX function_definition_page ON function_definition (workspace_id, created_at, id)`,
    sql`CREATE TABLE dial (
      id text PRIMARY KEY,
      workspace_id text NOT NULL REFERENCES workspace,
      session_id text NOT NULL,
      agent_id text NOT NULL,
      direction text NOT NULL CHECK (direction IN ('outbound', 'inbound', 'browser')),
      from_number text,
      to_number text,
      carrier text,
      webhook_url text,
      ring_timeout_ms integer NOT NULL,
      max_duration_ms integer NOT NULL,
      plan json NOT NULL,
      state text NOT NULL DEFAULT 'QUEUED' CHECK (state IN ('QUEUED', 'PLACING', 'RINGING', 'IN_PROGRESS', 'ENDED')),
      status text NOT NULL DEFAULT 'queued',
      system_result_type text,
      end_reason text,
      ended_by text,
      evidence smallint,
      corrected boolean NOT NULL DEFAULT false,
      hangup_intent text,
      hangup_by text,
      epoch integer NOT NULL DEFAULT 0,
      owner text,
      lease_until timestamptz,
      place_deadline timestamptz,
      reconcile_until timestamptz,
      carrier_call_id text,
      confirmed_at timestamptz,
      job_id text,
      enqueued_at timestamptz,
      outbox_sequence integer NOT NULL DEFAULT 0,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      state_at timestamptz(3) NOT NULL DEFAULT now(),
      started_at timestamptz(3),
      ended_at timestamptz(3),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      version integer NOT NULL DEFAULT 1,
      CHECK ((state = 'ENDED') = (end_reason IS NOT NULL AND ended_by IS NOT NULL AND evidence IS NOT NULL AND ended_at IS NOT NULL))
    )`,
    sql`CREATE INDEX dial_page ON dial (workspace_id, created_at, id)`,
    sql`CREATE INDEX dial_queued ON dial (created_at) WHERE state = 'QUEUED'`,
    sql`CREATE INDEX dial_lease ON dial (lease_until) WHERE state IN ('PLACING', 'RINGING', 'IN_PROGRESS')`,
    sql`CREATE INDEX dial_confirmed ON dial (confirmed_at) WHERE state IN ('PLACING', 'RINGING', 'IN_PROGRESS')`,
    // A carrier without a field for our reference is searched by both numbers and time, so two open questions about one
    // pair of numbers must not overlap.
    sql`CREATE UNIQUE INDEX dial_placing ON dial (from_number, to_number) WHERE state = 'PLACING'`,
    sql`CREATE UNIQUE INDEX dial_carrier_call ON dial (carrier, carrier_call_id) WHERE carrier_call_id IS NOT NULL`,
    sql`CREATE TABLE dial_event (
      dial_id text NOT NULL REFERENCES dial ON DELETE CASCADE,
      workspace_id text NOT NULL,
      source_id text NOT NULL,
      kind text NOT NULL,
      payload json NOT NULL,
      at timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY (dial_id, source_id)
    )`,
    sql`CREATE TABLE transcript_entry (
      dial_id text NOT NULL REFERENCES dial ON DELETE CASCADE,
      index integer NOT NULL,
      workspace_id text NOT NULL,
      entry json NOT NULL,
      PRIMARY KEY (dial_id, index)
    )`,
    sql`CREATE TABLE turn_record (
      dial_id text NOT NULL REFERENCES dial ON DELETE CASCADE,
      index integer NOT NULL,
      workspace_id text NOT NULL,
      turn json NOT NULL,
      PRIMARY KEY (dial_id, index)
    )`,
    sql`CREATE TABLE recording (
      dial_id text NOT NULL REFERENCES dial ON DELETE CASCADE,
      id text NOT NULL,
      workspace_id text NOT NULL,
      channels integer NOT NULL,
      duration_ms integer NOT NULL,
      started_at timestamptz(3) NOT NULL,
      PRIMARY KEY (dial_id, id)
    )`,
    sql`CREATE TABLE outbox (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      workspace_id text NOT NULL,
      dial_id text NOT NULL REFERENCES dial ON DELETE CASCADE,
      kind text NOT NULL,
      event text NOT NULL,
      sequence integer NOT NULL,
      payload json NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      next_at timestamptz NOT NULL DEFAULT now(),
      attempts integer NOT NULL DEFAULT 0,
      sent_at timestamptz,
      UNIQUE (dial_id, kind),
      UNIQUE (dial_id, sequence)
    )`,
    sql`CREATE INDEX outbox_due ON outbox (next_at) WHERE sent_at IS NULL`,
    sql`CREATE TABLE idempotency_key (
      workspace_id text NOT NULL REFERENCES workspace,
      key text NOT NULL,
      fingerprint text NOT NULL,
      dial_id text NOT NULL REFERENCES dial ON DELETE CASCADE,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY (workspace_id, key)
    )`,
    sql`CREATE INDEX idempotency_key_age ON idempotency_key (created_at)`,
    sql`CREATE TABLE deployment_secret (
      name text PRIMARY KEY,
      secret text NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now()
    )`,
  ],
};
