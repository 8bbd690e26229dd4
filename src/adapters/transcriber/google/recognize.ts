import { fileURLToPath } from "node:url";
import { Client, credentials, type ClientDuplexStream, type Metadata, type MethodDefinition } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

/** A length of time as protobuf has it. */
export type Duration = Readonly<{ seconds?: number; nanos?: number }> | null;

export type RecognizeRequest =
  | Readonly<{ recognizer: string; streamingConfig: Readonly<Record<string, unknown>> }>
  | Readonly<{ audio: Uint8Array }>;

export type RecognizedWord = Readonly<{ word?: string; startOffset?: Duration; endOffset?: Duration }>;

export type RecognizeResponse = Readonly<{
  results?: readonly Readonly<{
    alternatives?: readonly Readonly<{ transcript?: string; words?: readonly RecognizedWord[] }>[];
    isFinal?: boolean;
    resultEndOffset?: Duration;
  }>[];
}>;

export type RecognizeCall = ClientDuplexStream<RecognizeRequest, RecognizeResponse>;

/** Tells a channel that was cut off without a word; HTTP/2 pings, in milliseconds. */
const KEEP_ALIVE_MS = 20_000;
const KEEP_ALIVE_ANSWER_MS = 5000;

const SERVICE = "google.cloud.speech.v2.Speech";

/** `StreamingRecognize` as `speech.proto` describes it. */
export const streamingRecognize = (): MethodDefinition<RecognizeRequest, RecognizeResponse> => {
  const definition = loadSync(fileURLToPath(new URL("speech.proto", import.meta.url)), {
    longs: Number,
    enums: String,
    arrays: true,
  });
  const service = definition[SERVICE] as Readonly<Record<string, unknown>> | undefined;
  return service?.["StreamingRecognize"] as MethodDefinition<RecognizeRequest, RecognizeResponse>;
};

/** A channel to Google, shared by all calls, and what opens one stream of it; `http:` is for machines that are our own. */
export class SpeechChannel {
  readonly #client: Client;
  readonly #method = streamingRecognize();

  constructor(url: URL) {
    const secure = url.protocol === "https:" || url.protocol === "wss:";
    this.#client = new Client(
      url.port === "" ? `${url.hostname}:${secure ? 443 : 80}` : url.host,
      secure ? credentials.createSsl() : credentials.createInsecure(),
      { "grpc.keepalive_time_ms": KEEP_ALIVE_MS, "grpc.keepalive_timeout_ms": KEEP_ALIVE_ANSWER_MS },
    );
  }

  open(metadata: Metadata): RecognizeCall {
    const { path, requestSerialize, responseDeserialize } = this.#method;
    return this.#client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata);
  }

  close(): void {
    this.#client.close();
  }
}
