import { Type } from "typebox";
import type { AdapterDeps, Descriptor } from "../../../ports/descriptor.ts";
import type { ProviderErrorKind } from "../../../ports/provider-error.ts";
import type { Transcriber } from "../../../ports/transcriber.ts";
import { checkWire } from "./check-wire.ts";
import { RemoteTranscriber, type RemoteVendor } from "./remote-transcriber.ts";

/** What an operator gave for a vendor. */
export type VendorAccess = Readonly<{
  apiKey: string;
  /** Where its API is, `wss:` or `ws:`; without a path that it does not need. */
  url: URL;
  /** The model that is asked for. */
  model: string;
  advice: Readonly<Record<ProviderErrorKind, string>>;
}>;

export type VendorFacts = Readonly<{
  name: string;
  /** What its variables begin with. */
  prefix: string;
  /** The variable that names another model. */
  modelVariable: string;
  defaultUrl: string;
  defaultModel: string;
  make(access: VendorAccess): RemoteVendor;
}>;

type Env = Readonly<Record<string, string | undefined>>;

/** The descriptor of a vendor that is reached by key over a websocket. */
export const vendorDescriptor = (facts: VendorFacts): Descriptor<Transcriber> => {
  const { name, prefix, modelVariable, defaultUrl, defaultModel, make } = facts;
  const [keyVariable, urlVariable] = [`${prefix}_API_KEY`, `${prefix}_BASE_URL`] as const;
  const problem = (env: Env): string | undefined => {
    if (given(env, keyVariable) === "") return `${keyVariable} is not set; set it to a key of the vendor`;
    return websocketUrl(given(env, urlVariable) || defaultUrl) === undefined
      ? `${urlVariable} is not an address that begins with https, http, wss or ws`
      : undefined;
  };
  const vendorIn = (env: Env): RemoteVendor => {
    const url = websocketUrl(given(env, urlVariable) || defaultUrl);
    const why = problem(env);
    if (url === undefined || why !== undefined) throw new Error(why);
    const model = given(env, modelVariable) || defaultModel;
    const advice = adviceFor(keyVariable, urlVariable, modelVariable);
    return make({ apiKey: given(env, keyVariable), url, model, advice });
  };
  return {
    name,
    env: Type.Object({
      [keyVariable]: Type.String({ minLength: 1 }),
      [urlVariable]: Type.Optional(Type.String({ pattern: "^(https?|wss?)://" })),
      [modelVariable]: Type.Optional(Type.String()),
    }),
    available: (env) => Promise.resolve(problem(env) ?? true),
    create: (env, deps: AdapterDeps) =>
      new Promise((resolve) => {
        resolve(new RemoteTranscriber(vendorIn(env), deps));
      }),
    check: async (env, _deps, signal) => {
      await checkWire(vendorIn(env).openWire, "ready", signal);
    },
  };
};

/** What an operator can do, by what went wrong. */
export const adviceFor = (key: string, url: string, model: string): Readonly<Record<ProviderErrorKind, string>> => ({
  auth: `check ${key}`,
  "rate-limited": "too many streams at once, or the account is used up",
  unavailable: `check ${url} and the vendor's health`,
  rejected: `check ${model} and the agent's language and keywords`,
  timeout: "the vendor took too long",
});

/** `path` below a vendor's address, with its own query kept. */
export const below = (url: URL, path: string): URL => {
  const whole = new URL(url);
  whole.pathname = `${whole.pathname.replace(/\/+$/u, "")}${path}`;
  return whole;
};

const given = (env: Env, variable: string): string => env[variable]?.trim() ?? "";

const websocketUrl = (address: string): URL | undefined => {
  if (!URL.canParse(address) || !/^(https?|wss?):/u.test(address)) return undefined;
  return new URL(address.replace(/^http/u, "ws"));
};
