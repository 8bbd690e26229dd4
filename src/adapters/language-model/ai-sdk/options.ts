import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { CatalogueModel, ModelRequest } from "../../../ports/language-model.ts";

type Option = CatalogueModel["modelOptions"][number];

// The defaults are what the interfaces themselves assume when an option is left out; only options that were set are sent.

/** Randomness, up to a vendor's own highest value. */
export const temperature = (highest: number): Option => ({
  id: "temperature",
  name: `Temperature (0 to ${highest})`,
  valueType: "FLOAT",
  default: "1",
  minimum: 0,
  maximum: highest,
});
export const TOP_P: Option = {
  id: "top_p",
  name: "Nucleus sampling (0 to 1)",
  valueType: "FLOAT",
  default: "1",
  minimum: 0,
  maximum: 1,
};
export const TOP_K: Option = {
  id: "top_k",
  name: "Tokens that are sampled from; 0 leaves it to the model",
  valueType: "INT",
  default: "0",
  minimum: 0,
  maximum: 1000,
};
export const MAX_TOKENS: Option = {
  id: "max_tokens",
  name: "Longest answer in tokens; 0 leaves it to the endpoint",
  valueType: "INT",
  default: "0",
  minimum: 0,
  maximum: 1_000_000,
};
export const FREQUENCY_PENALTY: Option = {
  id: "frequency_penalty",
  name: "Frequency penalty (-2 to 2)",
  valueType: "FLOAT",
  default: "0",
  minimum: -2,
  maximum: 2,
};
export const PRESENCE_PENALTY: Option = {
  id: "presence_penalty",
  name: "Presence penalty (-2 to 2)",
  valueType: "FLOAT",
  default: "0",
  minimum: -2,
  maximum: 2,
};
export const REASONING_EFFORT: Option = {
  id: "reasoning_effort",
  name: "Reasoning effort; empty leaves it to the endpoint",
  valueType: "STRING",
  default: "",
};
export const THINKING_BUDGET: Option = {
  id: "thinking_budget",
  name: "Tokens for thoughts before the answer; -1 leaves it to the model, 0 thinks not at all",
  valueType: "INT",
  default: "-1",
  minimum: -1,
  maximum: 100_000,
};

type ProviderOptions = LanguageModelV4CallOptions["providerOptions"];

/** The effort of reasoning under a vendor's key, where it was set. */
export const effortOption = (vendor: string, options: ModelRequest["options"]): ProviderOptions => {
  const reasoningEffort = options["reasoning_effort"]?.trim() ?? "";
  return reasoningEffort === "" ? undefined : { [vendor]: { reasoningEffort } };
};
