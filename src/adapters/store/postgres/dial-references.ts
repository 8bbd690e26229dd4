import { type RawBuilder, sql } from "kysely";
import type { DialNames, DialReferences, DialStore, EarlierDial } from "../../../ports/store.ts";
import type { Databases } from "./databases.ts";
import { rowToAgent, rowToExtractor, rowToFunction, rowToPhoneNumber, rowToPrompt } from "./rows.ts";
import { isStorable } from "./storable.ts";

/** How long an idempotency key answers with its first dial. */
export const KEY_LIFE = "7 days";

/** Numbers of a workspace that are answered at most. */
const MOST_NUMBERS = 1000;

/** What new dials refer to. Read in one statement, since creating a dial would otherwise be a dozen round trips. */
export const dialReferences = ({ readWorkspace }: Databases): Pick<DialStore, "findReferences"> => ({
  async findReferences(workspaceId, names) {
    const [row] = await readWorkspace(workspaceId, referencesQuery(workspaceId, names));
    if (row === undefined) throw new Error("a statement that always answers one row answered none");
    return toReferences(row);
  },
});

type Row = Readonly<{
  earlier: EarlierDial | null;
  agent: Parameters<typeof rowToAgent>[0] | null;
  prompts: readonly Parameters<typeof rowToPrompt>[0][];
  newest_prompt_id: string | null;
  extractor: Parameters<typeof rowToExtractor>[0] | null;
  from_number: Parameters<typeof rowToPhoneNumber>[0] | null;
  own_numbers: readonly string[];
  do_not_call: boolean;
  functions: readonly Parameters<typeof rowToFunction>[0][];
}>;

const referencesQuery = (workspaceId: string, names: DialNames) => {
  const agentId = storable(names.agentId);
  return sql<Row>`
    WITH asked_agent AS (SELECT id, name, rest FROM agent WHERE id = ${agentId}),
    newest AS (
      SELECT id FROM versioned_prompt WHERE agent_id = ${agentId} ORDER BY created_at DESC, id DESC LIMIT 1),
    prompts AS (
      SELECT id, rest FROM versioned_prompt
      WHERE agent_id = ${agentId} AND id = ANY(${names.promptIds.filter(isStorable)}::text[] || ARRAY(
        SELECT id FROM newest UNION ALL SELECT rest->>'defaultVersionedPromptId' FROM asked_agent))),
    function_ids AS (
      SELECT linked->>'functionDefinitionId' AS id
      FROM asked_agent, json_array_elements(${listIn(sql`rest->'linkedFunctionDefinitions'`)}) AS linked
      UNION SELECT node->'nodeData'->>'functionId'
      FROM prompts, json_array_elements(${listIn(sql`rest->'flowDefinition'->'nodes'`)}) AS node)
    SELECT
      (SELECT json_build_object('fingerprint', fingerprint, 'dialId', dial.id, 'sessionId', session_id,
          'maxDurationMs', max_duration_ms)
        FROM idempotency_key JOIN dial ON dial.id = dial_id
        WHERE idempotency_key.workspace_id = ${workspaceId} AND key = ${storable(names.idempotencyKey)}
          AND idempotency_key.created_at >= now() - ${sql.lit(KEY_LIFE)}::interval) AS earlier,
      (SELECT row_to_json(asked_agent) FROM asked_agent) AS agent,
      (SELECT coalesce(json_agg(prompts), '[]') FROM prompts) AS prompts,
      (SELECT id FROM newest) AS newest_prompt_id,
      (SELECT json_build_object('id', id, 'rest', rest) FROM extractor WHERE agent_id = ${agentId}
        AND id = coalesce(${storable(names.extractorId)}::text,
          (SELECT rest->>'defaultExtractorId' FROM asked_agent))) AS extractor,
      (SELECT json_build_object('id', id, 'number', number, 'agent_id', agent_id, 'rest', rest)
        FROM phone_number WHERE id = ${storable(names.fromNumberId)}) AS from_number,
      ARRAY(SELECT number FROM phone_number WHERE workspace_id = ${workspaceId}
        ORDER BY created_at, id LIMIT ${sql.lit(MOST_NUMBERS)}) AS own_numbers,
      EXISTS (SELECT 1 FROM do_not_call WHERE workspace_id = ${workspaceId} AND number = ${storable(names.toNumber)}) AS do_not_call,
      (SELECT coalesce(json_agg(json_build_object('id', id, 'rest', rest)), '[]') FROM function_definition
        WHERE id IN (SELECT id FROM function_ids)) AS functions`;
};

/** What is no list has no elements. */
const listIn = (json: RawBuilder<unknown>) => sql`CASE json_typeof(${json}) WHEN 'array' THEN ${json} END`;

/** Null, which equals nothing, for what is not asked for; an id that cannot be stored is one that nothing has. */
const storable = (id: string | undefined): string | null => {
  if (id === undefined) return null;
  return isStorable(id) ? id : OF_NOTHING;
};

const OF_NOTHING = "";

const toReferences = (row: Row): DialReferences => ({
  ...(row.earlier === null ? {} : { earlier: row.earlier }),
  ...(row.agent === null ? {} : { agent: rowToAgent(row.agent) }),
  prompts: row.prompts.map(rowToPrompt),
  ...(row.newest_prompt_id === null ? {} : { newestPromptId: row.newest_prompt_id }),
  ...(row.extractor === null ? {} : { extractor: rowToExtractor(row.extractor) }),
  ...(row.from_number === null ? {} : { from: rowToPhoneNumber(row.from_number) }),
  ownNumbers: row.own_numbers,
  doNotCall: row.do_not_call,
  functions: row.functions.map(rowToFunction),
});
