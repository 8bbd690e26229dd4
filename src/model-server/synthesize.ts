import { status, type ServerDuplexStream } from "@grpc/grpc-js";
import { fromWireFormat } from "../grpc/formats.ts";
import type { SynthesizeOpen__Output } from "../grpc/generated/callengine/models/v1/SynthesizeOpen.ts";
import type { SynthesizeRequest__Output } from "../grpc/generated/callengine/models/v1/SynthesizeRequest.ts";
import type { SynthesizeResponse } from "../grpc/generated/callengine/models/v1/SynthesizeResponse.ts";
import { written } from "../grpc/writing.ts";
import { sameFormat } from "../model/audio.ts";
import type { SpeechSynthesizer, SpokenChunk } from "../ports/synthesizer.ts";
import { VOICE_PREFIX } from "./engines.ts";
import { Refusal } from "./refusal.ts";

export type SynthesizeCall = ServerDuplexStream<SynthesizeRequest__Output, SynthesizeResponse>;

/** Longest piece of text, in characters, and most sound in one message, in bytes; both as the protocol has them. */
const LONGEST_PIECE = 4000;
const MOST_SOUND_BYTES = 512 * 1024;

/** Speaks one answer; the next sound is made when the client has room for the last. */
export const synthesize = async (
  synthesizers: readonly SpeechSynthesizer[],
  call: SynthesizeCall,
  signal: AbortSignal,
): Promise<void> => {
  const requests = (call as AsyncIterable<SynthesizeRequest__Output>)[Symbol.asyncIterator]();
  const first = await requests.next();
  if (first.done === true) return;
  const { synthesizer, voice, format } = choose(synthesizers, first.value.open);
  for await (const chunk of synthesizer.synthesize(piecesOf(requests), voice, format, signal))
    for (const response of inParts(chunk)) await written(call, response);
};

const choose = (synthesizers: readonly SpeechSynthesizer[], open: SynthesizeOpen__Output | null | undefined) => {
  if (!open) throw new Refusal(status.INVALID_ARGUMENT, "the first request must be open");
  const { voiceId, language, options } = open;
  const known = voiceId.startsWith(VOICE_PREFIX) ? voiceId.slice(VOICE_PREFIX.length) : undefined;
  const synthesizer = synthesizers.find(({ voices }) => voices.some(({ id }) => id === known));
  if (synthesizer === undefined || known === undefined)
    throw new Refusal(status.NOT_FOUND, "this server has no voice of that id; Describe lists those it has");
  const format = fromWireFormat(open.format);
  if (format === undefined || !sameFormat(synthesizer.formatFor(format), format))
    throw new Refusal(
      status.INVALID_ARGUMENT,
      "this voice does not speak in that format; Describe lists those it does",
    );
  return { synthesizer, format, voice: { voiceId: known, language, options } };
};

async function* piecesOf(requests: AsyncIterator<SynthesizeRequest__Output>): AsyncGenerator<string, void, undefined> {
  for (let next = await requests.next(); next.done !== true; next = await requests.next()) {
    const { request, piece = "" } = next.value;
    if (request !== "piece") throw new Refusal(status.INVALID_ARGUMENT, "after open only pieces of text may come");
    if (piece.length > LONGEST_PIECE)
      throw new Refusal(status.INVALID_ARGUMENT, `a piece has at most ${LONGEST_PIECE} characters`);
    yield piece;
  }
}

function* inParts({ audio, words = [], endOfPiece }: SpokenChunk): Generator<SynthesizeResponse> {
  let from = 0;
  for (; audio.length - from > MOST_SOUND_BYTES; from += MOST_SOUND_BYTES)
    yield { audio: audio.subarray(from, from + MOST_SOUND_BYTES) };
  yield { audio: audio.subarray(from), words: [...words], endOfPiece: endOfPiece === true };
}
