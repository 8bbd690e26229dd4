import type { Profiler } from "node:inspector";

/** A function and what it called, with how often it was met. */
export type Flame = { readonly name: string; readonly file: string; samples: number; readonly calls: Flame[] };

const PROJECT = /^file:\/\/.*?\/(src|test)\//;

/**
 * The parts of a profile that begin at one of the functions of `roots` ("message media-line.ts"), merged by name. What is below another
 * root is that root's own.
 */
export const flamesOf = (profile: Profiler.Profile, roots: readonly string[]): readonly Flame[] => {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const counts = new Map<number, number>();
  for (const id of profile.samples ?? []) counts.set(id, (counts.get(id) ?? 0) + 1);
  const found = new Map<string, Flame>();
  const add = (node: Profiler.ProfileNode, into: Flame | undefined): void => {
    const { functionName, url } = node.callFrame;
    const name = functionName === "" ? "(anonymous)" : functionName;
    const file = url.replace(PROJECT, "$1/").replace(/^.*\/node_modules\//, "");
    const key = `${name} ${file.split("/").at(-1) ?? ""}`;
    const begins = roots.includes(key);
    const own = begins ? rootOf(found, key, name, file) : into;
    const flame = begins || own === undefined ? own : childOf(own, name, file);
    if (flame !== undefined) flame.samples += counts.get(node.id) ?? 0;
    for (const child of node.children ?? []) {
      const next = nodes.get(child);
      if (next !== undefined) add(next, flame);
    }
  };
  const top = profile.nodes[0];
  if (top !== undefined) add(top, undefined);
  return [...found.values()];
};

/** Its own samples and those of all that it called. */
export const totalOf = ({ samples, calls }: Flame): number =>
  samples + calls.reduce((sum, called) => sum + totalOf(called), 0);

const rootOf = (found: Map<string, Flame>, key: string, name: string, file: string): Flame => {
  const flame = found.get(key) ?? { name, file, samples: 0, calls: [] };
  found.set(key, flame);
  return flame;
};

const childOf = ({ calls }: Flame, name: string, file: string): Flame => {
  const known = calls.find((called) => called.name === name && called.file === file);
  if (known !== undefined) return known;
  const fresh: Flame = { name, file, samples: 0, calls: [] };
  calls.push(fresh);
  return fresh;
};
