import type { Agent } from "../../src/model/agent.ts";
import type { ApiKey } from "../../src/model/api-key.ts";
import type { Audio, AudioSound } from "../../src/model/uploaded-audio.ts";
import type { DoNotCall } from "../../src/model/do-not-call.ts";
import type { Extractor } from "../../src/model/extractor.ts";
import type { FunctionDefinition } from "../../src/model/function-definition.ts";
import type { PhoneNumber } from "../../src/model/phone-number.ts";
import type { VersionedPrompt } from "../../src/model/versioned-prompt.ts";
import type { PageRequest, Positioned } from "../../src/ports/page.ts";
import type { Catalogue, Change } from "../../src/ports/store.ts";

/** A record, whose it is, and when it was made (ISO 8601). `agentId`: it belongs to an agent and goes with it. */
export type Owned<T> = { readonly workspaceId: string; readonly agentId?: string; readonly createdAt: string; item: T };

type StoredKey = ApiKey & Readonly<{ sha256: string }>;

/** Everything that customers configure, of all workspaces. */
export type MemoryRecords = Readonly<{
  agents: Owned<Agent>[];
  prompts: Owned<VersionedPrompt>[];
  extractors: Owned<Extractor>[];
  numbers: Owned<PhoneNumber>[];
  functions: Owned<FunctionDefinition>[];
  audio: Owned<Audio & AudioSound>[];
  keys: Owned<StoredKey>[];
  doNotCall: Owned<DoNotCall>[];
}>;

export const emptyRecords = (): MemoryRecords => ({
  agents: [],
  prompts: [],
  extractors: [],
  numbers: [],
  functions: [],
  audio: [],
  keys: [],
  doNotCall: [],
});

/** The Catalogue port on lists. */
export const memoryCatalogue = (records: MemoryRecords, timestamp: () => string): Catalogue => {
  const { agents, prompts, extractors, numbers, functions, doNotCall } = records;
  const add = <T>(list: Owned<T>[], item: T, workspaceId: string, agentId?: string): boolean => {
    const known = agents.some((one) => one.workspaceId === workspaceId && one.item.id === agentId);
    if (agentId !== undefined && !known) return false;
    list.push({ workspaceId, ...(agentId === undefined ? {} : { agentId }), createdAt: timestamp(), item });
    return true;
  };
  return {
    ...keysOf(records, timestamp),
    ...memoryAudio(records, timestamp),
    listDoNotCall: async (workspaceId, page, number) =>
      pageOf(
        doNotCall.filter(({ item }) => number === undefined || item.number === number),
        page,
        workspaceId,
      ),
    addDoNotCall: async (workspaceId, entry) => {
      const known = doNotCall.find((one) => one.workspaceId === workspaceId && one.item.number === entry.number);
      if (known !== undefined) return { entry: known.item, added: false };
      const createdAt = timestamp();
      const item = { ...entry, createdAt };
      doNotCall.push({ workspaceId, createdAt, item });
      return { entry: item, added: true };
    },
    removeDoNotCall: async (workspaceId, id) => removed(doNotCall, id, workspaceId),
    listAgents: async (workspaceId, page) => pageOf(agents, page, workspaceId),
    findAgent: async (workspaceId, id) => find(agents, id, workspaceId)?.item,
    addAgent: async (workspaceId, agent) => {
      add(agents, agent, workspaceId);
    },
    changeAgent: async (workspaceId, id, change) => changed(find(agents, id, workspaceId), change),
    removeAgent: async (workspaceId, id) => {
      const agent = removed(agents, id, workspaceId);
      if (agent === undefined) return undefined;
      for (const list of [prompts, extractors]) drop(list as Owned<unknown>[], (one) => one.agentId === id);
      for (const number of numbers)
        if (number.item.agentId === id) {
          const { agentId: _, ...free } = number.item;
          number.item = free;
        }
      return agent;
    },
    listPrompts: async (workspaceId, agentId, page) => pageOf(prompts, page, workspaceId, agentId),
    findPrompt: async (workspaceId, agentId, id) => find(prompts, id, workspaceId, agentId)?.item,
    newestPrompt: async (workspaceId, agentId) =>
      prompts.findLast((one) => one.workspaceId === workspaceId && one.agentId === agentId)?.item,
    addPrompt: async (workspaceId, agentId, prompt) => add(prompts, prompt, workspaceId, agentId),
    changePrompt: async (workspaceId, agentId, id, change) => changed(find(prompts, id, workspaceId, agentId), change),
    removePrompt: async (workspaceId, agentId, id) => removed(prompts, id, workspaceId, agentId),
    listExtractors: async (workspaceId, agentId, page) => pageOf(extractors, page, workspaceId, agentId),
    findExtractor: async (workspaceId, agentId, id) => find(extractors, id, workspaceId, agentId)?.item,
    addExtractor: async (workspaceId, agentId, extractor) => add(extractors, extractor, workspaceId, agentId),
    changeExtractor: async (workspaceId, agentId, id, change) =>
      changed(find(extractors, id, workspaceId, agentId), change),
    removeExtractor: async (workspaceId, agentId, id) => removed(extractors, id, workspaceId, agentId),
    listPhoneNumbers: async (workspaceId, page) => pageOf(numbers, page, workspaceId),
    findPhoneNumber: async (workspaceId, id) => find(numbers, id, workspaceId)?.item,
    addPhoneNumber: async (workspaceId, number) => {
      if (numbers.some((one) => one.workspaceId === workspaceId && one.item.number === number.number)) return false;
      return add(numbers, number, workspaceId);
    },
    changePhoneNumber: async (workspaceId, id, change) => changed(find(numbers, id, workspaceId), change),
    removePhoneNumber: async (workspaceId, id) => removed(numbers, id, workspaceId),
    listFunctions: async (workspaceId, page) => pageOf(functions, page, workspaceId),
    findFunctions: async (workspaceId, ids) => ids.flatMap((id) => find(functions, id, workspaceId)?.item ?? []),
    addFunction: async (workspaceId, definition) => {
      add(functions, definition, workspaceId);
    },
    changeFunction: async (workspaceId, id, change) => changed(find(functions, id, workspaceId), change),
    removeFunction: async (workspaceId, id) => removed(functions, id, workspaceId),
    seed: async ({ workspaceId, agent, prompt, phoneNumber }) => {
      if (!agents.some((one) => one.item.id === agent.id)) add(agents, agent, workspaceId);
      if (!prompts.some((one) => one.item.id === prompt.id)) add(prompts, prompt, workspaceId, agent.id);
      if (!numbers.some((one) => one.item.id === phoneNumber.id)) add(numbers, phoneNumber, workspaceId);
    },
  };
};

const memoryAudio = (
  { audio }: MemoryRecords,
  timestamp: () => string,
): Pick<Catalogue, "listAudio" | "addAudio" | "removeAudio" | "readAudio"> => ({
  listAudio: async (workspaceId, page) => {
    const { items, next } = pageOf(audio, page, workspaceId);
    return { items: items.map(withoutSound), next };
  },
  addAudio: async (workspaceId, { id, name, samples, sampleRate }, most) => {
    if (mine(audio, workspaceId, undefined).length >= most) return undefined;
    const createdAt = timestamp();
    const durationMs = Math.round((samples.length * 1000) / sampleRate);
    const item = { id, name, durationMs, sampleRate, createdAt, samples };
    audio.push({ workspaceId, createdAt, item });
    return withoutSound(item);
  },
  removeAudio: async (workspaceId, id) => {
    const found = removed(audio, id, workspaceId);
    return found && withoutSound(found);
  },
  readAudio: async (workspaceId, id) => {
    const found = find(audio, id, workspaceId)?.item;
    return found && { samples: found.samples, sampleRate: found.sampleRate };
  },
});

const withoutSound = (stored: Audio & AudioSound): Audio => {
  const { samples: _, ...audio } = stored;
  return audio;
};

type Keys = Pick<Catalogue, "findApiKey" | "putApiKey" | "listApiKeys" | "addApiKey" | "removeApiKey">;

const keysOf = ({ keys }: MemoryRecords, timestamp: () => string): Keys => {
  const put = (workspaceId: string, key: Omit<StoredKey, "createdAt">): ApiKey => {
    const createdAt = timestamp();
    keys.push({ workspaceId, createdAt, item: { ...key, createdAt } });
    return shown({ ...key, createdAt });
  };
  return {
    findApiKey: async (sha256) => {
      const found = keys.find(({ item }) => item.sha256 === sha256);
      if (found === undefined) return undefined;
      const { id, type: kind, allowedAgentIds } = found.item;
      return {
        id,
        workspaceId: found.workspaceId,
        kind,
        ...(allowedAgentIds === undefined ? {} : { allowedAgentIds }),
      };
    },
    putApiKey: async ({ workspaceId, sha256, kind, label }) => {
      if (!keys.some(({ item }) => item.sha256 === sha256))
        put(workspaceId, { id: `key-${keys.length + 1}`, name: label, type: kind, sha256 });
    },
    listApiKeys: async (workspaceId, page) => {
      const { items, next } = pageOf(keys, page, workspaceId);
      return { items: items.map(shown), next };
    },
    addApiKey: async (workspaceId, key) => put(workspaceId, key),
    removeApiKey: async (workspaceId, id) => {
      const key = removed(keys, id, workspaceId);
      return key && shown(key);
    },
  };
};

const shown = (stored: StoredKey): ApiKey => {
  const { sha256: _, ...key } = stored;
  return key;
};

type Identified = Readonly<{ id: string }>;

const mine = <T>(records: readonly Owned<T>[], workspaceId: string, agentId: string | undefined): readonly Owned<T>[] =>
  records.filter((one) => one.workspaceId === workspaceId && one.agentId === agentId);

const find = <T extends Identified>(records: readonly Owned<T>[], id: string, workspaceId: string, agentId?: string) =>
  mine(records, workspaceId, agentId).find((one) => one.item.id === id);

const changed = <T>(record: Owned<T> | undefined, change: Change<T>): T | undefined => {
  if (record === undefined) return undefined;
  record.item = structuredClone(change(structuredClone(record.item)));
  return record.item;
};

const removed = <T extends Identified>(
  records: Owned<T>[],
  id: string,
  workspaceId: string,
  agentId?: string,
): T | undefined => {
  const record = find(records, id, workspaceId, agentId);
  drop(records, (one) => one === record);
  return record?.item;
};

const drop = <T>(records: Owned<T>[], gone: (one: Owned<T>) => boolean): void => {
  records.splice(0, records.length, ...records.filter((one) => !gone(one)));
};

/** Keyset page on (createdAt, id), oldest first. */
const pageOf = <T extends Identified>(
  records: readonly Owned<T>[],
  page: PageRequest,
  workspaceId: string,
  agentId?: string,
): Positioned<T> => {
  const position = (one: Owned<T>) => `${one.createdAt} ${one.item.id}`;
  const after = page.after === undefined ? "" : `${page.after.createdAt} ${page.after.id}`;
  const rest = mine(records, workspaceId, agentId)
    .filter((one) => position(one) > after)
    .toSorted((a, b) => (position(a) < position(b) ? -1 : 1));
  const taken = rest.slice(0, page.limit);
  const last = taken.at(-1);
  return {
    items: taken.map((one) => one.item),
    next: last === undefined || rest.length <= page.limit ? null : { createdAt: last.createdAt, id: last.item.id },
  };
};
