import { status, type ServerDuplexStream } from "@grpc/grpc-js";
import { fromWireFormat } from "../grpc/formats.ts";
import type { TranscribeOpen__Output } from "../grpc/generated/callengine/models/v1/TranscribeOpen.ts";
import type { TranscribeRequest__Output } from "../grpc/generated/callengine/models/v1/TranscribeRequest.ts";
import type { TranscribeResponse } from "../grpc/generated/callengine/models/v1/TranscribeResponse.ts";
import { sameFormat } from "../model/audio.ts";
import type { Transcriber, TranscriberStream } from "../ports/transcriber.ts";
import { HEARING_RATE } from "../ports/vad.ts";
import { Refusal } from "./refusal.ts";

export type TranscribeCall = ServerDuplexStream<TranscribeRequest__Output, TranscribeResponse>;

/** Answers that may wait for a client that does not read them. */
const MOST_UNREAD = 1000;

/** How long the answers to what was asked for may take after the client has said its last, in events of the engine: all of them. */
export const transcribe = async (transcriber: Transcriber, call: TranscribeCall): Promise<void> => {
  let stream: TranscriberStream | undefined;
  const over = Promise.withResolvers<void>();
  let asked = 0;
  let complete = false;
  const answer = (response: TranscribeResponse) => {
    if (call.writableLength > MOST_UNREAD)
      over.reject(new Refusal(status.RESOURCE_EXHAUSTED, "the client does not read its answers"));
    else call.write(response);
  };
  const listener = {
    transcript: ({ words = [], ...event }: Parameters<Parameters<Transcriber["open"]>[1]["transcript"]>[0]) => {
      const [startMs, endMs] = [Math.round(event.startMs), Math.round(event.endMs)];
      if (event.text !== "") answer({ transcript: { ...event, startMs, endMs, words: [...words] } });
    },
    flushed: () => {
      asked -= 1;
      answer({ flushed: {} });
      if (complete && asked === 0) over.resolve();
    },
    turnJudged: (probability: number) => answer({ turnJudged: { probability } }),
    failed: (error: Error) => over.reject(error),
  };
  const read = async () => {
    for await (const request of call as AsyncIterable<TranscribeRequest__Output>) {
      if (request.request === "open") {
        if (stream !== undefined) throw new Refusal(status.INVALID_ARGUMENT, "open comes once");
        stream = open(transcriber, request.open, listener);
        continue;
      }
      if (stream === undefined) throw new Refusal(status.INVALID_ARGUMENT, "the first request must be open");
      if (request.request === "finalize") asked += 1;
      pass(stream, request);
    }
    complete = true;
    if (asked === 0) over.resolve();
  };
  call.once("cancelled", () => over.resolve());
  try {
    read().catch((error: unknown) => over.reject(error));
    await over.promise;
  } finally {
    stream?.close();
  }
};

const open = (
  transcriber: Transcriber,
  given: TranscribeOpen__Output | null | undefined,
  listener: Parameters<Transcriber["open"]>[1],
): TranscriberStream => {
  const format = fromWireFormat(given?.format);
  if (!given || format === undefined || !sameFormat(format, HEARD))
    throw new Refusal(status.INVALID_ARGUMENT, "this server hears linear16 at 16000 Hz");
  const { language, keywords } = given;
  if (!transcriber.supports(language))
    throw new Refusal(status.INVALID_ARGUMENT, "this server does not hear that language; Describe lists those it does");
  return transcriber.open({ language, keywords, lineFormat: format }, listener);
};

const HEARD = { encoding: "linear16", sampleRate: HEARING_RATE } as const;

const pass = (stream: TranscriberStream, { audio, speech, request }: TranscribeRequest__Output): void => {
  if (request === "audio" && audio !== undefined) stream.push(audio);
  else if (request === "speech" && speech) stream.speech(speech.speaking ? "started" : "ended", speech.atMs);
  else if (request === "finalize") stream.finalize();
  else if (request === "endTurn") stream.endTurn();
};
