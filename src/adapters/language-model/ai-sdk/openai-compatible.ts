import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Type } from "typebox";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { LanguageModel } from "../../../ports/language-model.ts";
import { checkModels } from "./check-models.ts";
import { adviceFor } from "./failures.ts";
import {
  effortOption,
  FREQUENCY_PENALTY,
  MAX_TOKENS,
  PRESENCE_PENALTY,
  REASONING_EFFORT,
  temperature,
  TOP_P,
} from "./options.ts";
import { SdkModel } from "./sdk-model.ts";
import { WarmConnections } from "./warm-connections.ts";

/** Any endpoint that speaks the chat completions interface: hosted services, gateways, and servers on one's own machine. */
export default {
  name: "openai-compatible",
  env: Type.Object({
    LLM_BASE_URL: Type.String({
      pattern: "^https?://",
      description:
        "Where `/chat/completions` is found, such as `https://api.openai.com/v1` or `http://localhost:11434/v1`.",
    }),
    LLM_MODEL: Type.String({
      minLength: 1,
      description: "The model's id; several are divided by commas, the first counts.",
    }),
    LLM_CONTEXT_TOKENS: Type.Optional(
      Type.String({
        pattern: "^[1-9][0-9]{3,6}$",
        description:
          "How much the endpoint lets a model read at a time, 1000 and more; what does not fit is left out of the oldest turns and never of the prompt.",
      }),
    ),
    LLM_API_KEY: Type.Optional(Type.String({ description: "Sent as a bearer token; servers of one's own need none." })),
  }),
  available: (env) => Promise.resolve(problemOf(env) ?? true),
  create: (env) => {
    const problem = problemOf(env);
    if (problem !== undefined) return Promise.reject(new Error(problem));
    const key = env["LLM_API_KEY"]?.trim();
    const tokens = env["LLM_CONTEXT_TOKENS"]?.trim() ?? "";
    const known = tokens === "" ? {} : { contextTokens: Number(tokens) };
    const baseURL = env["LLM_BASE_URL"]?.trim() ?? "";
    const connections = new WarmConnections();
    const provider = createOpenAICompatible({
      name: "openai-compatible",
      baseURL,
      fetch: connections.fetch,
      includeUsage: true,
      supportsStructuredOutputs: true,
      ...(key === undefined || key === "" ? {} : { apiKey: key }),
    });
    return Promise.resolve(
      new SdkModel({
        name: "openai-compatible",
        models: idsOf(env).map((id) => ({ id, name: id, ...known, modelOptions: OPTIONS })),
        sdkModel: (id) => provider.chatModel(id),
        vendorOptions: (options) => effortOption("openaiCompatible", options),
        advice: adviceFor("LLM", "LLM_MODEL"),
        connections,
        url: baseURL,
      }),
    );
  },
  check: (env, _deps, signal) => {
    const key = env["LLM_API_KEY"]?.trim() ?? "";
    const base = (env["LLM_BASE_URL"] ?? "").trim().replace(/\/+$/u, "");
    const [url, answersAt] = [`${base}/models`, `${base}/chat/completions`];
    const headers: Readonly<Record<string, string>> = key === "" ? {} : { authorization: `Bearer ${key}` };
    return checkModels({ provider: "openai-compatible", url, answersAt, headers, model: idsOf(env)[0] ?? "" }, signal);
  },
} satisfies Descriptor<LanguageModel>;

type Env = Readonly<Record<string, string | undefined>>;

const idsOf = (env: Env): readonly string[] =>
  (env["LLM_MODEL"] ?? "")
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");

const problemOf = (env: Env): string | undefined => {
  const url = env["LLM_BASE_URL"]?.trim() ?? "";
  if (url === "") return "LLM_BASE_URL is not set; set it to the address of a chat completions endpoint";
  if (!URL.canParse(url) || !/^https?:/u.test(url))
    return "LLM_BASE_URL is not an http or https address; set it to one such as http://localhost:11434/v1";
  if (!/^(?:[1-9]\d{3,6})?$/u.test(env["LLM_CONTEXT_TOKENS"]?.trim() ?? ""))
    return "LLM_CONTEXT_TOKENS is no number from 1000; set it to how many tokens the endpoint takes, such as 8192";
  return idsOf(env).length === 0
    ? "LLM_MODEL is not set; set it to the id of a model that the endpoint offers"
    : undefined;
};

const OPTIONS = [temperature(2), TOP_P, MAX_TOKENS, FREQUENCY_PENALTY, PRESENCE_PENALTY, REASONING_EFFORT];
