import { coversLanguage, fromWireFormat } from "../../../grpc/formats.ts";
import { describeModelServer, MODEL_SERVER, MODEL_SERVER_ENV } from "../../../grpc/model-server.ts";
import { fromWireOptions } from "../../../grpc/options.ts";
import type { SynthesizerDescription__Output } from "../../../grpc/generated/callengine/models/v1/SynthesizerDescription.ts";
import type { Voice } from "../../../model/voice.ts";
import type { Descriptor } from "../../../ports/descriptor.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { SpeechSynthesizer } from "../../../ports/synthesizer.ts";
import { ModelServerSynthesizer } from "./synthesizer.ts";

/** A server that names no deadline is given what local voices without a network take at most, in milliseconds. */
const USUAL_DEADLINE_MS = 800;

/** A model server that speaks. */
export default {
  name: MODEL_SERVER,
  env: MODEL_SERVER_ENV,
  available: async (env, deps) => {
    const found = await describeModelServer(env, deps, "synthesizer");
    if (typeof found === "string") return found;
    found.connection.close();
    if (formatsOf(found.offers).length === 0) return "the server at MODEL_SERVER_URL names no format that it speaks in";
    return found.offers.voices.length > 0 || "the server at MODEL_SERVER_URL names no voice";
  },
  create: async (env, deps) => {
    const found = await describeModelServer(env, deps, "synthesizer");
    if (typeof found === "string") throw new ProviderError(MODEL_SERVER, "unavailable", found);
    const { offers, connection } = found;
    return new ModelServerSynthesizer(connection, {
      voices: voicesOf(offers),
      formats: formatsOf(offers),
      supports: (language) => coversLanguage(offers.languages, language),
      firstAudioDeadlineMs: offers.firstAudioDeadlineMs || USUAL_DEADLINE_MS,
    });
  },
} satisfies Descriptor<SpeechSynthesizer>;

const formatsOf = ({ formats }: SynthesizerDescription__Output) =>
  formats.map(fromWireFormat).filter((format) => format !== undefined);

const voicesOf = ({ voices }: SynthesizerDescription__Output): readonly Voice[] =>
  voices.map(({ id, name, description, options }) => ({
    id,
    name: name === "" ? id : name,
    voiceType: MODEL_SERVER,
    voiceTier: "STANDARD",
    description,
    voiceOptions: fromWireOptions(options),
  }));
