import { type RawBuilder, sql } from "kysely";
import { callEnd, type EndedBy, type EndReason } from "../../../model/call-end.ts";
import { TRANSCRIPT_WAIT_MS } from "../../../ports/outbox.ts";
import type { DialStore, Ending, EndOutcome } from "../../../ports/store.ts";
import type { Databases } from "./databases.ts";
import { hasWindow, waitingSince, windowOpen } from "./window-sql.ts";
import { endingSql, resultSql, statusSql } from "./outcome-sql.ts";

type Row = { id: string; first: boolean; corrected: boolean; reason: EndReason | null; ended_by: EndedBy | null };

/**
 * Statements that end dials. The reason is decided inside the statement, from the row as it is when it is locked: an intent
 * that was read earlier may be older than one that somebody noted in between.
 */
export const dialEndings = ({ system }: Databases): Pick<DialStore, "end" | "expireQueued" | "endClientless"> => ({
  async end(dialId, ending) {
    const { rows } = await terminalStatement(ending, sql`SELECT * FROM dial WHERE id = ${dialId} FOR UPDATE`).execute(
      system,
    );
    return outcomeOf(rows[0]);
  },

  async endClientless(maxAgeMs) {
    const ending: Ending = { type: "observed", evidence: 2, end: callEnd("no_client", "system") };
    const { rows } = await terminalStatement(ending, tooOld(maxAgeMs, sql`direction = 'browser'`)).execute(system);
    return rows.map(({ id }) => id);
  },

  async expireQueued(maxAgeMs) {
    const ending: Ending = { type: "observed", evidence: 3, end: callEnd("expired", "system") };
    await closedWindows(maxAgeMs).execute(system);
    const { rows } = await terminalStatement(ending, tooOld(maxAgeMs, sql`direction <> 'browser'`)).execute(system);
    return rows.map(({ id }) => id);
  },
});

const tooOld = (maxAgeMs: number, which: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`SELECT * FROM dial WHERE state = 'QUEUED' AND ${which} AND ${waitingSince} < now() - ${maxAgeMs} * interval '1 ms'
    ORDER BY created_at LIMIT ${EXPIRE_BATCH} FOR UPDATE SKIP LOCKED`;

/** Dials whose window is closed do not grow older; noted once a minute, or twice within the age that they may reach. */
const closedWindows = (maxAgeMs: number): RawBuilder<unknown> =>
  sql`UPDATE dial SET not_before = now() WHERE state = 'QUEUED' AND ${hasWindow} AND NOT ${windowOpen}
    AND ${waitingSince} < now() - ${Math.min(60_000, maxAgeMs / 2)} * interval '1 ms'`;

/** Bounds the time that one statement holds locks. */
const EXPIRE_BATCH = 500;

/**
 * The terminal statement, over the rows that `locked` yields. The first ending always counts; a later one only with stronger
 * evidence, and then it changes the reason at most once. A later ending with the same reason just adds its evidence. What we
 * saw ourselves of a hang-up by our side is kept as the intent, for the carrier's "completed" that follows. Who was connected is
 * told the transcript: its event is written here, so that it cannot be forgotten, and waits for words that are still on their way.
 */
const terminalStatement = (ending: Ending, locked: RawBuilder<unknown>): RawBuilder<Row> => {
  const { reason, endedBy } = endingSql(ending);
  const { evidence } = ending;
  const decided = sql.ref("decided.new_reason");
  const keep = sql`decided.new_by IN ('agent', 'api', 'transfer_target')`;
  return sql<Row>`
    WITH locked AS (${locked}),
    target AS (
      SELECT id, state <> 'ENDED' AS first, end_reason AS old_reason, ended_by AS old_by, evidence AS old_evidence,
        corrected AS was_corrected, status AS old_status, system_result_type AS old_result,
        ${reason} AS new_reason, ${endedBy} AS new_by
      FROM locked),
    decided AS (
      SELECT *, NOT first AND old_reason <> new_reason AS differs FROM target
      WHERE first OR (old_evidence < ${evidence} AND (old_reason = new_reason OR NOT was_corrected))),
    changed AS (
      UPDATE dial SET
        state = 'ENDED', state_at = CASE WHEN first THEN now() ELSE dial.state_at END,
        end_reason = decided.new_reason, ended_by = CASE WHEN first OR differs THEN decided.new_by ELSE dial.ended_by END,
        status = ${statusSql(decided)}, system_result_type = ${resultSql(decided)},
        evidence = ${evidence}, corrected = dial.corrected OR differs,
        hangup_intent = CASE WHEN ${keep} THEN coalesce(dial.hangup_intent, decided.new_reason) ELSE dial.hangup_intent END,
        hangup_by = CASE WHEN ${keep} THEN coalesce(dial.hangup_by, decided.new_by) ELSE dial.hangup_by END,
        ended_at = coalesce(dial.ended_at, now()), updated_at = now(), version = dial.version + 1,
        outbox_sequence = dial.outbox_sequence + CASE WHEN dial.webhook_url IS NULL THEN 0
          ELSE (first OR differs)::int + (first AND dial.started_at IS NOT NULL)::int END
      FROM decided WHERE dial.id = decided.id
      RETURNING dial.*, decided.first, decided.differs, decided.old_status, decided.old_result),
    note AS (
      INSERT INTO outbox (workspace_id, dial_id, kind, event, sequence, payload)
      SELECT workspace_id, id, CASE WHEN first THEN 'dial.updated:ended' ELSE 'dial.corrected' END,
        CASE WHEN first THEN 'dial.updated' ELSE 'dial.corrected' END,
        outbox_sequence - (first AND started_at IS NOT NULL)::int,
        CASE WHEN first
          THEN json_build_object('dial_session_id', session_id, 'dial_id', id, 'status', status,
            'system_result_type', system_result_type)
          ELSE json_build_object('dial_id', id, 'status', status, 'system_result_type', system_result_type,
            'previous', json_build_object('status', old_status, 'system_result_type', old_result)) END
      FROM changed WHERE webhook_url IS NOT NULL AND (first OR differs)),
    words AS (
      INSERT INTO outbox (workspace_id, dial_id, kind, event, sequence, payload, next_at)
      SELECT workspace_id, id, 'dial.transcript', 'dial.transcript', outbox_sequence, json_build_object('dial_id', id),
        now() + ${TRANSCRIPT_WAIT_MS}::int * interval '1 ms'
      FROM changed WHERE webhook_url IS NOT NULL AND first AND started_at IS NOT NULL)
    SELECT target.id, coalesce(changed.first, false) AS first, coalesce(changed.differs, false) AS corrected,
      coalesce(changed.end_reason, target.old_reason) AS reason, coalesce(changed.ended_by, target.old_by) AS ended_by
    FROM target LEFT JOIN changed ON changed.id = target.id`;
};

const outcomeOf = (row: Row | undefined): EndOutcome =>
  row?.reason && row.ended_by
    ? { changed: row.first || row.corrected, corrected: row.corrected, end: callEnd(row.reason, row.ended_by) }
    : { changed: false, corrected: false, end: null };
