import { createOpenAI } from "@ai-sdk/openai";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { LanguageModel } from "../../../ports/language-model.ts";
import {
  effortOption,
  FREQUENCY_PENALTY,
  MAX_TOKENS,
  PRESENCE_PENALTY,
  REASONING_EFFORT,
  temperature,
  TOP_P,
} from "./options.ts";
import { vendorDescriptor } from "./vendor.ts";

/** OpenAI's models, by `OPENAI_API_KEY`. */
export default vendorDescriptor({
  name: "openai",
  prefix: "OPENAI",
  models: ["gpt-4.1-mini", "gpt-4.1", "gpt-5.4-mini", "gpt-5.6"],
  options: [temperature(2), TOP_P, MAX_TOKENS, FREQUENCY_PENALTY, PRESENCE_PENALTY, REASONING_EFFORT],
  list: { baseUrl: "https://api.openai.com/v1", headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }) },
  connect: (given) => {
    const provider = createOpenAI(given);
    return (id) => provider.chat(id);
  },
  // Extractors may ask for any JSON, which the strict form of schemas cannot say.
  vendorOptions: (options) => ({ openai: { ...effortOption("openai", options)?.["openai"], strictJsonSchema: false } }),
}) satisfies Descriptor<LanguageModel>;
