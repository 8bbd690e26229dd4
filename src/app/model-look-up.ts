import type { Config } from "../config.ts";
import { FallbackModel } from "../dialogue/fallback-model.ts";
import type { ChosenModel } from "../dialogue/prompt-dialogue.ts";
import { TimedModel } from "../dialogue/timed-model.ts";
import type { Breakers } from "../kit/breakers.ts";
import type { Takeover } from "../model/takeover.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import type { CatalogueModel, LanguageModel } from "../ports/language-model.ts";
import type { AnswerMetrics, FailureMetrics, Metrics } from "../ports/metrics.ts";
import { EnginesUnavailable } from "./engines-unavailable.ts";

/**
 * A prompt's model, with those behind it that the agent names, else those of the deployment. `tookOver` is told whenever one of those
 * answers instead.
 */
export type ModelFor = (
  aiModelId: string | undefined,
  fallbacks?: readonly string[],
  tookOver?: (takeover: Takeover) => void,
) => ChosenModel;

/** What every adapter may use, with what counts failures where there is something that does. */
export type EngineDeps = AdapterDeps & Readonly<{ metrics: Metrics & Partial<AnswerMetrics & FailureMetrics> }>;

/** The models that can be asked, for `GET /models`. */
export const catalogueModels = (models: readonly LanguageModel[]): readonly CatalogueModel[] =>
  offersOf(models).map(({ shown }) => shown);

/** @throws {EnginesUnavailable} when the configuration names models that nobody offers. */
export const modelLookUp = (
  { defaults: { modelFallbacks, hedgeAfterMs } }: Config,
  models: readonly LanguageModel[],
  deps: EngineDeps,
  breakers: Breakers,
): ModelFor => {
  const offers = offersOf(models.map((model) => new TimedModel(model, deps.clock, deps.metrics)));
  const unknown = modelFallbacks.filter((id) => !offers.some(({ modelId }) => modelId === id));
  if (unknown.length > 0)
    throw new EnginesUnavailable(`LLM_FALLBACKS names ${unknown.join(", ")}, which no provider here offers`);
  const breakerOf = ({ model, modelId }: ChosenModel) => breakers.of("model", `${model.name}/${modelId}`);
  return (aiModelId, fallbacks = [], tookOver?) => {
    // A prompt whose model was taken away still has to be able to speak: the deployment's default stands in.
    const chosen = offers.find(({ modelId }) => modelId === aiModelId) ?? offers[0];
    if (chosen === undefined)
      throw new EnginesUnavailable(`there is no language model "${aiModelId ?? "default"}" in this process`);
    const others = (fallbacks.length > 0 ? fallbacks : modelFallbacks)
      .map((id) => offers.find(({ modelId }) => modelId === id))
      .filter((one) => one !== undefined && one !== chosen);
    const candidates = [...new Set([chosen, ...others])].filter((one) => one !== undefined);
    if (candidates.length === 1) return chosen;
    const model = new FallbackModel({ candidates, ...deps, breakerOf, hedgeAfterMs, tookOver });
    return { model, modelId: chosen.modelId };
  };
};

/** Every model that can be asked, the default first; of several with one id the first. */
const offersOf = (models: readonly LanguageModel[]): readonly (ChosenModel & Readonly<{ shown: CatalogueModel }>)[] => {
  const offers = models.flatMap((model) => model.models.map((shown) => ({ model, modelId: shown.id, shown })));
  return offers.filter(({ modelId }, index) => offers.findIndex((one) => one.modelId === modelId) === index);
};
