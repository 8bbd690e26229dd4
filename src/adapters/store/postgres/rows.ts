import type { Insertable, Selectable } from "kysely";
import type { Agent } from "../../../model/agent.ts";
import type { CallPlan } from "../../../model/call-plan.ts";
import type { Extractor } from "../../../model/extractor.ts";
import type { FunctionDefinition } from "../../../model/function-definition.ts";
import type { PhoneNumber } from "../../../model/phone-number.ts";
import type { VersionedPrompt } from "../../../model/versioned-prompt.ts";
import type { KeptRecording } from "../../../ports/recording-records.ts";
import { shownOfPlan } from "./shown-of-plan.ts";
import type {
  AgentTable,
  DialTable,
  ExtractorTable,
  FunctionDefinitionTable,
  PhoneNumberTable,
  RecordingTable,
  VersionedPromptTable,
} from "./tables.ts";

/** A row with only what the model needs of it. */
type Columns<Table, Names extends keyof Table> = Pick<Selectable<Table>, Names & keyof Selectable<Table>>;

/** A model without its id, which has a column of its own, as text for the JSON column. */
const restOf = (model: Readonly<{ id: string }>): string => JSON.stringify({ ...model, id: undefined });

/** The columns of a record beside those that say whose it is and when it was made. */
type Content<Table> = Omit<Insertable<Table>, "id" | "workspace_id" | "created_at" | "updated_at">;

export const agentToRow = ({ name, ...rest }: Agent): Content<AgentTable> => ({ name, rest: restOf(rest) });

export const rowToAgent = ({ id, name, rest }: Columns<AgentTable, "id" | "name" | "rest">): Agent => ({
  id,
  name,
  ...rest,
});

export const promptToRow = (model: VersionedPrompt): Omit<Content<VersionedPromptTable>, "agent_id"> => ({
  rest: restOf(model),
});

export const rowToPrompt = ({ id, rest }: Columns<VersionedPromptTable, "id" | "rest">): VersionedPrompt => ({
  id,
  ...rest,
});

export const extractorToRow = (model: Extractor): Omit<Content<ExtractorTable>, "agent_id"> => ({
  rest: restOf(model),
});

export const rowToExtractor = ({ id, rest }: Columns<ExtractorTable, "id" | "rest">): Extractor => ({ id, ...rest });

export const phoneNumberToRow = ({ number, agentId, ...rest }: PhoneNumber): Content<PhoneNumberTable> => ({
  number,
  agent_id: agentId ?? null,
  rest: restOf(rest),
});

export const rowToPhoneNumber = (
  row: Columns<PhoneNumberTable, "id" | "number" | "agent_id" | "rest">,
): PhoneNumber => ({
  id: row.id,
  number: row.number,
  ...(row.agent_id === null ? {} : { agentId: row.agent_id }),
  ...row.rest,
});

export const functionToRow = (model: FunctionDefinition): Content<FunctionDefinitionTable> => ({ rest: restOf(model) });

export const rowToFunction = ({ id, rest }: Columns<FunctionDefinitionTable, "id" | "rest">): FunctionDefinition => ({
  id,
  ...rest,
});

/** The columns of a dial that hold its plan. */
export type PlanRow = Columns<
  DialTable,
  | "id"
  | "workspace_id"
  | "direction"
  | "from_number"
  | "to_number"
  | "carrier"
  | "ring_timeout_ms"
  | "max_duration_ms"
  | "plan"
>;

/** The columns that {@link rowToPlan} reads. */
export const PLAN_COLUMNS = [
  "id",
  "workspace_id",
  "direction",
  "from_number",
  "to_number",
  "carrier",
  "ring_timeout_ms",
  "max_duration_ms",
  "plan",
] as const satisfies readonly (keyof PlanRow)[];

export const planToRow = (
  plan: CallPlan,
): Omit<PlanRow, "plan"> & {
  agent_id: string;
  plan: string;
  shown: string;
  calling_window: string | null;
  retention_days: number | null;
} => {
  const { dialId, workspaceId, direction, fromNumber, toNumber, carrier, ringTimeoutMs, maxDurationMs, ...rest } = plan;
  return {
    id: dialId,
    workspace_id: workspaceId,
    agent_id: plan.agent.id,
    direction,
    from_number: fromNumber ?? null,
    to_number: toNumber ?? null,
    carrier: carrier ?? null,
    ring_timeout_ms: ringTimeoutMs,
    max_duration_ms: maxDurationMs,
    plan: JSON.stringify(rest),
    shown: JSON.stringify(shownOfPlan(plan)),
    calling_window: plan.callingWindow === undefined ? null : JSON.stringify(plan.callingWindow),
    retention_days: plan.agent.retentionDays ?? null,
  };
};

export const rowToPlan = (row: PlanRow): CallPlan => ({
  dialId: row.id,
  workspaceId: row.workspace_id,
  direction: row.direction,
  ...(row.from_number === null ? {} : { fromNumber: row.from_number }),
  ...(row.to_number === null ? {} : { toNumber: row.to_number }),
  ...(row.carrier === null ? {} : { carrier: row.carrier }),
  ringTimeoutMs: row.ring_timeout_ms,
  maxDurationMs: row.max_duration_ms,
  ...row.plan,
});

export type RecordingRow = Columns<
  RecordingTable,
  "id" | "channels" | "duration_ms" | "started_at" | "allowed_at" | "completions"
>;

export const rowToRecording = (row: RecordingRow): KeptRecording => ({
  id: row.id,
  channels: row.channels,
  durationMs: row.duration_ms,
  startedAt: row.started_at.toISOString(),
  ...(row.allowed_at === null ? {} : { allowedAt: row.allowed_at.toISOString() }),
  ...(row.completions > 0 ? {} : { incomplete: true }),
});
