import type { CallPlan } from "../model/call-plan.ts";
import type { Logger } from "../ports/logger.ts";
import type { RunningEngines } from "./engines.ts";

/** The part of the running engines that is looked at. */
type Offered = Readonly<{
  catalogue: Pick<RunningEngines["catalogue"], "models">;
  transcribers: readonly Readonly<{ name: string }>[];
  synthesizers: readonly Pick<RunningEngines["synthesizers"][number], "voices">[];
}>;

/**
 * Tells of an agent's fallbacks that nobody here has, which calls pass over: by the field alone, because what stands in it is the
 * customer's text.
 */
export const tellUnknownFallbacks = (
  { fallbacks }: CallPlan["agent"],
  { catalogue, transcribers, synthesizers }: Offered,
  logger: Logger,
): void => {
  if (fallbacks === undefined) return;
  const tell = (what: string, ids: readonly string[] | undefined, isThere: (id: string) => boolean) => {
    const count = (ids ?? []).filter((id) => !isThere(id)).length;
    if (count > 0) logger.warn("fallbacks of the agent are not to be had here and are passed over", { what, count });
  };
  tell("fallbacks.models", fallbacks.models, (id) => catalogue.models.some((model) => model.id === id));
  tell("fallbacks.transcribers", fallbacks.transcribers, (id) => transcribers.some(({ name }) => name === id));
  tell("fallbacks.voices", fallbacks.voices, (id) =>
    synthesizers.some(({ voices }) => voices.some((voice) => voice.id === id)),
  );
};
