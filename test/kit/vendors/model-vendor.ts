import {
  Server,
  status,
  type ServerDuplexStream,
  type ServerWritableStream,
  type ServiceDefinition,
} from "@grpc/grpc-js";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import type { DescribeResponse } from "../../../src/grpc/generated/callengine/models/v1/DescribeResponse.ts";
import type { TranscribeRequest__Output } from "../../../src/grpc/generated/callengine/models/v1/TranscribeRequest.ts";
import type { TranscribeResponse } from "../../../src/grpc/generated/callengine/models/v1/TranscribeResponse.ts";
import { healthProtocol, modelServerProtocol } from "../../../src/grpc/protocols.ts";
import { ByteEars } from "./spoken-bytes.ts";
import { KEY } from "./deepgram-vendors.ts";
import { CODE_OF, startVendor } from "./grpc-vendor.ts";
import { VendorRecord, type Fault, type ScriptedVendor } from "./scripted-vendor.ts";

type Transcribing = ServerDuplexStream<TranscribeRequest__Output, TranscribeResponse>;
type Stream = Transcribing | ServerWritableStream<unknown, unknown>;

const clock = new SystemClock();

/** What is written in place of a message where a server sends what is not of the protocol. */
const GARBAGE = Buffer.from("<html>502 Bad Gateway</html>");

const MULAW = { encoding: "ENCODING_MULAW", sampleRate: 8000 } as const;

const OFFERS: DescribeResponse = {
  name: "scripted",
  transcriber: { languages: ["en"], formats: [MULAW], finalMs: 20 },
  synthesizer: { languages: ["en"], voices: [{ id: "v", name: "V" }], formats: [MULAW], firstAudioDeadlineMs: 500 },
  turnDetector: { windowMs: 2000 },
  generator: { models: [{ id: "m", name: "M" }] },
};

/**
 * A model server that hears `spoken-bytes.ts`, says and writes its texts back, and judges by the first sample; with faults for its first
 * streams. What it offers is told to everybody, as a server does whose token was changed while its clients ran.
 */
export const serveModelVendor = async (script: readonly Fault[] = []): Promise<ScriptedVendor> => {
  const record = new VendorRecord(script);
  const server = new Server();
  server.addService(withGarbage(modelServerProtocol().service), {
    Describe: (_: unknown, answer: (error: null, offers: DescribeResponse) => void) => {
      answer(null, OFFERS);
    },
    Transcribe: (call: Transcribing) => {
      const stream = begin(call, record);
      if (stream !== undefined) transcribe(call, stream, record);
    },
    ...answers(record),
  });
  server.addService(healthProtocol().service, {
    Check: (_: unknown, answer: (error: null, health: object) => void) => {
      answer(null, { status: "SERVING" });
    },
  });
  return startVendor(server, "grpc", record);
};

/** The service, whose streams write bytes as they are. */
const withGarbage = (service: ServiceDefinition): ServiceDefinition =>
  Object.fromEntries(
    Object.entries(service).map(([name, method]) => {
      const { responseSerialize } = method;
      const serialize = (value: unknown) => (Buffer.isBuffer(value) ? value : responseSerialize(value));
      return [name, { ...method, responseSerialize: serialize }];
    }),
  );

type Begun = Readonly<{
  fault: Fault | undefined;
  /** Writes a message, as late as the fault has it. */
  say(message: object): void;
  /** Ends the stream in good order. */
  end(): void;
  fail(code: number): void;
  isOver(): boolean;
}>;

/** Admits a stream or refuses it. */
const begin = (call: Stream, record: VendorRecord): Begun | undefined => {
  const fault = record.next();
  const fail = (code: number) => {
    call.emit("error", { code, details: "no" });
  };
  if (fault?.type === "refused" || call.metadata.get("authorization")[0] !== `Bearer ${KEY}`) {
    fail(CODE_OF[fault?.type === "refused" ? fault.status : 401]);
    return undefined;
  }
  record.live += 1;
  let over = false;
  const leave = () => {
    if (!over) record.live -= 1;
    over = true;
    record.tell();
  };
  call.on("cancelled", leave);
  const late = (act: () => void) => {
    if (fault?.type === "slow") clock.setTimer(fault.byMs, act);
    else act();
  };
  return {
    fault,
    say: (message) => {
      if (fault?.type === "stalls") return;
      late(() => {
        if (!call.cancelled) call.write(message);
      });
    },
    end: () => {
      if (fault?.type === "stalls") return;
      late(() => {
        call.end();
        leave();
      });
    },
    fail: (code) => {
      fail(code);
      leave();
    },
    isOver: () => over,
  };
};

const transcribe = (call: Transcribing, { fault, say, end, fail, isOver }: Begun, record: VendorRecord): void => {
  const ears = new ByteEars();
  let utterance = 1;
  let fromMs = 0;
  let told = 0;
  const tell = (final: boolean) => {
    const words = ears.words.filter(({ startMs }) => startMs >= fromMs);
    told = ears.words.length;
    if (words.length === 0) return;
    const [startMs, endMs] = [words[0]?.startMs ?? 0, words.at(-1)?.endMs ?? 0];
    const text = words.map((word) => word.text).join(" ");
    say({ transcript: { utterance, text, final, startMs, endMs, words } });
  };
  call.on("data", ({ open, audio, finalize, endTurn }: TranscribeRequest__Output) => {
    if (isOver()) return;
    if (open) {
      const { language, keywords, format } = open;
      const encoding = format?.encoding === "ENCODING_MULAW" ? "mulaw" : String(format?.encoding);
      record.opened.push({ keywords, language, encoding, sampleRate: format?.sampleRate ?? 0 });
    }
    if (audio !== undefined && audio.length > 0) {
      ears.feed(audio);
      if (fault?.type === "garbage") call.write(GARBAGE as object);
      else if (fault?.type === "drops" && ears.heardMs >= fault.afterMs) fail(status.UNAVAILABLE);
      else if (fault?.type === "closes" && ears.heardMs >= fault.afterMs) fail(status.ABORTED);
      else if (fault?.type === "half-closes" && ears.heardMs >= fault.afterMs) end();
      else if (ears.words.length > told) tell(false);
    }
    if (finalize) {
      record.finals += 1;
      tell(true);
      say({ flushed: {} });
    }
    if (endTurn) {
      utterance += 1;
      fromMs = ears.heardMs;
    }
    record.tell();
  });
  call.on("end", end);
};

/** The methods that answer texts and sounds. */
const answers = (record: VendorRecord) => {
  const answer = (call: Stream, messages: readonly object[]): void => {
    const stream = begin(call, record);
    if (stream === undefined) return;
    const { fault, say, end, fail } = stream;
    const [first, ...rest] = messages;
    if (fault?.type === "garbage") call.write(GARBAGE as object);
    else if (fault?.type === "drops" && fault.afterMs === 0) fail(status.UNAVAILABLE);
    else {
      if (first !== undefined) say(first);
      if (fault?.type === "drops") setImmediate(() => fail(status.UNAVAILABLE));
      else if (fault?.type === "half-closes") end();
      else {
        for (const message of rest) say(message);
        end();
      }
    }
  };
  const whole = (call: Stream, answerTo: (requests: readonly Request[]) => readonly object[]) => {
    const requests: Request[] = [];
    const duplex = call as unknown as ServerDuplexStream<Request, object>;
    duplex.on("data", (request) => requests.push(request));
    duplex.on("end", () => {
      answer(call, answerTo(requests));
    });
  };
  return {
    Synthesize: (call: Stream) => {
      whole(call, (requests) =>
        requests.flatMap(({ piece = "" }) =>
          piece === "" ? [] : [{ audio: Buffer.from(piece) }, { audio: Buffer.alloc(0), endOfPiece: true }],
        ),
      );
    },
    DetectTurn: (call: Stream) => {
      whole(call, (requests) => [{ probability: (requests[0]?.audio?.[0] ?? 0) / 100 }]);
    },
    Generate: (call: ServerWritableStream<Asked, unknown>) => {
      const words = call.request.messages.at(-1)?.text.split(" ") ?? [];
      answer(call, [...words.map((text) => ({ text })), { done: { inputTokens: 7, outputTokens: 3 } }]);
    },
  };
};

type Request = Readonly<{ piece?: string; audio?: Uint8Array }>;
type Asked = Readonly<{ messages: readonly Readonly<{ text: string }>[] }>;
