import { MODEL_SERVER } from "../../../grpc/model-server.ts";
import { isOffered, MODEL_SERVER_ENV, needModelServers } from "../../../grpc/model-servers.ts";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { Transcriber } from "../../../ports/transcriber.ts";
import { ModelServerTranscriber } from "./transcriber.ts";

/** A model server that hears. */
export default {
  name: MODEL_SERVER,
  env: MODEL_SERVER_ENV,
  available: (env, deps) => isOffered(env, deps, "transcriber"),
  create: async (env, deps) => new ModelServerTranscriber(await needModelServers(env, deps, "transcriber"), deps),
} satisfies Descriptor<Transcriber>;
