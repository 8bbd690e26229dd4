import { commonFormats } from "../../../grpc/formats.ts";
import { MODEL_SERVER } from "../../../grpc/model-server.ts";
import { checkModelServers, isOffered, MODEL_SERVER_ENV, needModelServers } from "../../../grpc/model-servers.ts";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { SpeechSynthesizer } from "../../../ports/synthesizer.ts";
import { ModelServerSynthesizer } from "./synthesizer.ts";

/** Model servers that speak. */
export default {
  name: MODEL_SERVER,
  env: MODEL_SERVER_ENV,
  available: (env, deps) =>
    isOffered(env, deps, "synthesizer", (offers) => {
      if (commonFormats(offers.map(({ formats }) => formats)).length === 0)
        return "the server at MODEL_SERVER_URL names no format that it speaks in, or several servers have none in common";
      if (offers.every(({ voices }) => voices.length === 0)) return "the server at MODEL_SERVER_URL names no voice";
      return undefined;
    }),
  create: async (env, deps) => new ModelServerSynthesizer(await needModelServers(env, deps, "synthesizer")),
  check: (env, deps) => checkModelServers(env, deps, "synthesizer"),
} satisfies Descriptor<SpeechSynthesizer>;
