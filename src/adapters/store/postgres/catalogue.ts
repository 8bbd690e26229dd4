import { sql } from "kysely";
import type { Random } from "../../../ports/random.ts";
import type { Catalogue } from "../../../ports/store.ts";
import { apiKeys } from "./api-keys.ts";
import { audioRecords } from "./audio.ts";
import { isConflict } from "./conflict.ts";
import type { Databases } from "./databases.ts";
import { doNotCallRecords } from "./do-not-call.ts";
import { Records } from "./records.ts";
import {
  agentToRow,
  extractorToRow,
  functionToRow,
  phoneNumberToRow,
  promptToRow,
  rowToAgent,
  rowToExtractor,
  rowToFunction,
  rowToPhoneNumber,
  rowToPrompt,
} from "./rows.ts";
import { isStorable } from "./storable.ts";

/** What customers configure. */
export const catalogue = (databases: Databases, random: Random): Catalogue => ({
  ...apiKeys(databases, random),
  ...agents(databases),
  ...prompts(databases),
  ...extractors(databases),
  ...phoneNumbers(databases),
  ...functions(databases),
  ...audioRecords(databases),
  ...doNotCallRecords(databases),

  async seed({ workspaceId, agent, prompt, phoneNumber }) {
    const owned = { workspace_id: workspaceId };
    await databases.inWorkspace(workspaceId, async (transaction) => {
      await transaction
        .insertInto("workspace")
        .values({ id: workspaceId })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await transaction
        .insertInto("agent")
        .values({ id: agent.id, ...owned, ...agentToRow(agent) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await transaction
        .insertInto("versioned_prompt")
        .values({ id: prompt.id, ...owned, agent_id: agent.id, ...promptToRow(prompt) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await transaction
        .insertInto("phone_number")
        .values({ id: phoneNumber.id, ...owned, ...phoneNumberToRow(phoneNumber) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
  },
});

type Agents = Pick<Catalogue, "listAgents" | "findAgent" | "addAgent" | "changeAgent" | "removeAgent">;

const agents = (databases: Databases): Agents => {
  const records = new Records(databases, {
    name: "agent",
    columns: ["id", "name", "rest"],
    fromRow: rowToAgent,
    toRow: agentToRow,
  });
  return {
    listAgents: (workspaceId, page) => records.list({ workspaceId }, page),
    findAgent: (workspaceId, id) => records.find({ workspaceId }, id),
    addAgent: async (workspaceId, agent) => {
      await records.add({ workspaceId }, agent);
    },
    changeAgent: (workspaceId, id, change) => records.change({ workspaceId }, id, change),
    removeAgent: (workspaceId, id) =>
      records.remove({ workspaceId }, id, sql`UPDATE phone_number SET agent_id = NULL WHERE agent_id = ${id}`),
  };
};

type Prompts = Pick<
  Catalogue,
  "listPrompts" | "findPrompt" | "newestPrompt" | "addPrompt" | "changePrompt" | "removePrompt"
>;

const prompts = (databases: Databases): Prompts => {
  const records = new Records(databases, {
    name: "versioned_prompt",
    columns: ["id", "rest"],
    fromRow: rowToPrompt,
    toRow: promptToRow,
  });
  return {
    listPrompts: (workspaceId, agentId, page) => records.list({ workspaceId, agentId }, page),
    findPrompt: (workspaceId, agentId, id) => records.find({ workspaceId, agentId }, id),
    addPrompt: (workspaceId, agentId, prompt) => records.add({ workspaceId, agentId }, prompt),
    changePrompt: (workspaceId, agentId, id, change) => records.change({ workspaceId, agentId }, id, change),
    removePrompt: (workspaceId, agentId, id) => records.remove({ workspaceId, agentId }, id),
    async newestPrompt(workspaceId, agentId) {
      if (!isStorable(agentId)) return undefined;
      const row = await databases.inWorkspace(workspaceId, (transaction) =>
        transaction
          .selectFrom("versioned_prompt")
          .select(["id", "rest"])
          .where("agent_id", "=", agentId)
          .orderBy("created_at", "desc")
          .orderBy("id", "desc")
          .limit(1)
          .executeTakeFirst(),
      );
      return row === undefined ? undefined : rowToPrompt(row);
    },
  };
};

type Extractors = Pick<
  Catalogue,
  "listExtractors" | "findExtractor" | "addExtractor" | "changeExtractor" | "removeExtractor"
>;

const extractors = (databases: Databases): Extractors => {
  const records = new Records(databases, {
    name: "extractor",
    columns: ["id", "rest"],
    fromRow: rowToExtractor,
    toRow: extractorToRow,
  });
  return {
    listExtractors: (workspaceId, agentId, page) => records.list({ workspaceId, agentId }, page),
    findExtractor: (workspaceId, agentId, id) => records.find({ workspaceId, agentId }, id),
    addExtractor: (workspaceId, agentId, extractor) => records.add({ workspaceId, agentId }, extractor),
    changeExtractor: (workspaceId, agentId, id, change) => records.change({ workspaceId, agentId }, id, change),
    removeExtractor: (workspaceId, agentId, id) => records.remove({ workspaceId, agentId }, id),
  };
};

type PhoneNumbers = Pick<
  Catalogue,
  "listPhoneNumbers" | "findPhoneNumber" | "addPhoneNumber" | "changePhoneNumber" | "removePhoneNumber"
>;

const phoneNumbers = (databases: Databases): PhoneNumbers => {
  const records = new Records(databases, {
    name: "phone_number",
    columns: ["id", "number", "agent_id", "rest"],
    fromRow: rowToPhoneNumber,
    toRow: phoneNumberToRow,
  });
  return {
    listPhoneNumbers: (workspaceId, page) => records.list({ workspaceId }, page),
    findPhoneNumber: (workspaceId, id) => records.find({ workspaceId }, id),
    addPhoneNumber: async (workspaceId, number) => {
      try {
        return await records.add({ workspaceId }, number);
      } catch (error) {
        if (isConflict(error, "phone_number_own")) return false;
        throw error;
      }
    },
    changePhoneNumber: (workspaceId, id, change) => records.change({ workspaceId }, id, change),
    removePhoneNumber: (workspaceId, id) => records.remove({ workspaceId }, id),
  };
};

type Functions = Pick<
  Catalogue,
  "listFunctions" | "findFunctions" | "addFunction" | "changeFunction" | "removeFunction"
>;

const functions = (databases: Databases): Functions => {
  const records = new Records(databases, {
    name: "function_definition",
    columns: ["id", "rest"],
    fromRow: rowToFunction,
    toRow: functionToRow,
  });
  return {
    listFunctions: (workspaceId, page) => records.list({ workspaceId }, page),
    addFunction: async (workspaceId, definition) => {
      await records.add({ workspaceId }, definition);
    },
    changeFunction: (workspaceId, id, change) => records.change({ workspaceId }, id, change),
    removeFunction: (workspaceId, id) => records.remove({ workspaceId }, id),
    async findFunctions(workspaceId, ids) {
      const rows = await databases.inWorkspace(workspaceId, (transaction) =>
        transaction
          .selectFrom("function_definition")
          .select(["id", "rest"])
          .where((where) => where("id", "=", where.fn.any(where.val(ids.filter(isStorable)))))
          .execute(),
      );
      const found = new Map(rows.map((row) => [row.id, rowToFunction(row)]));
      return ids.flatMap((id) => found.get(id) ?? []);
    },
  };
};
