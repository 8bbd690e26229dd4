import type { Exchange } from "../dialogue.ts";
import type { CompiledFlow, CompiledNode } from "./compile-flow.ts";

type Named = Readonly<Record<string, unknown>>;

/** Where in a flow a call is, and what it knows there. */
export type Position = Readonly<{
  node: CompiledNode;
  variables: Named;
  outputs: ReadonlyMap<string, Named>;
  /** What was said and heard since the node was entered; for the first node, since the call began. */
  since: readonly Exchange[];
  /** The node was entered in the answer that is being made now, so nothing in it has been said or heard. */
  fresh: boolean;
}>;

/**
 * Where a call is by its history, and by nothing else: a reply that was dropped before it was heard has left no moves there, so it
 * has not moved the flow either.
 */
export const locate = (flow: CompiledFlow, inputs: Named, history: readonly Exchange[]): Position => {
  let node = flow.start;
  let entered = 0;
  const variables = new Map(Object.entries(inputs));
  const outputs = new Map<string, Named>();
  for (const [index, exchange] of history.entries()) {
    if (exchange.speaker !== "flow") continue;
    const next = flow.nodes.get(exchange.toNodeId);
    if (next === undefined) continue;
    if (node.content.type !== "set_variables") outputs.set(node.id, exchange.data);
    else for (const [name, value] of Object.entries(exchange.data)) variables.set(name, value);
    node = next;
    entered = index + 1;
  }
  return { node, variables: Object.fromEntries(variables), outputs, since: history.slice(entered), fresh: false };
};

/** The position after a move. */
export const enter = (position: Position, node: CompiledNode, yielded: Named): Position => {
  const entered = { ...position, node, since: [], fresh: true };
  const left = position.node;
  return left.content.type === "set_variables"
    ? { ...entered, variables: { ...position.variables, ...yielded } }
    : { ...entered, outputs: new Map(position.outputs).set(left.id, yielded) };
};

/** What the caller has said that the agent has not answered yet; `undefined` when it is not the caller's turn that is answered. */
export const turnOf = ({ since }: Position, fillers: readonly string[] = []): string | undefined => {
  const answers = (exchange: Exchange) =>
    exchange.speaker === "function" || (exchange.speaker === "agent" && !isOnly(exchange, fillers));
  const last = since.findLastIndex(answers);
  const words = since.slice(last + 1).flatMap((exchange) => (exchange.speaker === "caller" ? [exchange.text] : []));
  return words.length === 0 ? undefined : words.join(" ");
};

/** What was heard of the agent in this node, without its asking whether somebody is there. */
export const spokenHere = ({ since }: Position, idleMessages: readonly string[]): boolean =>
  since.some((exchange) => isSpeech(exchange) && !isIdle(exchange, idleMessages));

/** The caller's words only say that somebody is there, after the agent asked; they answer no question of the flow. */
const onlyPresence = ({ since }: Position, idleMessages: readonly string[], words: string): boolean => {
  const last = since.findLast((exchange) => exchange.speaker === "agent");
  return last !== undefined && isIdle(last, idleMessages) && PRESENCE.test(words.trim());
};

/** A question was put, as far as it was heard, and the caller's words are about it. */
export const wasPut = (
  position: Position,
  { idle, fillers }: Readonly<{ idle: readonly string[]; fillers: readonly string[] }>,
  words: string,
): boolean => spokenHere(position, [...idle, ...fillers]) && !onlyPresence(position, idle, words);

/**
 * How often a question was put again after words that did not answer it. A question that was interrupted has not been put, so the
 * first time after it does not count; nor does one that was put again to somebody who only said that they are there.
 */
export const timesAskedAgain = ({ since }: Position, idleMessages: readonly string[]): number => {
  let asked = 0;
  let heardCaller = false;
  let cutOff = false;
  let wasIdle = false;
  for (const exchange of since) {
    if (exchange.speaker === "caller") heardCaller ||= !(wasIdle && PRESENCE.test(exchange.text.trim()));
    if (!isSpeech(exchange)) continue;
    wasIdle = isIdle(exchange, idleMessages);
    if (wasIdle) continue;
    if (asked === 0) cutOff = exchange.interrupted;
    if (asked === 0 || heardCaller) asked += 1;
    heardCaller = false;
  }
  return Math.max(0, asked - 1 - (cutOff ? 1 : 0));
};

type Speech = Extract<Exchange, { speaker: "agent" }>;

const isSpeech = (exchange: Exchange): exchange is Speech =>
  exchange.speaker === "agent" && exchange.text.trim() !== "";

const isIdle = ({ text, interrupted }: Speech, idleMessages: readonly string[]): boolean =>
  text.trim() !== "" &&
  idleMessages.some((message) => (interrupted ? message.startsWith(text.trim()) : message.trim() === text.trim()));

/** Nothing but words that ask for a moment was heard, so nothing was answered. */
const isOnly = ({ text, calls }: Speech, fillers: readonly string[]): boolean =>
  (calls ?? []).length === 0 && text.trim() !== "" && fillers.some((filler) => filler.startsWith(text.trim()));

/** In some languages that calls may be in; "ja" and "si" stand for several. */
const PRESENCE =
  /^(?:(?:ja|jo|da|tak|ano|evet|oui|s[ií]|sim|hallo|hej|hei|allô|hola|pronto|olá|hier bin ich|ich bin (?:noch )?(?:da|dran)|noch da|je suis (?:toujours )?là|toujours là|aquí estoy|(?:sigo|estoy) aquí|sono (?:ancora )?qui|ben er nog|ik ben er nog|(?:ainda )?estou aqui|jag är (?:kvar|här)|jeg er her|jestem(?: tu)?|buradayım|я (?:ещё |еще )?(?:здесь|тут)|да|はい|います|네|在|我在|हाँ|जी|yes|yeah|yep|yup|hi|hello|hey|sorry|oh|um|uh|i'm here|i am here|i'm still here|i am still here|still here|here|i am|sure)[\s,.!?。、！？।]*)+$/iu;
