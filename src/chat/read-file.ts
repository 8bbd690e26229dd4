import type { TSchema, Static } from "typebox";
import { Compile } from "typebox/compile";
import { LineCounter, parseAllDocuments, type Document } from "yaml";
import { AgentDefinitionSchema, type AgentDefinition } from "./agent-definition.ts";
import { ConversationSchema, type Conversation } from "./conversation-schema.ts";
import { UnusableFile } from "./unusable-file.ts";

/** A conversation, and the line on which each of its steps begins. */
export type ReadConversation = Readonly<{ conversation: Conversation; lines: readonly number[] }>;

/** Faults of a file that are told at most. */
const MOST_FAULTS = 20;

/** References in a file may repeat at most this much of it, so that a small file cannot become a large value. */
const MAX_ALIASES = 100;

/**
 * The conversations of a YAML or JSON text, one for each of its documents.
 *
 * @throws {UnusableFile} when it is no YAML, or does not have the form of conversations.
 */
export const readConversations = (text: string): readonly ReadConversation[] => {
  const { documents, lineAt } = parsed(text);
  return documents.map((document) => {
    const conversation = checked(ConversationSchema, document, lineAt);
    const lines = conversation.steps.map((_, index) => lineOf(document, ["steps", index], lineAt));
    return { conversation, lines };
  });
};

/**
 * The agent that a YAML or JSON text defines.
 *
 * @throws {UnusableFile} as {@link readConversations} does.
 */
export const readAgentDefinition = (text: string): AgentDefinition => {
  const { documents, lineAt } = parsed(text);
  const [first] = documents;
  if (first === undefined || documents.length > 1)
    throw new UnusableFile(["an agent's definition is one YAML document"]);
  return checked(AgentDefinitionSchema, first, lineAt);
};

type LineAt = (offset: number) => number;

const parsed = (text: string): Readonly<{ documents: readonly Document.Parsed[]; lineAt: LineAt }> => {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter, prettyErrors: true, schema: "core" });
  if (!Array.isArray(documents) || documents.length === 0) throw new UnusableFile(["the file is empty"]);
  const faults = documents.flatMap(({ errors }) => errors.map(({ message }) => message));
  if (faults.length > 0) throw new UnusableFile(faults.slice(0, MOST_FAULTS));
  return { documents, lineAt: (offset) => lineCounter.linePos(offset).line };
};

const checked = <S extends TSchema>(schema: S, document: Document.Parsed, lineAt: LineAt): Static<S> => {
  const value = valueOf(document);
  const check = Compile(schema);
  if (check.Check(value)) return value;
  const faults = check.Errors(value).map(({ instancePath, message }) => {
    const line = lineOf(document, instancePath.split("/").slice(1).map(step), lineAt);
    return `line ${line}: ${instancePath === "" ? "the document" : instancePath} ${message}`;
  });
  throw new UnusableFile([...new Set(faults)].slice(0, MOST_FAULTS));
};

const valueOf = (document: Document.Parsed): unknown => {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw new UnusableFile([error instanceof Error ? error.message : String(error)]);
  }
};

const step = (part: string): string | number =>
  /^\d+$/u.test(part) ? Number(part) : part.replaceAll("~1", "/").replaceAll("~0", "~");

/** The line of a place in a document, or of the nearest place around it. */
const lineOf = (document: Document.Parsed, path: readonly (string | number)[], lineAt: LineAt): number => {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range))
      return lineAt(Number(node.range[0]));
  }
  return 1;
};
