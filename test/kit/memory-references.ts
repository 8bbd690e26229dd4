import { functionIdsIn } from "../../src/dials/dial-references.ts";
import { accountOf } from "../../src/model/phone-number.ts";
import type { AnsweringNumber, DialNames, DialReferences } from "../../src/ports/store.ts";
import type { MemoryRecords, Owned } from "./memory-catalogue.ts";

/** What a request for a dial refers to, from lists. */
export const memoryReferences = (
  records: MemoryRecords,
  workspaceId: string,
  { agentId, promptIds, extractorId, fromNumberId, toNumber }: DialNames,
): DialReferences => {
  const own = <T>(list: readonly Owned<T>[], of?: string): readonly T[] =>
    list.filter((one) => one.workspaceId === workspaceId && one.agentId === of).map(({ item }) => item);
  const agent = own(records.agents).find(({ id }) => id === agentId);
  const ofAgent = own(records.prompts, agentId);
  const newest = ofAgent.at(-1);
  const wanted = new Set([...promptIds, agent?.defaultVersionedPromptId, newest?.id]);
  const prompts = ofAgent.filter(({ id }) => wanted.has(id));
  const linked = (agent?.linkedFunctionDefinitions ?? []).map(({ functionDefinitionId }) => functionDefinitionId);
  const functionIds = new Set([...linked, ...prompts.flatMap(({ flowDefinition }) => functionIdsIn(flowDefinition))]);
  const extractor = own(records.extractors, agentId).find(
    ({ id }) => id === (extractorId ?? agent?.defaultExtractorId ?? undefined),
  );
  const from = own(records.numbers).find(({ id }) => id === fromNumberId);
  return {
    ...(agent === undefined ? {} : { agent }),
    prompts,
    ...(newest === undefined ? {} : { newestPromptId: newest.id }),
    ...(extractor === undefined ? {} : { extractor }),
    ...(from === undefined ? {} : { from }),
    ownNumbers: own(records.numbers).map(({ number }) => number),
    doNotCall: own(records.doNotCall).some(({ number }) => number === toNumber),
    functions: own(records.functions).filter(({ id }) => functionIds.has(id)),
  };
};

/** The oldest number of an account that answers. */
export const memoryAnsweringNumber = (
  records: MemoryRecords,
  account: string,
  asked: string,
): AnsweringNumber | undefined => {
  const found = records.numbers.find(
    ({ item }) => item.number === asked && item.agentId !== undefined && accountOf(item) === account,
  );
  return found && { workspaceId: found.workspaceId, number: found.item };
};
