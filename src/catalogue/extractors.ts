import { invalidField, Refusal } from "../dials/refusal.ts";
import type { CreateExtractor, Extractor, UpdateExtractor } from "../model/extractor.ts";
import { readAgent } from "./agents.ts";
import type { CatalogueDeps } from "./deps.ts";
import { putFields } from "./put-fields.ts";

/** Which extractor is meant. */
export type ExtractorName = Readonly<{ workspaceId: string; agentId: string; id: string }>;

/** @throws {Refusal} `agent_not_found`, or for two fields of one name. */
export const createExtractor = async (
  deps: CatalogueDeps,
  workspaceId: string,
  agentId: string,
  body: CreateExtractor,
): Promise<Extractor> => {
  await readAgent(deps, workspaceId, agentId);
  checkFields(body);
  const extractor = { id: deps.random.id(), ...body };
  if (!(await deps.catalogue.addExtractor(workspaceId, agentId, extractor)))
    await readAgent(deps, workspaceId, agentId);
  return extractor;
};

/** @throws {Refusal} `extractor_not_found`, also when the agent is unknown or of another workspace. */
export const readExtractor = async (
  { catalogue }: CatalogueDeps,
  { workspaceId, agentId, id }: ExtractorName,
): Promise<Extractor> => (await catalogue.findExtractor(workspaceId, agentId, id)) ?? notFound();

/** @throws {Refusal} `extractor_not_found`, or for two fields of one name. */
export const updateExtractor = async (
  deps: CatalogueDeps,
  name: ExtractorName,
  body: UpdateExtractor,
): Promise<Extractor> => {
  const { workspaceId, agentId, id } = name;
  await readExtractor(deps, name);
  checkFields(body);
  const changed = await deps.catalogue.changeExtractor(workspaceId, agentId, id, (before) => putFields(before, body));
  return changed ?? notFound();
};

/** @throws {Refusal} `extractor_not_found`. */
export const deleteExtractor = async (
  { catalogue }: CatalogueDeps,
  { workspaceId, agentId, id }: ExtractorName,
): Promise<Extractor> => (await catalogue.removeExtractor(workspaceId, agentId, id)) ?? notFound();

const notFound = (): never => {
  throw new Refusal("extractor_not_found", "The agent has no extractor with this id.");
};

/** The result is an object with one member for each field. */
const checkFields = ({ fields = [] }: UpdateExtractor): void => {
  const names = new Set<string>();
  for (const [index, { name }] of fields.entries()) {
    if (names.has(name)) throw invalidField(`/fields/${index}/name`, "is the name of another field too");
    names.add(name);
  }
};
