import type { Breakers } from "../kit/breakers.ts";
import type { FailureMetrics } from "../ports/metrics.ts";

type Named = Readonly<{ name: string }>;

/** What runs in a process, by its names. */
export type Told = Readonly<{
  vad: Named;
  transcribers: readonly Named[];
  synthesizers: readonly Named[];
  models: readonly (Named & Readonly<{ models: readonly Readonly<{ id: string }>[] }>)[];
}>;

/** Every provider is in the metrics before it first fails, rests or is taken over from. */
export const tellFromTheStart = (
  { vad, transcribers, synthesizers, models }: Told,
  modelFallbacks: readonly string[],
  breakers: Pick<Breakers, "of">,
  metrics: Partial<FailureMetrics>,
): void => {
  metrics.mayFail?.("vad", vad.name);
  for (const [port, providers] of [
    ["transcriber", transcribers],
    ["synthesizer", synthesizers],
  ] as const) {
    for (const { name } of providers) {
      breakers.of(port, name);
      metrics.mayFail?.(port, name);
    }
    // An agent may name any of them, with any other behind it.
    tellTakeovers(
      metrics,
      port,
      providers.map(({ name }) => name),
    );
  }
  for (const { name, models: offered } of models) {
    metrics.mayFail?.("model", name);
    for (const { id } of offered) breakers.of("model", `${name}/${id}`);
  }
  metrics.mayFail?.("model", "dialogue");
  // Providers offer hundreds of models: of these, the default one and those that the deployment names.
  const [first] = offersOf(models);
  const behind = offersOf(models).filter(({ id }) => modelFallbacks.includes(id));
  const keys = [...(first === undefined ? [] : [first]), ...behind].map(({ key }) => key);
  tellTakeovers(metrics, "model", keys);
};

/** Stores that are shared are in the metrics before they first fail. */
export const tellOfStores = (shared: boolean, metrics: Partial<FailureMetrics>): void => {
  metrics.mayFail?.("queue", shared ? "redis" : "postgres");
  for (const port of shared ? IN_REDIS : []) metrics.mayFail?.(port, "redis");
};

const IN_REDIS = ["live", "phrases", "usage", "call-registry", "store-mark"] as const;

const tellTakeovers = (metrics: Partial<FailureMetrics>, port: string, names: readonly string[]): void => {
  const all = new Set(names);
  for (const from of all) for (const to of all) if (from !== to) metrics.mayTakeOver?.(port, from, to);
};

/** Of several models with one id the first is asked. */
const offersOf = (models: Told["models"]): readonly Readonly<{ id: string; key: string }>[] => {
  const offers = models.flatMap(({ name, models: offered }) => offered.map(({ id }) => ({ id, key: `${name}/${id}` })));
  return offers.filter(({ id }, index) => offers.findIndex((one) => one.id === id) === index);
};
