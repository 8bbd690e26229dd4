import type { LanguageModelV4 } from "@ai-sdk/provider";
import { Type } from "typebox";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { CatalogueModel, LanguageModel } from "../../../ports/language-model.ts";
import { checkModels } from "./check-models.ts";
import { adviceFor } from "./failures.ts";
import { SdkModel, type Settings } from "./sdk-model.ts";
import { WarmConnections } from "./warm-connections.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What tells one vendor from another. */
export type Vendor = Readonly<{
  /** The descriptor's name. */
  name: string;
  /** What its variables begin with. */
  prefix: string;
  /** Models that are offered unless `<prefix>_MODELS` names others; quick ones first, since people wait for each answer. */
  models: readonly string[];
  options: CatalogueModel["modelOptions"];
  /** Makes the SDK's models; `baseURL` absent: the vendor's own address. */
  connect(
    given: Readonly<{ apiKey: string; baseURL?: string; fetch: typeof globalThis.fetch }>,
  ): (id: string) => LanguageModelV4;
  vendorOptions?: Settings["vendorOptions"];
  /** Where the vendor lists its models, and how it is shown the key. */
  list: Readonly<{ baseUrl: string; query?: string; headers(apiKey: string): Readonly<Record<string, string>> }>;
}>;

/** The descriptor of a vendor whose models are asked by key. */
export const vendorDescriptor = (vendor: Vendor): Descriptor<LanguageModel> => {
  const { name, prefix, connect, options, vendorOptions } = vendor;
  const [key, url, models] = [`${prefix}_API_KEY`, `${prefix}_BASE_URL`, `${prefix}_MODELS`] as const;
  return {
    name,
    env: Type.Object({
      [key]: Type.String({ minLength: 1 }),
      [url]: Type.Optional(Type.String({ pattern: "^https?://" })),
      [models]: Type.Optional(Type.String({ description: "Ids, divided by commas; the first is the default." })),
    }),
    available: (env) => Promise.resolve(problemOf(env, key, url) ?? true),
    create: (env) => {
      const problem = problemOf(env, key, url);
      if (problem !== undefined) return Promise.reject(new Error(problem));
      const baseURL = textOf(env, url);
      const connections = new WarmConnections();
      const made = connect({
        apiKey: textOf(env, key),
        fetch: connections.fetch,
        ...(baseURL === "" ? {} : { baseURL }),
      });
      const ids = idsIn(textOf(env, models));
      return Promise.resolve(
        new SdkModel({
          name,
          models: (ids.length === 0 ? vendor.models : ids).map((id) => ({ id, name: id, modelOptions: options })),
          sdkModel: made,
          ...(vendorOptions === undefined ? {} : { vendorOptions }),
          advice: adviceFor(prefix, "the model's id"),
          connections,
          url: baseURL || vendor.list.baseUrl,
        }),
      );
    },
    check: (env, _deps, signal) => {
      const baseUrl = (textOf(env, url) || vendor.list.baseUrl).replace(/\/+$/u, "");
      const headers = vendor.list.headers(textOf(env, key));
      const model = idsIn(textOf(env, models))[0] ?? vendor.models[0] ?? "";
      return checkModels(
        { provider: name, url: `${baseUrl}/models${vendor.list.query ?? ""}`, headers, model },
        signal,
      );
    },
  };
};

const idsIn = (text: string): readonly string[] => text.split(",").flatMap((id) => id.trim() || []);

const textOf = (env: Env, name: string): string => env[name]?.trim() ?? "";

const problemOf = (env: Env, key: string, url: string): string | undefined => {
  if (textOf(env, key) === "") return `${key} is not set; set it to a key of the vendor`;
  const address = textOf(env, url);
  return address === "" || (URL.canParse(address) && /^https?:/u.test(address))
    ? undefined
    : `${url} is not an http or https address`;
};
