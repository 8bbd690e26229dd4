import { FallbackTranscriber } from "../call/fallback-transcriber.ts";
import type { Config } from "../config.ts";
import type { Breakers } from "../kit/breakers.ts";
import type { Takeover } from "../model/takeover.ts";
import type { Transcriber } from "../ports/transcriber.ts";
import { EnginesUnavailable } from "./engines-unavailable.ts";
import type { EngineDeps } from "./model-look-up.ts";

/** Who else may hear a call, and who is told when they do. */
export type TranscriberChoice = Readonly<{
  language: string;
  /** Names, of the agent; where there are none, those of the deployment count. */
  fallbacks?: readonly string[] | undefined;
  tookOver?: ((takeover: Takeover) => void) | undefined;
}>;

/** A call's transcriber, with those behind it that hear the language. */
export type TranscriberFor = (name: string, choice: TranscriberChoice) => Transcriber;

/** Transcribers that customers may name although this deployment has no key for them. */
export const KNOWN_TRANSCRIBERS = ["deepgram", "deepgram-flux", "openai", "assemblyai", "google", "local"] as const;

/** What stands behind the others where nobody says otherwise: sound goes to no vendor that was not chosen. */
const OWN = ["model-server", "local"] as const;

/** @throws {EnginesUnavailable} when the configuration names transcribers that nobody could have. */
export const transcriberLookUp = (
  { defaults: { transcriberFallbacks } }: Readonly<{ defaults: Pick<Config["defaults"], "transcriberFallbacks"> }>,
  transcribers: readonly Transcriber[],
  deps: EngineDeps,
  breakers: Breakers,
): TranscriberFor => {
  const byName = new Map(transcribers.map((one) => [one.name, one]));
  const missing = transcriberFallbacks.filter((name) => !byName.has(name));
  if (missing.length > 0)
    throw new EnginesUnavailable(
      `TRANSCRIBER_FALLBACKS names ${missing.join(", ")}, which do not run here; there are ${[...byName.keys()].join(", ")}`,
    );
  const byDefault = transcriberFallbacks.length > 0 ? transcriberFallbacks : OWN;
  return (name, { language, fallbacks = [], tookOver }) => {
    const chosen = byName.get(name);
    if (chosen === undefined) throw new EnginesUnavailable(`there is no transcriber "${name}" in this process`);
    const others = (fallbacks.length > 0 ? fallbacks : byDefault).flatMap((one) => byName.get(one) ?? []);
    const candidates = [...new Set([chosen, ...others])].filter((one) => one === chosen || one.supports(language));
    if (candidates.length === 1) return chosen;
    const breakerOf = (one: Transcriber) => breakers.of("transcriber", one.name);
    return new FallbackTranscriber({ candidates, ...deps, breakerOf, tookOver });
  };
};
