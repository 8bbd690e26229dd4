import type { FlowNode } from "../../model/versioned-prompt.ts";
import type { FlowFault } from "./flow-fault.ts";

/** Nodes that no way leads to from the first one. */
export const unreachableNodes = (nodes: readonly FlowNode[]): readonly FlowFault[] => {
  const reached = new Set<string>();
  const byId = firstById(nodes);
  const waiting = nodes.slice(0, 1);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (reached.has(node.id)) continue;
    reached.add(node.id);
    for (const target of targetsOf(node)) {
      const next = byId.get(target);
      if (next !== undefined) waiting.push(next);
    }
  }
  return nodes.flatMap(({ id }, index) =>
    reached.has(id) ? [] : [{ path: `/nodes/${index}`, nodeId: id, message: "cannot be reached from the first node" }],
  );
};

/** Variables that are set and keys that are pressed on the way to nowhere: the call would stand still there with nothing to say. */
export const deadEnds = (nodes: readonly FlowNode[]): readonly FlowFault[] =>
  nodes.flatMap((node, index) =>
    (node.type === "set_variables" || node.type === "press_digits") && targetsOf(node).length === 0
      ? [{ path: `/nodes/${index}/transitionRules`, nodeId: node.id, message: "must lead on: the node says nothing" }]
      : [],
  );

/** Rounds that never wait for the caller; each is told once, at the node of it that comes first. */
export const cyclesOf = (nodes: readonly FlowNode[]): readonly FlowFault[] => {
  const byId = firstById(nodes);
  const silent = (id: string) => {
    const node = byId.get(id);
    return node !== undefined && passesThrough(node.type) ? node : undefined;
  };
  const done = new Set<string>();
  const faults: FlowFault[] = [];
  for (const [index, start] of nodes.entries()) {
    if (silent(start.id) === undefined || done.has(start.id)) continue;
    const round = findRound(start, silent, done);
    if (round === undefined) continue;
    faults.push({
      path: `/nodes/${index}`,
      nodeId: start.id,
      message: `leads into a cycle without the caller (${round.join(" → ")}); put a question or freeform node into it`,
    });
  }
  return faults;
};

/** Nodes that are left without the caller having said anything. */
export const passesThrough = (type: string): boolean =>
  type === "function_call" || type === "transfer" || type === "set_variables" || type === "press_digits";

/** Where the rules of a node lead, without those that cannot be reached behind an `always`. A node that hangs up leads nowhere. */
const targetsOf = (node: FlowNode): readonly string[] => {
  if (node.type === "end_call") return [];
  const rules = node.transitionRules ?? [];
  const always = rules.findIndex(({ conditionType }) => conditionType === "always");
  return rules
    .slice(0, always < 0 ? rules.length : always + 1)
    .flatMap(({ transitionNodeId }) => (transitionNodeId === undefined ? [] : [transitionNodeId]));
};

const firstById = (nodes: readonly FlowNode[]): ReadonlyMap<string, FlowNode> =>
  new Map(nodes.toReversed().map((node) => [node.id, node]));

type Visit = Readonly<{ id: string; targets: string[] }>;

/** Depth first with a stack of its own, since a flow of hundreds of nodes may be one line. */
const findRound = (
  start: FlowNode,
  silent: (id: string) => FlowNode | undefined,
  done: Set<string>,
): readonly string[] | undefined => {
  const trail: Visit[] = [{ id: start.id, targets: [...targetsOf(start)] }];
  let round: readonly string[] | undefined = undefined;
  for (let visit = trail.at(-1); visit !== undefined; visit = trail.at(-1)) {
    const target = visit.targets.pop();
    if (target === undefined) {
      done.add(visit.id);
      trail.pop();
      continue;
    }
    const next = silent(target);
    if (next === undefined || done.has(target)) continue;
    const from = trail.findIndex(({ id }) => id === target);
    if (from < 0) trail.push({ id: target, targets: [...targetsOf(next)] });
    else round ??= [...trail.slice(from).map(({ id }) => id), target];
  }
  return round;
};
