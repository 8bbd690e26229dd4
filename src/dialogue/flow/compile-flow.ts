import type { FlowDefinition, TransitionRule } from "../../model/versioned-prompt.ts";
import { yieldsOf } from "./check-flow.ts";
import type { Yields } from "./field.ts";
import { readContent, type NodeContent } from "./node-data.ts";

/** A node that can be followed. */
export type CompiledNode = Readonly<{
  id: string;
  name: string;
  content: NodeContent;
  rules: readonly TransitionRule[];
}>;

/** A flow that can be followed. */
export type CompiledFlow = Readonly<{
  start: CompiledNode;
  nodes: ReadonlyMap<string, CompiledNode>;
  yields: Yields;
  globalContext: string;
}>;

/** The prompt's flow cannot be followed. Flows are checked when they are saved, so this one was stored unchecked. */
export class InvalidFlow extends Error {
  override readonly name = "InvalidFlow";
  constructor(what: string) {
    super(`this prompt's flow cannot be followed: ${what}; save the prompt again to see every fault`);
  }
}

/**
 * Reads a flow once, so that following it needs no further checks.
 *
 * @throws {InvalidFlow} when it has no nodes, or a node whose type is unknown or whose data does not fit it.
 */
export const compileFlow = (flow: FlowDefinition | undefined): CompiledFlow => {
  const nodes = (flow?.nodes ?? []).map((node): CompiledNode => {
    const content = readContent(node.type, node.nodeData);
    if (content === undefined)
      throw new InvalidFlow(`the data of node "${node.id}" does not fit its type "${node.type}"`);
    return { id: node.id, name: node.name ?? node.id, content, rules: node.transitionRules ?? [] };
  });
  const [start] = nodes;
  if (start === undefined) throw new InvalidFlow("it has no nodes");
  return {
    start,
    // The first of two nodes with one id wins, as it does in the check.
    nodes: new Map(nodes.toReversed().map((node) => [node.id, node])),
    yields: yieldsOf(flow?.nodes ?? []),
    globalContext: flow?.globalContext ?? "",
  };
};
