import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { Type } from "typebox";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { ModelFiles } from "../../../ports/model-files.ts";
import type { Transcriber } from "../../../ports/transcriber.ts";
import { loadLexicon } from "./lexicon.ts";
import { MoonshineRecognizer } from "./recognizer.ts";
import { tokenTable } from "./token-table.ts";
import { LocalTranscriber } from "./transcriber.ts";

/** Sizes of Moonshine, best first. */
const SIZES = ["base", "tiny"] as const;

/** libuv has four threads for everything (files, names, cryptography too); decoding leaves it one. */
const MOST_SLOTS = 3;

/**
 * Moonshine base (int8) by sherpa-onnx: 2.7 % of words wrong over 8 kHz µ-law on human telephone prompts, at about 3 % of real time on
 * one core. Where only the tiny model was put into the models folder, that one (about 3 times as many errors, half of the time).
 */
export default {
  name: "local",
  env: Type.Object({}),
  available: async (_env, { modelFiles }) =>
    (await findModel(modelFiles)) !== undefined ||
    'the transcriber "local" needs moonshine-base-encoder.onnx and moonshine-base-decoder.onnx; get them with: bin/call-engine models pull',
  create: async (_env, { modelFiles, logger }) => {
    const model = await findModel(modelFiles);
    if (model === undefined) throw new Error("Moonshine is not there; get it with: bin/call-engine models pull");
    if (model.size !== "base")
      logger.warn("the local transcriber runs a smaller model; models pull brings the better one", {
        model: model.size,
      });
    const tokens = await modelFiles.derive("moonshine-tokens-1.txt", [model.decoderName], makeTokens);
    if (tokens === undefined) throw new Error(`${model.decoderName} went away while it was being read`);
    const recognizer = await MoonshineRecognizer.load({ encoder: model.encoder, decoder: model.decoder, tokens });
    const lexicon = await loadLexicon(await readFile(tokens, "utf8"));
    return new LocalTranscriber(recognizer, lexicon, Math.min(MOST_SLOTS, availableParallelism()));
  },
} satisfies Descriptor<Transcriber>;

const findModel = async (modelFiles: ModelFiles) => {
  for (const size of SIZES) {
    const decoderName = `moonshine-${size}-decoder.onnx`;
    const encoder = await modelFiles.find(`moonshine-${size}-encoder.onnx`);
    const decoder = await modelFiles.find(decoderName);
    if (encoder !== undefined && decoder !== undefined) return { size, encoder, decoder, decoderName };
  }
  return undefined;
};

/** Loaded only when needed: the vocabulary takes a moment to unpack and is of no use once the table is written. */
const makeTokens = async (): Promise<Uint8Array> => {
  const { default: llama } = await import("llama-tokenizer-js");
  return Buffer.from(tokenTable(llama.vocabById), "utf8");
};
