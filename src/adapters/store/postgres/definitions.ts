import { sql, type RawBuilder } from "kysely";
import { DIAL_STATES, mayMove } from "../../../model/dial.ts";
import { KEPT_DAYS } from "../../../ports/erasures.ts";
import { HOLD_FUNCTION } from "./limit-sql.ts";
import { LINEAGE_FUNCTIONS } from "./lineage-sql.ts";

/** The role of every request of a customer: sees one workspace, the one that its transaction names. */
export const APP_ROLE = "call_engine_app";

/** The role of what works across workspaces by nature: workers, the reaper, callbacks, look-up of keys. */
export const SYSTEM_ROLE = "call_engine_system";

/** The setting that names the workspace of a transaction. */
export const WORKSPACE_SETTING = "app.workspace";

/**
 * Tables that nobody may change rows of, only add; rows go when they are older than this many days, which row-level security holds
 * whoever asks.
 */
const APPEND_ONLY = [{ table: "dial_event", time: "at", days: KEPT_DAYS.dialEvents }];

/** Makes the two roles; they belong to the whole server, so they may be there already. */
export const roles: readonly RawBuilder<unknown>[] = [APP_ROLE, SYSTEM_ROLE].flatMap((role) => [
  sql.raw(`DO $$ BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${role}') THEN
      CREATE ROLE ${role} NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
    END IF;
    IF NOT pg_has_role(current_user, '${role}', 'USAGE') THEN
      GRANT ${role} TO CURRENT_USER;
    END IF;
  END $$`),
  sql.raw(`GRANT USAGE ON SCHEMA public TO ${role}`),
]);

/**
 * What is derived from the code and the tables, and made anew when either changes: the triggers on `dial` and
 * `outbox`, and for every table row-level security that is forced (it holds for the owner too) with one policy for each role.
 */
export const definitions = (): readonly string[] => [
  moveFunction(),
  EVENT_FUNCTION,
  STREAM_FUNCTION,
  HOLD_FUNCTION,
  ...LINEAGE_FUNCTIONS,
  TRIGGERS,
  isolation(),
];

const moves = (): string =>
  DIAL_STATES.flatMap((from) =>
    DIAL_STATES.filter((to) => from !== to && mayMove(from, to)).map((to) => `('${from}', '${to}')`),
  ).join(", ");

/** The transition table of the model, as a trigger: a last line of defence against a wrong statement. */
const moveFunction = (): string => `CREATE OR REPLACE FUNCTION dial_refuse_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> NEW.state THEN
    IF (OLD.state, NEW.state) NOT IN (${moves()}) THEN
      RAISE EXCEPTION 'a dial does not move from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
    END IF;
  ELSIF OLD.state = 'ENDED' AND (OLD.end_reason, OLD.ended_by) IS DISTINCT FROM (NEW.end_reason, NEW.ended_by) THEN
    IF OLD.corrected OR NEW.evidence <= OLD.evidence THEN
      RAISE EXCEPTION 'an ended dial is corrected once, by stronger evidence' USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  RETURN NEW;
END $$`;

/** Keeps the history of a dial, one row for each change of state, of owner and of ending. */
const EVENT_FUNCTION = `CREATE OR REPLACE FUNCTION dial_note_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dial_event (dial_id, workspace_id, source_id, kind, payload)
  VALUES (NEW.id, NEW.workspace_id, 'version:' || NEW.version, lower(NEW.state), json_build_object(
    'epoch', NEW.epoch, 'owner', NEW.owner, 'endReason', NEW.end_reason, 'endedBy', NEW.ended_by,
    'evidence', NEW.evidence, 'hangupIntent', NEW.hangup_intent));
  RETURN NULL;
END $$`;

/**
 * Every event gives its dial's stream something to do, in the same transaction. The row of the stream is locked by it, so that a
 * delivery that ends at the same time cannot put the stream to rest.
 */
const STREAM_FUNCTION = `CREATE OR REPLACE FUNCTION outbox_arm_stream() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_stream (dial_id, workspace_id, endpoint, next_at)
  SELECT id, workspace_id, workspace_id || ' ' || coalesce(lower(substring(webhook_url FROM '^[^:]+://[^/?#]*')), ''), now()
  FROM dial WHERE id = NEW.dial_id
  ON CONFLICT (dial_id) DO UPDATE
    SET armed = webhook_stream.armed + 1, next_at = coalesce(webhook_stream.next_at, now());
  RETURN NULL;
END $$`;

const TRIGGERS = `DO $$ BEGIN
  DROP TRIGGER IF EXISTS dial_refuse_move ON dial;
  CREATE TRIGGER dial_refuse_move BEFORE UPDATE ON dial FOR EACH ROW
    WHEN (OLD.state <> NEW.state OR OLD.state = 'ENDED') EXECUTE FUNCTION dial_refuse_move();
  DROP TRIGGER IF EXISTS dial_note_event ON dial;
  CREATE TRIGGER dial_note_event AFTER UPDATE ON dial FOR EACH ROW
    WHEN (OLD.version <> NEW.version) EXECUTE FUNCTION dial_note_event();
  DROP TRIGGER IF EXISTS outbox_arm_stream ON outbox;
  CREATE TRIGGER outbox_arm_stream AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION outbox_arm_stream();
END $$`;

const isolation = (): string => `DO $$ DECLARE entry record; BEGIN
  FOR entry IN
    SELECT c.relname AS name,
      EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped)
        AS scoped
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      AND c.relname <> 'schema_migration'
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', entry.name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', entry.name);
    EXECUTE format('DROP POLICY IF EXISTS everything ON %I', entry.name);
    EXECUTE format('CREATE POLICY everything ON %I TO ${SYSTEM_ROLE} USING (true) WITH CHECK (true)', entry.name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO ${SYSTEM_ROLE}', entry.name);
    EXECUTE format('DROP POLICY IF EXISTS own_workspace ON %I', entry.name);
    IF entry.scoped OR entry.name = 'workspace' THEN
      EXECUTE format('CREATE POLICY own_workspace ON %I TO ${APP_ROLE} USING (%I = current_setting(''${WORKSPACE_SETTING}'', true))'
        || ' WITH CHECK (%I = current_setting(''${WORKSPACE_SETTING}'', true))', entry.name,
        CASE WHEN entry.scoped THEN 'workspace_id' ELSE 'id' END, CASE WHEN entry.scoped THEN 'workspace_id' ELSE 'id' END);
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO ${APP_ROLE}', entry.name);
    END IF;
  END LOOP;
  GRANT SELECT ON schema_migration TO ${APP_ROLE}, ${SYSTEM_ROLE};
${APPEND_ONLY.map(
  ({ table, time, days }) => `  REVOKE UPDATE ON ${table} FROM ${APP_ROLE}, ${SYSTEM_ROLE};
  REVOKE DELETE ON ${table} FROM ${APP_ROLE};
  DROP POLICY IF EXISTS only_old ON ${table};
  CREATE POLICY only_old ON ${table} AS RESTRICTIVE FOR DELETE USING (${time} < now() - interval '${days} days');`,
).join("\n")}
END $$`;
