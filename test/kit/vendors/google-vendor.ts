import { Server, status, type ServerDuplexStream } from "@grpc/grpc-js";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import {
  streamingRecognize,
  type RecognizeRequest,
  type RecognizeResponse,
} from "../../../src/adapters/transcriber/google/recognize.ts";
import { KEY } from "./deepgram-vendors.ts";
import { CODE_OF, startVendor } from "./grpc-vendor.ts";
import { ByteEars, type HeardWord } from "./spoken-bytes.ts";
import { VendorRecord, type Fault, type ScriptedVendor } from "./scripted-vendor.ts";

type Call = ServerDuplexStream<RecognizeRequest, RecognizeResponse>;
type Config = Readonly<{
  config: Readonly<{
    explicitDecodingConfig: Readonly<{ encoding: string; sampleRateHertz: number }>;
    languageCodes: readonly string[];
    adaptation?: Readonly<{
      phraseSets: readonly Readonly<{
        inlinePhraseSet: Readonly<{ phrases: readonly Readonly<{ value: string }>[] }>;
      }>[];
    }>;
  }>;
}>;

const clock = new SystemClock();

const durationOf = (ms: number) => ({ seconds: Math.floor(ms / 1000), nanos: Math.round((ms % 1000) * 1_000_000) });

/** `StreamingRecognize` of Google: interim results as words come, the final one when the stream is closed by its client. */
export const serveGoogle = async (script: readonly Fault[] = []): Promise<ScriptedVendor> => {
  const record = new VendorRecord(script);
  const server = new Server();
  const method = streamingRecognize();
  server.addService(
    { StreamingRecognize: method },
    {
      StreamingRecognize: (call: Call) => {
        recognize(call, record);
      },
    },
  );
  return startVendor(server, "http", record);
};

const recognize = (call: Call, record: VendorRecord): void => {
  const fault = record.next();
  const ears = new ByteEars();
  let told = 0;
  const fail = (code: number) => {
    call.emit("error", { code, details: "no" });
  };
  if (fault?.type === "refused") {
    fail(CODE_OF[fault.status]);
    return;
  }
  if (call.metadata.get("x-goog-api-key")[0] !== KEY) {
    fail(status.UNAUTHENTICATED);
    return;
  }
  record.live += 1;
  let gone = false;
  const leave = () => {
    if (!gone) record.live -= 1;
    gone = true;
    record.tell();
  };
  const say = (response: RecognizeResponse, after?: () => void) => {
    if (fault?.type === "stalls") return;
    const now = () => {
      if (!call.cancelled) call.write(response);
      after?.();
    };
    if (fault?.type === "slow") clock.setTimer(fault.byMs, now);
    else now();
  };
  const resultOf = (words: readonly HeardWord[], isFinal: boolean): RecognizeResponse => ({
    results: [
      {
        alternatives: [
          {
            transcript: words.map(({ text }) => text).join(" "),
            words: isFinal
              ? words.map(({ text, startMs, endMs }) => ({
                  word: text,
                  startOffset: durationOf(startMs),
                  endOffset: durationOf(endMs),
                }))
              : [],
          },
        ],
        isFinal,
        resultEndOffset: durationOf(ears.heardMs),
      },
    ],
  });
  call.on("cancelled", leave);
  call.on("data", (request: RecognizeRequest) => {
    if (gone) return;
    if ("streamingConfig" in request) {
      const { config } = request.streamingConfig as unknown as Config;
      const { encoding, sampleRateHertz } = config.explicitDecodingConfig;
      record.opened.push({
        keywords: (config.adaptation?.phraseSets ?? []).flatMap(({ inlinePhraseSet }) =>
          inlinePhraseSet.phrases.map(({ value }) => value),
        ),
        language: config.languageCodes[0] ?? "",
        encoding: encoding.toLowerCase(),
        sampleRate: sampleRateHertz,
      });
      if (!/^projects\/[^/]+\/locations\/[^/]+\/recognizers\/_$/u.test(request.recognizer))
        record.mistakes.push(`recognizer ${request.recognizer}`);
      return;
    }
    if (!("audio" in request)) return;
    if (request.audio.length > 15 * 1024) record.mistakes.push("a request of more than 15 KB");
    ears.feed(request.audio);
    if (fault?.type === "garbage") fail(status.INTERNAL);
    else if (fault?.type === "drops" && ears.heardMs >= fault.afterMs) fail(status.UNAVAILABLE);
    else if (fault?.type === "half-closes" && ears.words.length > 0) {
      // Without a word before it, this would be how silence ends.
      say(resultOf(ears.words, false));
      call.end();
    } else if (fault?.type === "closes" && ears.heardMs >= fault.afterMs) fail(status.ABORTED);
    else {
      if (ears.words.length > told) say(resultOf(ears.words, false));
      told = ears.words.length;
      record.tell();
      return;
    }
    leave();
  });
  call.on("end", () => {
    if (gone) return;
    record.finals += 1;
    ears.feed(Uint8Array.of(0xff));
    if (ears.words.length > 0) say(resultOf(ears.words, true), () => call.end());
    else if (fault?.type !== "stalls") call.end();
    if (fault?.type !== "stalls") leave();
  });
};
