import type { Config } from "../config.ts";
import type { Engines } from "../dials/engines.ts";
import { Breakers } from "../kit/breakers.ts";
import { toError } from "../kit/errors.ts";
import { Scope } from "../kit/scope.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import type { CatalogueModel, LanguageModel } from "../ports/language-model.ts";
import type { SpeechSynthesizer } from "../ports/synthesizer.ts";
import type { Transcriber } from "../ports/transcriber.ts";
import type { TurnDetector } from "../ports/turn-detector.ts";
import type { VoiceActivityDetector } from "../ports/vad.ts";
import { createProviders, type DiscoveredPort, type Providers } from "../registry.ts";
import { EnginesUnavailable } from "./engines-unavailable.ts";
import { catalogueModels, modelLookUp, type EngineDeps, type ModelFor } from "./model-look-up.ts";
import { tellFromTheStart } from "./told-from-the-start.ts";
import { KNOWN_TRANSCRIBERS, transcriberLookUp, type TranscriberFor } from "./transcriber-look-up.ts";

/** Which engine serves a slot, and why a better one does not. */
export type Tier = Readonly<{ slot: string; engine: string; instead?: string }>;

/** Everything that hears, thinks and speaks in this process. */
export type RunningEngines = Readonly<{
  vad: VoiceActivityDetector;
  /** Hears whether turns are over, where the operator brought a model for it. */
  turnDetector: TurnDetector | undefined;
  transcribers: readonly Transcriber[];
  synthesizers: readonly SpeechSynthesizer[];
  models: readonly LanguageModel[];
  tiers: readonly Tier[];
  /** The same as the use cases see it. */
  catalogue: Engines;
  transcriberFor: TranscriberFor;
  synthesizerFor(voiceId: string): SpeechSynthesizer;
  modelFor: ModelFor;
  /** What the process knows of providers that fail. */
  breakers: Breakers;
  close(): Promise<void>;
}>;

/** The language models of a process that does nothing else. */
export type RunningModels = Readonly<{
  models: readonly CatalogueModel[];
  scripted: boolean;
  /** What answers, for people. */
  describe: string;
  modelFor: ModelFor;
  close(): Promise<void>;
}>;

/** Best first; others that are found come after these. */
const PREFERENCE = {
  vad: ["silero", "energy"],
  "turn-detector": ["smart-turn"],
  transcriber: ["local"],
  synthesizer: ["kokoro", "flite"],
  "language-model": ["openai-compatible", "openai", "anthropic", "google", "model-server", "scripted"],
} as const satisfies Partial<Record<DiscoveredPort, readonly string[]>>;

const SCRIPT = "scripted";

/** An operator who names one wants what it offers; it tells itself why it cannot be used. */
const MODEL_SERVER = "model-server";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Starts the engines that can run here and reports the tier of each slot.
 *
 * @throws {EnginesUnavailable} when a slot stays empty, or the environment asks for an engine that does not run.
 */
export const startEngines = async (config: Config, env: Env, deps: EngineDeps): Promise<RunningEngines> => {
  const scope = new Scope("the engines");
  const close = () =>
    scope.close().catch((error: unknown) => {
      deps.logger.warn("an engine did not close", { error: toError(error) });
    });
  try {
    return { ...(await startAll(config, env, deps, scope)), close };
  } catch (error) {
    // Their threads would keep the process alive, which has nothing more to do.
    await close();
    throw error;
  }
};

/**
 * Starts the language models alone.
 *
 * @throws {EnginesUnavailable} as {@link startEngines} does.
 */
export const startModelsAlone = async (config: Config, env: Env, deps: EngineDeps): Promise<RunningModels> => {
  const scope = new Scope("the models");
  try {
    const models = all("language model", await closing(scope, startModels(env, deps)));
    return {
      models: catalogueModels(models),
      scripted: models[0]?.scripted ?? false,
      describe: describe(models[0]),
      modelFor: modelLookUp(config, models, deps, new Breakers(deps)),
      close: () => scope.close(),
    };
  } catch (error) {
    await scope.close().catch(() => undefined);
    throw error;
  }
};

const startAll = async (
  config: Config,
  env: Env,
  deps: EngineDeps,
  scope: Scope,
): Promise<Omit<RunningEngines, "close">> => {
  const wantedVads = preferred("vad", config.defaults.vad);
  const wantedTranscribers = preferred("transcriber", config.defaults.transcriber);
  const [vads, turnDetectors, transcribers, synthesizers, models] = await Promise.all([
    closing(scope, createProviders<VoiceActivityDetector>("vad", wantedVads, env, deps)),
    closing(
      scope,
      createProviders<TurnDetector>("turn-detector", [MODEL_SERVER, ...PREFERENCE["turn-detector"]], env, deps),
    ),
    closing(scope, createProviders<Transcriber>("transcriber", wantedTranscribers, env, deps)),
    closing(
      scope,
      createProviders<SpeechSynthesizer>("synthesizer", [MODEL_SERVER, ...PREFERENCE.synthesizer], env, deps),
    ).then((providers) => havingVoice(providers, config.defaults.voiceId)),
    closing(scope, startModels(env, deps)),
  ]);
  const running = {
    vad: first("voice activity detector", vads),
    turnDetector: turnDetectors.running[0]?.made,
    transcribers: all("transcriber", transcribers),
    synthesizers: all("synthesizer", synthesizers),
    models: all("language model", models),
  };
  const tiers = [
    tier("voice activity detector", vads, wantedVads),
    ...(env["SMART_TURN_MODEL"] === undefined
      ? []
      : [tier("turn detector", turnDetectors, PREFERENCE["turn-detector"])]),
    tier("transcriber", transcribers, wantedTranscribers),
    voiceTier(synthesizers, config.defaults.voiceId),
    { slot: "language model", engine: describe(models.running[0]?.made) },
  ];
  report(deps, tiers);
  const breakers = new Breakers(deps);
  tellFromTheStart(running, config.defaults.modelFallbacks, breakers, deps.metrics);
  return {
    ...running,
    tiers,
    catalogue: catalogueOf(config, running),
    ...lookUps(running),
    breakers,
    modelFor: modelLookUp(config, running.models, deps, breakers),
    transcriberFor: transcriberLookUp(config, running.transcribers, deps, breakers),
  };
};

/** Lets providers close with the scope, whether or not the others can start. */
const closing = async <Made extends Readonly<{ close(): Promise<void> }>>(
  scope: Scope,
  starting: Promise<Providers<Made>>,
): Promise<Providers<Made>> => {
  const providers = await starting;
  for (const { made } of providers.running) scope.onClose(() => made.close());
  return providers;
};

/** Told as soon as the voices are there: a mistake in a setting need not wait for networks to be loaded. */
const havingVoice = (
  providers: Providers<SpeechSynthesizer>,
  voiceId: string | undefined,
): Providers<SpeechSynthesizer> => {
  const known = providers.running.flatMap(({ made }) => made.voices.map(({ id }) => id));
  if (voiceId === undefined || known.includes(voiceId)) return providers;
  const missing = providers.missing.map(({ name, reason }) => `${name}: ${reason}`);
  const why = missing.length === 0 ? "" : `; not running are ${missing.join("; ")}`;
  throw new EnginesUnavailable(
    `DEFAULT_VOICE is ${voiceId}, which no engine here has; there are ${known.slice(0, MOST_NAMED).join(", ")}${why}`,
  );
};

/** Vendors have hundreds of voices. */
const MOST_NAMED = 20;

/** The scripted built-in stands in where there is no model; beside a real one it is not to be had, and not started. */
const startModels = async (env: Env, deps: AdapterDeps): Promise<Providers<LanguageModel>> => {
  const port = "language-model";
  const real = await createProviders<LanguageModel>(port, PREFERENCE[port], env, deps, (name) => name !== SCRIPT);
  if (real.running.length > 0) return real;
  return createProviders<LanguageModel>(port, PREFERENCE[port], env, deps, (name) => name === SCRIPT);
};

type Running = Pick<RunningEngines, "vad" | "transcribers" | "synthesizers" | "models">;

const preferred = (port: "vad" | "transcriber", name: string | undefined): readonly string[] => [
  ...(name === undefined ? [] : [name]),
  MODEL_SERVER,
  ...PREFERENCE[port],
];

const all = <Made>(slot: string, { running, missing }: Providers<Made>): readonly Made[] => {
  if (running.length > 0) return running.map(({ made }) => made);
  const reasons = missing.map(({ name, reason }) => `${name}: ${reason}`).join("; ");
  throw new EnginesUnavailable(`there is no ${slot} (${reasons})`);
};

const first = <Made>(slot: string, providers: Providers<Made>): Made => all(slot, providers)[0] as Made;

const tier = <Made>(slot: string, { running, missing }: Providers<Made>, preference: readonly string[]): Tier => {
  const engine = running[0]?.name ?? "none";
  if (engine === MODEL_SERVER) return { slot, engine };
  const better = missing.find(
    ({ name }) =>
      name !== MODEL_SERVER && preference.includes(name) && preference.indexOf(name) < rankOf(preference, engine),
  );
  return better === undefined ? { slot, engine } : { slot, engine, instead: better.reason };
};

/** An operator who names a voice has chosen its engine; only where nobody did, a lesser one is a shortcoming. */
const voiceTier = (providers: Providers<SpeechSynthesizer>, voiceId: string | undefined): Tier => {
  const chosen = providers.running.find(({ made }) => made.voices.some(({ id }) => id === voiceId));
  return chosen === undefined
    ? tier("voice", providers, PREFERENCE.synthesizer)
    : { slot: "voice", engine: chosen.name };
};

const rankOf = (preference: readonly string[], name: string): number => {
  const index = preference.indexOf(name);
  return index < 0 ? preference.length : index;
};

const describe = (model: LanguageModel | undefined): string => {
  if (model === undefined) return "none";
  return model.scripted ? `${model.name} (a script, not a language model)` : model.name;
};

const report = ({ logger }: AdapterDeps, tiers: readonly Tier[]): void => {
  for (const { slot, engine, instead } of tiers) {
    if (instead === undefined) logger.info("engine", { slot, engine });
    else logger.warn("a slot is served by a lesser engine", { slot, engine, reason: instead });
  }
};

const catalogueOf = (config: Config, { transcribers, synthesizers, models }: Running): Engines => {
  const { voiceId } = config.defaults;
  return {
    transcribers,
    knownTranscribers: KNOWN_TRANSCRIBERS,
    synthesizers,
    ...(voiceId === undefined ? {} : { defaultVoiceId: voiceId }),
    models: catalogueModels(models),
    scripted: models[0]?.scripted ?? false,
  };
};

const lookUps = ({ synthesizers }: Running) => ({
  synthesizerFor: (voiceId: string): SpeechSynthesizer =>
    found(
      synthesizers.find(({ voices }) => voices.some(({ id }) => id === voiceId)),
      "voice",
      voiceId,
    ),
});

const found = <T>(value: T | undefined, what: string, name: string): T => {
  if (value === undefined) throw new EnginesUnavailable(`there is no ${what} "${name}" in this process`);
  return value;
};
