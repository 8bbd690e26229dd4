import { type RawBuilder, sql } from "kysely";

/**
 * The history that the server writes: its system identifier, the timeline (another after every promotion and every restore to a point in
 * time), and the table of dials, which a restored dump makes anew. Every role may ask for these; where a provider forbids it, the
 * table alone is what is compared.
 */
const IDENTITY_FUNCTION = `CREATE OR REPLACE FUNCTION store_identity() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT system_identifier FROM pg_control_system()) || '/'
    || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) || '/' || 'dial'::regclass::oid;
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_function THEN
  RETURN 'dial'::regclass::oid::text;
END $$`;

/** How far the log is safely written. It never goes back on one timeline, unless the files themselves were replaced by older ones. */
const POSITION_FUNCTION = `CREATE OR REPLACE FUNCTION store_position() RETURNS pg_lsn LANGUAGE plpgsql AS $$
BEGIN
  RETURN pg_current_wal_flush_lsn();
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_function THEN
  RETURN '0/0'::pg_lsn;
END $$`;

/**
 * Whether the database lacks what somebody has seen of it: the server writes another history than was noted last, the generation is one
 * that this database has never had, or its log ends before the position. A database of which nothing was noted yet lacks nothing.
 */
const CHANGED_FUNCTION = `CREATE OR REPLACE FUNCTION store_changed(seen text, at pg_lsn) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  latest record;
BEGIN
  SELECT id, identity INTO latest FROM store_generation ORDER BY number DESC LIMIT 1;
  IF NOT FOUND THEN
    RETURN false;
  ELSIF latest.identity <> store_identity() THEN
    RETURN true;
  ELSIF seen = latest.id THEN
    RETURN store_position() < at;
  END IF;
  RETURN seen IS NOT NULL AND NOT EXISTS (SELECT 1 FROM store_generation WHERE id = seen);
END $$`;

export const LINEAGE_FUNCTIONS: readonly string[] = [IDENTITY_FUNCTION, POSITION_FUNCTION, CHANGED_FUNCTION];

/** Whether a dial, a row of `dial`, waits for an operator's word. People who wait for us are never kept waiting by it. */
export const quarantined: RawBuilder<boolean> = sql<boolean>`(dial.direction = 'outbound' AND coalesce(dial.created_at <
  (SELECT max(quarantined_before) FROM store_generation WHERE released_at IS NULL), false))`;
