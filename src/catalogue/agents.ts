import { chooseTranscriber, chooseVoice } from "../dials/choose-engines.ts";
import { invalidField, Refusal } from "../dials/refusal.ts";
import { DEFAULT_MAX_DURATION_SECONDS, type Agent, type CreateAgent, type UpdateAgent } from "../model/agent.ts";
import type { CatalogueDeps } from "./deps.ts";
import { putFields } from "./put-fields.ts";

/** @throws {Refusal} when a reference leads nowhere, or nothing here hears or speaks the agent's language. */
export const createAgent = async (deps: CatalogueDeps, workspaceId: string, body: CreateAgent): Promise<Agent> => {
  const agent = withDefaults({ id: deps.random.id(), ...body });
  await checkReferences(deps, workspaceId, agent.id, body);
  checkSpeech(deps, agent, body);
  checkVoicemail(body);
  checkWindow(body);
  await checkBackground(deps, workspaceId, body);
  await deps.catalogue.addAgent(workspaceId, agent);
  return agent;
};

/** @throws {Refusal} `agent_not_found`, also for an agent of another workspace. */
export const readAgent = async (
  { catalogue }: Pick<CatalogueDeps, "catalogue">,
  workspaceId: string,
  id: string,
): Promise<Agent> => (await catalogue.findAgent(workspaceId, id)) ?? notFound();

/**
 * Changes the fields that are present; calls that are on their way keep what they run with.
 *
 * @throws {Refusal} as {@link createAgent} and {@link readAgent} do.
 */
export const updateAgent = async (
  deps: CatalogueDeps,
  workspaceId: string,
  id: string,
  body: UpdateAgent,
): Promise<Agent> => {
  await readAgent(deps, workspaceId, id);
  await checkReferences(deps, workspaceId, id, body);
  checkVoicemail(body);
  checkWindow(body);
  await checkBackground(deps, workspaceId, body);
  const changed = await deps.catalogue.changeAgent(workspaceId, id, (before) => {
    const after = withDefaults(putFields<Agent>(before, body, ["defaultExtractorId"]));
    checkSpeech(deps, after, body);
    return after;
  });
  return changed ?? notFound();
};

/**
 * Deletes an agent with its prompts and extractors, and answers it as it was. Its dials stay, with the agent that they ran
 * with, and live ones go on.
 *
 * @throws {Refusal} `agent_not_found`.
 */
export const deleteAgent = async (deps: CatalogueDeps, workspaceId: string, id: string): Promise<Agent> =>
  (await deps.catalogue.removeAgent(workspaceId, id)) ?? notFound();

/** Clients read how long a call may last without knowing what it is when nobody said. */
const withDefaults = (agent: Agent): Agent => ({
  ...agent,
  maxDurationSeconds: agent.maxDurationSeconds ?? DEFAULT_MAX_DURATION_SECONDS,
});

const notFound = (): never => {
  throw new Refusal("agent_not_found", "There is no agent with this id.");
};

const checkReferences = async (
  { catalogue }: CatalogueDeps,
  workspaceId: string,
  agentId: string,
  body: UpdateAgent,
): Promise<void> => {
  const { defaultVersionedPromptId: promptId, defaultExtractorId: extractorId } = body;
  if (typeof promptId === "string" && (await catalogue.findPrompt(workspaceId, agentId, promptId)) === undefined)
    throw new Refusal("unknown_prompt", "The agent has no prompt with this id.", "/defaultVersionedPromptId");
  if (
    typeof extractorId === "string" &&
    (await catalogue.findExtractor(workspaceId, agentId, extractorId)) === undefined
  )
    throw new Refusal("unknown_extractor", "The agent has no extractor with this id.", "/defaultExtractorId");
  const ids = (body.linkedFunctionDefinitions ?? []).map((linked) => linked.functionDefinitionId);
  if (ids.length === 0) return;
  const known = new Set((await catalogue.findFunctions(workspaceId, ids)).map(({ id }) => id));
  const faults = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `/linkedFunctionDefinitions/${index}/functionDefinitionId`, message: UNKNOWN }],
  );
  if (faults.length > 0) throw new Refusal("unknown_function", UNKNOWN, faults);
};

const UNKNOWN = "There is no function with this id. GET /functions lists them.";

/** A window ends later than it begins; there is none over midnight. */
const checkWindow = ({ callingWindow }: UpdateAgent): void => {
  if (callingWindow && callingWindow.end <= callingWindow.start)
    throw invalidField("/callingWindow/end", "must be later than start");
};

/** A message that is left has words. */
const checkVoicemail = ({ voicemailConfig }: UpdateAgent): void => {
  if (voicemailConfig?.action === "leave_message" && (voicemailConfig.message ?? "").trim() === "")
    throw invalidField("/voicemailConfig/message", "is required where action is leave_message");
};

/** A sound of one's own is there. */
const checkBackground = async (
  { catalogue }: CatalogueDeps,
  workspaceId: string,
  { backgroundSound: sound }: UpdateAgent,
): Promise<void> => {
  if (sound?.type !== "custom") return;
  if (sound.audioId === undefined)
    throw invalidField("/backgroundSound/audioId", "is required where type is custom; POST /audio uploads a sound");
  if ((await catalogue.readAudio(workspaceId, sound.audioId)) === undefined)
    throw invalidField("/backgroundSound/audioId", "names no uploaded sound; GET /audio lists them");
};

/** Whether the deployment can hear and speak as the agent is told to; only what a change touches is looked at. */
const checkSpeech = ({ engines }: CatalogueDeps, agent: Agent, body: UpdateAgent): void => {
  if (body.language !== undefined || body.transcriberParams !== undefined)
    at(
      (code) => (code === "unknown_transcriber" ? "/transcriberParams/type" : "/language"),
      () => chooseTranscriber(engines, agent),
    );
  const { language, defaultVoiceId } = body;
  if (typeof defaultVoiceId === "string")
    at(
      () => "/defaultVoiceId",
      () => chooseVoice(engines, agent, defaultVoiceId),
    );
  else if (language !== undefined)
    at(
      () => "/language",
      () => chooseVoice(engines, agent, undefined),
    );
};

/** Runs a check that dials have too, and names the agent's own field when it refuses. */
const at = (pathOf: (code: Refusal["code"]) => string, check: () => unknown): void => {
  try {
    check();
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(error.code, error.message, pathOf(error.code));
    throw error;
  }
};
