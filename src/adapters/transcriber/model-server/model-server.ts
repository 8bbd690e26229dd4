import { coversLanguage, fromWireFormat } from "../../../grpc/formats.ts";
import { describeModelServer, MODEL_SERVER, MODEL_SERVER_ENV } from "../../../grpc/model-server.ts";
import type { Descriptor } from "../../../ports/descriptor.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { Transcriber } from "../../../ports/transcriber.ts";
import { ModelServerTranscriber } from "./transcriber.ts";

/** A model server that hears. */
export default {
  name: MODEL_SERVER,
  env: MODEL_SERVER_ENV,
  available: async (env, deps) => {
    const found = await describeModelServer(env, deps, "transcriber");
    if (typeof found === "string") return found;
    found.connection.close();
    return true;
  },
  create: async (env, deps) => {
    const found = await describeModelServer(env, deps, "transcriber");
    if (typeof found === "string") throw new ProviderError(MODEL_SERVER, "unavailable", found);
    const { offers, connection } = found;
    return new ModelServerTranscriber(connection, deps, {
      finalMs: offers.finalMs,
      formats: offers.formats.map(fromWireFormat).filter((format) => format !== undefined),
      supports: (language) => coversLanguage(offers.languages, language),
    });
  },
} satisfies Descriptor<Transcriber>;
