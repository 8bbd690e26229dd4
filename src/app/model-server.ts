import { Scope } from "../kit/scope.ts";
import { serveModels } from "../model-server/serve-models.ts";
import type { ServedEngines } from "../model-server/engines.ts";
import type { ListenOptions } from "../grpc/listening.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import type { SpeechSynthesizer } from "../ports/synthesizer.ts";
import type { Transcriber } from "../ports/transcriber.ts";
import type { TurnDetector } from "../ports/turn-detector.ts";
import { createProviders, type DiscoveredPort } from "../registry.ts";

/** What a model server may offer. */
export const OFFERS = ["transcriber", "synthesizer", "turn-detector", "language-model"] as const;
export type Offer = (typeof OFFERS)[number];

/** None of the engines that were asked for runs on this machine. */
export class NothingToServe extends Error {
  override readonly name = "NothingToServe";
}

export type RunningModelServer = Readonly<{
  port: number;
  /** The engines that are served, by name. */
  engines: readonly string[];
  close(): Promise<void>;
}>;

type Env = Readonly<Record<string, string | undefined>>;

/** Engines that run on this machine first; others that the environment has a key for come after them. */
const PREFERENCE = ["local", "kokoro", "flite", "smart-turn", "openai-compatible"];

/**
 * Starts the engines of this machine and serves them to others.
 *
 * @throws {NothingToServe} when none of the offers can be made.
 */
export const startModelServer = async (
  deps: AdapterDeps,
  env: Env,
  {
    offers,
    ...listening
  }: Omit<ListenOptions, "service" | "name" | "handlers" | "clock"> & Readonly<{ offers: readonly Offer[] }>,
): Promise<RunningModelServer> => {
  const scope = new Scope("the model server");
  try {
    const engines = await startEngines(deps, env, offers, scope);
    const names = [engines.transcriber, ...engines.synthesizers, engines.turnDetector, ...engines.models].flatMap(
      (engine) => engine?.name ?? [],
    );
    if (names.length === 0)
      throw new NothingToServe(`no ${offers.join(", ")} runs here; call-engine models pull brings the files`);
    const server = await serveModels(engines, { ...listening, ...deps });
    scope.onClose(() => server.close());
    return { port: server.port, engines: names, close: () => scope.close() };
  } catch (error) {
    await scope.close().catch(() => undefined);
    throw error;
  }
};

const startEngines = async (
  deps: AdapterDeps,
  env: Env,
  offers: readonly Offer[],
  scope: Scope,
): Promise<ServedEngines> => {
  const start = async <Made extends Readonly<{ close(): Promise<void> }>>(port: Offer & DiscoveredPort) => {
    if (!offers.includes(port)) return [];
    // A server that served itself would go round in circles.
    const { running } = await createProviders<Made>(port, PREFERENCE, env, deps, (name) => name !== "model-server");
    for (const { made } of running) scope.onClose(() => made.close());
    return running.map(({ made }) => made);
  };
  const [transcribers, synthesizers, turnDetectors, models] = await Promise.all([
    start<Transcriber>("transcriber"),
    start<SpeechSynthesizer>("synthesizer"),
    start<TurnDetector>("turn-detector"),
    start<LanguageModel>("language-model"),
  ]);
  return { transcriber: transcribers[0], synthesizers, turnDetector: turnDetectors[0], models };
};
