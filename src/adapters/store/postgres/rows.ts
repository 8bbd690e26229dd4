import type { Insertable, Selectable } from "kysely";
import type { Agent } from "../../../model/agent.ts";
import type { CallPlan } from "../../../model/call-plan.ts";
import type { Recording } from "../../../model/dial.ts";
import type { FunctionDefinition } from "../../../model/function-definition.ts";
import type { PhoneNumber } from "../../../model/phone-number.ts";
import type { VersionedPrompt } from "../../../model/versioned-prompt.ts";
import type {
  AgentTable,
  DialTable,
  FunctionDefinitionTable,
  PhoneNumberTable,
  RecordingTable,
  VersionedPromptTable,
} from "./tables.ts";

/** A row with only what the model needs of it. */
type Columns<Table, Names extends keyof Table> = Pick<Selectable<Table>, Names & keyof Selectable<Table>>;

export const agentToRow = (workspaceId: string, { id, name, ...rest }: Agent): Insertable<AgentTable> => ({
  id,
  workspace_id: workspaceId,
  name,
  rest: JSON.stringify(rest),
});

export const rowToAgent = ({ id, name, rest }: Columns<AgentTable, "id" | "name" | "rest">): Agent => ({
  id,
  name,
  ...rest,
});

export const promptToRow = (
  workspaceId: string,
  agentId: string,
  { id, ...rest }: VersionedPrompt,
): Insertable<VersionedPromptTable> => ({
  id,
  workspace_id: workspaceId,
  agent_id: agentId,
  rest: JSON.stringify(rest),
});

export const rowToPrompt = ({ id, rest }: Columns<VersionedPromptTable, "id" | "rest">): VersionedPrompt => ({
  id,
  ...rest,
});

export const phoneNumberToRow = (
  workspaceId: string,
  { id, number, agentId, ...rest }: PhoneNumber,
): Insertable<PhoneNumberTable> => ({
  id,
  workspace_id: workspaceId,
  number,
  agent_id: agentId ?? null,
  rest: JSON.stringify(rest),
});

export const rowToPhoneNumber = (
  row: Columns<PhoneNumberTable, "id" | "number" | "agent_id" | "rest">,
): PhoneNumber => ({
  id: row.id,
  number: row.number,
  ...(row.agent_id === null ? {} : { agentId: row.agent_id }),
  ...row.rest,
});

export const functionToRow = (
  workspaceId: string,
  { id, ...rest }: FunctionDefinition,
): Insertable<FunctionDefinitionTable> => ({ id, workspace_id: workspaceId, rest: JSON.stringify(rest) });

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

export const planToRow = (plan: CallPlan): Omit<PlanRow, "plan"> & { agent_id: string; plan: string } => {
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

export const rowToRecording = (
  row: Columns<RecordingTable, "id" | "channels" | "duration_ms" | "started_at">,
): Omit<Recording, "url"> => ({
  id: row.id,
  channels: row.channels,
  durationMs: row.duration_ms,
  startedAt: row.started_at.toISOString(),
});
