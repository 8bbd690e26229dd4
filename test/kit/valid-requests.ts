import { idIn, KINDS, type Kind } from "./full-workspace.ts";

/** Bodies that are granted, by operation; a reference is put where it stands. */
export const validBody = (operationId: string, reference: Readonly<Record<string, string>> = {}): object => {
  const name = { name: "x" };
  const fn = reference["functionId"];
  switch (operationId) {
    case "createDial":
      return {
        callAgentId: idIn("w1", "agents"),
        fromNumberId: idIn("w1", "phone_numbers"),
        toNumber: "+12025550123",
        ...reference,
      };
    case "createAgent":
      return { ...name, language: "en", ...linked(reference) };
    case "updateAgent":
      return linked(reference);
    case "createVersionedPrompt":
    case "updateVersionedPrompt":
      return { ...name, ...(fn === undefined ? { prompt: "y" } : { agentType: "CUSTOM_FLOW", ...flowWith(fn) }) };
    case "createExtractor":
      return { ...name, fields: [{ name: "a", type: "int" }] };
    case "createFunction":
    case "updateFunction":
      return { ...name, description: "", type: "transfer", allowedNumbers: [] };
    case "switchRecording":
      return { action: "pause" };
    case "addDoNotCall":
    case "eraseNumber":
      return { number: "+12025550155" };
    case "importPhoneNumber":
      return { number: "+12025550111", ...reference };
    case "createApiKey": {
      const id = reference["allowedAgentIds"];
      return {
        ...name,
        type: id === undefined ? "secret" : "public",
        ...(id === undefined ? {} : { allowedAgentIds: [id] }),
      };
    }
    default:
      return reference;
  }
};

const linked = (reference: Readonly<Record<string, string>>): object => {
  if ("functionDefinitionId" in reference) return { linkedFunctionDefinitions: [reference] };
  return "audioId" in reference ? { backgroundSound: { type: "custom", ...reference } } : reference;
};

const flowWith = (functionId: string) => ({
  flowDefinition: {
    nodes: [{ id: "a", type: "transfer", nodeData: { functionId, number: "+12025550199" } }],
  },
});

/** The kinds of a path's parameters, in order. */
export const kindsIn = (path: string): readonly Kind[] =>
  [...path.matchAll(/\/(\w+)\/\{\w+\}/g)].map(([, kind]) => {
    const known = KINDS.find((one) => one === kind);
    if (known === undefined) throw new Error(`a new kind of thing: ${kind}; add it to the test`);
    return known;
  });

/** A path with ids in the places of its parameters, in order. */
export const pathWith = (path: string, ids: readonly string[]): string => {
  let at = 0;
  return path.replaceAll(/\{\w+\}/g, () => ids[at++] ?? "");
};
