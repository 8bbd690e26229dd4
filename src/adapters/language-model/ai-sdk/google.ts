import { createGoogle } from "@ai-sdk/google";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { LanguageModel } from "../../../ports/language-model.ts";
import { MAX_TOKENS, temperature, THINKING_BUDGET, TOP_K, TOP_P } from "./options.ts";
import { vendorDescriptor } from "./vendor.ts";

/** Google's Gemini models, by `GOOGLE_API_KEY`. */
export default vendorDescriptor({
  name: "google",
  prefix: "GOOGLE",
  models: ["gemini-3.8-flash", "gemini-3.5-flash-lite", "gemini-2.5-flash"],
  options: [temperature(2), TOP_P, TOP_K, MAX_TOKENS, THINKING_BUDGET],
  list: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    query: "?pageSize=1000",
    headers: (apiKey) => ({ "x-goog-api-key": apiKey }),
  },
  connect: (given) => {
    const provider = createGoogle(given);
    return (id) => provider.languageModel(id);
  },
  vendorOptions: (options) => {
    const thinkingBudget = Number(options["thinking_budget"]?.trim() || -1);
    return thinkingBudget < 0 ? undefined : { google: { thinkingConfig: { thinkingBudget } } };
  },
}) satisfies Descriptor<LanguageModel>;
