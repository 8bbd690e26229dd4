import type { Config } from "../../config.ts";
import type { AdapterDeps, Descriptor } from "../../ports/descriptor.ts";
import type { LanguageModel } from "../../ports/language-model.ts";
import type { SpeechSynthesizer } from "../../ports/synthesizer.ts";
import { discover, type DiscoveredPort } from "../../registry.ts";
import type { Check } from "./finding.ts";

type Env = Readonly<Record<string, string | undefined>>;
type Found = Awaited<ReturnType<Check["run"]>>;

/** Checks of what the environment chooses by name: engines, voices and models. Nothing is checked that nobody has chosen. */
export const choiceChecks = (config: Config, env: Env, deps: AdapterDeps): readonly Check[] => {
  const { voiceId, transcriber, vad, voiceFallbacks, transcriberFallbacks, modelFallbacks } = config.defaults;
  const engines = (
    what: string,
    port: DiscoveredPort,
    names: readonly string[],
    state: "broken" | "lesser",
  ): Check => ({
    what,
    run: () => engineChoice(port, names, state, env, deps),
  });
  const voices = (what: string, ids: readonly string[]): Check => ({ what, run: () => voiceChoice(ids, env, deps) });
  const models = (what: string, ids: readonly string[]): Check => ({ what, run: () => modelChoice(ids, env, deps) });
  return [
    // The service starts with another one where these do not run, and not at all where the others do not.
    ...(vad === undefined ? [] : [engines("VAD", "vad", [vad], "lesser")]),
    ...(transcriber === undefined ? [] : [engines("DEFAULT_TRANSCRIBER", "transcriber", [transcriber], "lesser")]),
    ...(transcriberFallbacks.length === 0
      ? []
      : [engines("TRANSCRIBER_FALLBACKS", "transcriber", transcriberFallbacks, "broken")]),
    ...(voiceId === undefined ? [] : [voices("DEFAULT_VOICE", [voiceId])]),
    ...(voiceFallbacks.length === 0 ? [] : [voices("VOICE_FALLBACKS", voiceFallbacks)]),
    ...(modelFallbacks.length === 0 ? [] : [models("LLM_FALLBACKS", modelFallbacks)]),
  ];
};

const engineChoice = async (
  port: DiscoveredPort,
  names: readonly string[],
  state: "broken" | "lesser",
  env: Env,
  deps: AdapterDeps,
): Promise<Found> => {
  const descriptors = await discover<unknown>(port);
  for (const name of names) {
    const descriptor = descriptors.find((one) => one.name === name);
    const others = descriptors.map((one) => one.name).join(", ");
    if (descriptor === undefined) return { state, says: `there is no ${port} ${name}; name one of ${others}` };
    const available = await descriptor.available(env, deps);
    if (available !== true) return { state, says: `${name} does not run here: ${available}` };
  }
  return { state: "ok", says: `${names.join(", ")} runs here` };
};

const voiceChoice = async (ids: readonly string[], env: Env, deps: AdapterDeps): Promise<Found> => {
  const descriptors = await discover<SpeechSynthesizer>("synthesizer");
  for (const id of ids) {
    const engine = descriptors.find(({ name }) => id.startsWith(`${name}-`) || (name === MODEL_SERVER && isServed(id)));
    if (engine === undefined)
      return {
        state: "broken",
        says: `no engine's voices are called like ${id}; GET /voices lists those that there are`,
      };
    const says = await lacking(engine, ({ voices }) => voices.map((voice) => voice.id), id, env, deps);
    if (says !== undefined) return { state: "broken", says: `${id}: ${says}; GET /voices lists what there is` };
  }
  return { state: "ok", says: `${ids.join(", ")} can be spoken with` };
};

const modelChoice = async (ids: readonly string[], env: Env, deps: AdapterDeps): Promise<Found> => {
  // The script is there only where nothing else is, and nobody falls back to it.
  const descriptors = (await discover<LanguageModel>("language-model")).filter(({ name }) => name !== "scripted");
  for (const id of ids) {
    const answers = await Promise.all(
      descriptors.map((one) => lacking(one, ({ models }) => models.map((model) => model.id), id, env, deps)),
    );
    if (answers.every((says) => says !== undefined))
      return { state: "broken", says: `no provider that is configured offers ${id}; GET /models lists what there is` };
  }
  return { state: "ok", says: `${ids.join(", ")} can be asked` };
};

/** Why a provider does not have what is called so; nothing where it has. */
const lacking = async <Made extends Readonly<{ close(): Promise<void> }>>(
  descriptor: Descriptor<Made>,
  offered: (made: Made) => readonly string[],
  id: string,
  env: Env,
  deps: AdapterDeps,
): Promise<string | undefined> => {
  const available = await descriptor.available(env, deps);
  if (available !== true) return `${descriptor.name} does not run here: ${available}`;
  const made = await descriptor.create(env, deps);
  const has = offered(made).includes(id);
  await made.close();
  return has ? undefined : `${descriptor.name} does not have it`;
};

const MODEL_SERVER = "model-server";

/** Voices of a server have names of its own, mostly with this before them. */
const isServed = (id: string): boolean => id.startsWith("server-");
