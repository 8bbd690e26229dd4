import { Type } from "typebox";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { CatalogueModel, LanguageModel } from "../../../ports/language-model.ts";
import { OpenAiCompatibleModel } from "./openai-compatible-model.ts";

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
    LLM_API_KEY: Type.Optional(Type.String({ description: "Sent as a bearer token; servers of one's own need none." })),
  }),
  available: (env) => Promise.resolve(problemOf(env) ?? true),
  create: (env) => {
    const problem = problemOf(env);
    if (problem !== undefined) return Promise.reject(new Error(problem));
    const key = env["LLM_API_KEY"]?.trim();
    return Promise.resolve(
      new OpenAiCompatibleModel({
        name: "openai-compatible",
        baseUrl: env["LLM_BASE_URL"]?.trim() ?? "",
        apiKey: key === "" ? undefined : key,
        models: idsOf(env).map((id) => catalogueModel(id)),
      }),
    );
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
  return idsOf(env).length === 0
    ? "LLM_MODEL is not set; set it to the id of a model that the endpoint offers"
    : undefined;
};

/** The defaults are what the interface itself assumes when an option is left out; only options that were set are sent. */
const catalogueModel = (id: string): CatalogueModel => ({
  id,
  name: id,
  modelOptions: [
    { id: "temperature", name: "Temperature (0 to 2)", valueType: "FLOAT", default: "1" },
    { id: "top_p", name: "Nucleus sampling (0 to 1)", valueType: "FLOAT", default: "1" },
    { id: "max_tokens", name: "Longest answer in tokens; 0 leaves it to the endpoint", valueType: "INT", default: "0" },
    { id: "frequency_penalty", name: "Frequency penalty (-2 to 2)", valueType: "FLOAT", default: "0" },
    { id: "presence_penalty", name: "Presence penalty (-2 to 2)", valueType: "FLOAT", default: "0" },
    {
      id: "reasoning_effort",
      name: "Reasoning effort; empty leaves it to the endpoint",
      valueType: "STRING",
      default: "",
    },
  ],
});
