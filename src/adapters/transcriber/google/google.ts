import { Type } from "typebox";
import type { AdapterDeps, Descriptor } from "../../../ports/descriptor.ts";
import type { Transcriber } from "../../../ports/transcriber.ts";
import { checkWire } from "../remote/check-wire.ts";
import { RemoteTranscriber, type RemoteVendor } from "../remote/remote-transcriber.ts";
import { adviceFor } from "../remote/vendor-descriptor.ts";
import { accessFrom } from "./google-access.ts";
import { GoogleWire } from "./google-wire.ts";
import { supportsLanguage } from "./language-codes.ts";
import { SpeechChannel } from "./recognize.ts";

type Env = Readonly<Record<string, string | undefined>>;

const NAME = "google";

/** Google's Speech-to-Text v2 over gRPC: a stream for each stretch of speech, which closing it makes final. */
export default {
  name: NAME,
  env: Type.Object({
    GOOGLE_SPEECH_PROJECT: Type.String({ minLength: 1 }),
    GOOGLE_SPEECH_API_KEY: Type.Optional(Type.String()),
    GOOGLE_APPLICATION_CREDENTIALS: Type.Optional(Type.String()),
    GOOGLE_SPEECH_LOCATION: Type.Optional(Type.String()),
    GOOGLE_SPEECH_MODEL: Type.Optional(Type.String()),
    GOOGLE_SPEECH_BASE_URL: Type.Optional(Type.String({ pattern: "^https?://" })),
  }),
  available: (env) => Promise.resolve(problemOf(env) ?? true),
  create: async (env, deps) => new RemoteTranscriber(await vendorIn(env, deps), deps),
  check: async (env, deps, signal) => {
    const vendor = await vendorIn(env, deps);
    try {
      await checkWire(vendor.openWire, "answer", signal);
    } finally {
      vendor.close?.();
    }
  },
} satisfies Descriptor<Transcriber>;

const vendorIn = async (env: Env, { clock }: Pick<AdapterDeps, "clock">): Promise<RemoteVendor> => {
  const problem = problemOf(env);
  if (problem !== undefined) throw new Error(problem);
  const access = await accessFrom(env, clock);
  const channel = new SpeechChannel(new URL(addressOf(env)));
  const request = {
    recognizer: `projects/${given(env, "GOOGLE_SPEECH_PROJECT")}/locations/${locationOf(env)}/recognizers/_`,
    model: given(env, "GOOGLE_SPEECH_MODEL") || "long",
    advice: adviceFor(
      "GOOGLE_SPEECH_API_KEY or GOOGLE_APPLICATION_CREDENTIALS, and what the project allows",
      "GOOGLE_SPEECH_BASE_URL",
      "GOOGLE_SPEECH_PROJECT, GOOGLE_SPEECH_LOCATION, GOOGLE_SPEECH_MODEL",
    ),
  };
  return {
    name: NAME,
    finalMs: 500,
    style: { chunkMs: 20, leastMs: 1, speechOnly: true },
    supports: supportsLanguage,
    takes: () => true,
    openWire: (hints, format, listener) => new GoogleWire({ access, channel, request }, hints, format, listener),
    close: () => {
      channel.close();
    },
  };
};

const given = (env: Env, variable: string): string => env[variable]?.trim() ?? "";

const locationOf = (env: Env): string => given(env, "GOOGLE_SPEECH_LOCATION") || "global";

/** Each location has a host of its own. */
const addressOf = (env: Env): string => {
  const location = locationOf(env);
  const host = location === "global" ? "speech.googleapis.com" : `${location}-speech.googleapis.com`;
  return given(env, "GOOGLE_SPEECH_BASE_URL") || `https://${host}`;
};

const problemOf = (env: Env): string | undefined => {
  if (given(env, "GOOGLE_SPEECH_PROJECT") === "")
    return "GOOGLE_SPEECH_PROJECT is not set; set it to the id of a project with Speech-to-Text";
  if (given(env, "GOOGLE_SPEECH_API_KEY") === "" && given(env, "GOOGLE_APPLICATION_CREDENTIALS") === "")
    return "neither GOOGLE_SPEECH_API_KEY nor GOOGLE_APPLICATION_CREDENTIALS is set";
  return URL.canParse(addressOf(env)) && /^https?:/u.test(addressOf(env))
    ? undefined
    : "GOOGLE_SPEECH_BASE_URL is not an address that begins with https or http";
};
