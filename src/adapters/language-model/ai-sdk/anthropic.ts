import { createAnthropic } from "@ai-sdk/anthropic";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { LanguageModel } from "../../../ports/language-model.ts";
import { MAX_TOKENS, temperature, TOP_K, TOP_P } from "./options.ts";
import { vendorDescriptor } from "./vendor.ts";

/** Anthropic's models, by `ANTHROPIC_API_KEY`. */
export default vendorDescriptor({
  name: "anthropic",
  prefix: "ANTHROPIC",
  models: ["claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-4-5"],
  options: [temperature(1), TOP_P, TOP_K, MAX_TOKENS],
  list: {
    baseUrl: "https://api.anthropic.com/v1",
    query: "?limit=1000",
    headers: (apiKey) => ({ "x-api-key": apiKey, "anthropic-version": "2023-06-01" }),
  },
  connect: (given) => {
    const provider = createAnthropic(given);
    return (id) => provider.messages(id);
  },
}) satisfies Descriptor<LanguageModel>;
