/** Marks that Moonshine's vocabulary has beyond Llama's, `<<ST_0>>` to `<<ST_767>>`. */
const SPECIAL_TOKENS = 768;
const LLAMA_TOKENS = 32_000;

/**
 * The token table that sherpa-onnx wants beside Moonshine's merged decoder: a line per token, its bytes in base64 and its number.
 * Moonshine writes in Llama's vocabulary, whose tokens `<0x00>` to `<0xFF>` stand for single bytes.
 */
export const tokenTable = (llamaVocabulary: readonly string[]): string => {
  if (llamaVocabulary.length !== LLAMA_TOKENS)
    throw new RangeError(`the vocabulary has ${llamaVocabulary.length} tokens instead of ${LLAMA_TOKENS}`);
  const special = Array.from({ length: SPECIAL_TOKENS }, (_, index) => `<<ST_${index}>>`);
  const lines = [...llamaVocabulary, ...special].map((token, id) => `${bytesOf(token).toString("base64")} ${id}\n`);
  return lines.join("");
};

const bytesOf = (token: string): Buffer => {
  const hex = /^<0x(?<hex>[0-9A-F]{2})>$/.exec(token)?.groups?.["hex"];
  return hex === undefined ? Buffer.from(token, "utf8") : Buffer.from(hex, "hex");
};
