import { readConfig } from "../config.ts";
import { CONTROL_VARIABLES } from "./control-settings.ts";
import { RECORDING_VARIABLES } from "./recordings.ts";
import { SHARING_VARIABLES } from "./shared-port.ts";
import { TRACE_VARIABLES } from "./traces.ts";
import { discover, discoverCarriers, type DiscoveredPort } from "../registry.ts";

/** A variable that nothing reads, and the one that was probably meant. */
export type MisspeltVariable = Readonly<{ name: string; meant: string }>;

const PORTS: readonly DiscoveredPort[] = ["vad", "turn-detector", "transcriber", "synthesizer", "language-model"];

/** Variables that neither the configuration nor a provider reads. */
const OTHERS = [
  ...CONTROL_VARIABLES,
  ...RECORDING_VARIABLES,
  ...SHARING_VARIABLES,
  ...TRACE_VARIABLES,
  "CONTROL_URL",
  "ACCOUNTS_FILE",
  "LOOPBACK_CALLER",
  "LOOPBACK_LINES",
];

/**
 * Variables that are nearly called like one of ours. The environment also belongs to others, so that what is not known cannot be
 * refused; but a limit that is set by a wrong name would silently not hold.
 */
export const misspeltVariables = async (
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly MisspeltVariable[]> => {
  const known = await knownVariables();
  return Object.keys(env).flatMap((name) => {
    if (known.has(name)) return [];
    const meant = [...known].find((one) => isNear(name, one));
    return meant === undefined ? [] : [{ name, meant }];
  });
};

const knownVariables = async (): Promise<ReadonlySet<string>> => {
  const descriptors = await Promise.all(PORTS.map((port) => discover(port)));
  const carriers = await discoverCarriers();
  const schemas: readonly object[] = [
    ...descriptors.flat().map(({ env }) => env),
    ...carriers.map((one) => one.settings),
  ];
  return new Set([...configVariables(), ...schemas.flatMap(membersOf), ...OTHERS]);
};

/** What {@link readConfig} asks for. */
const configVariables = (): readonly string[] => {
  const asked: string[] = [];
  const listening = new Proxy<Readonly<Record<string, string | undefined>>>(
    {},
    {
      get: (_, name) => {
        asked.push(String(name));
        return undefined;
      },
    },
  );
  readConfig(listening);
  return asked;
};

const membersOf = (schema: object): readonly string[] =>
  "properties" in schema ? Object.keys(schema.properties as object) : [];

/** Shorter names of ours, such as `HOST`, are near to too many words. */
const SHORTEST = 7;

/** One slip, or two in a long name, in any case. */
const isNear = (name: string, known: string): boolean =>
  known.length >= SHORTEST && isWithin(name.toUpperCase(), known, known.length < 12 ? 1 : 2);

/** Whether at most `most` characters have to be put in, left out, changed or swapped with their neighbour (Damerau–Levenshtein). */
const isWithin = (a: string, b: string, most: number): boolean => {
  if (Math.abs(a.length - b.length) > most) return false;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = row;
  }
  return (last[b.length] ?? Number.POSITIVE_INFINITY) <= most;
};
