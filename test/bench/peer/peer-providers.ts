import { llm, normalizeLanguage, stt, tts } from "@livekit/agents";
import { AudioFrame } from "@livekit/rtc-node";
import { scriptedModel } from "../../../src/app/bench-engine/scripted-model.ts";
import { scriptedTranscriber, type ScriptedParts } from "../../../src/app/bench-engine/scripted-transcriber.ts";
import { scriptedVoice } from "../../../src/app/bench-engine/scripted-voice.ts";
import type { TranscriptEvent } from "../../../src/ports/transcriber.ts";
import { Windows } from "./windows.ts";

type Connecting = NonNullable<Parameters<stt.STT["stream"]>[0]>["connOptions"];

const FRAME_MS = 20;
const LANGUAGE = normalizeLanguage("en");
const NAME = "bench";

/** The engine's scripted transcriber, in the peer's clothes. The peer's own resampler brings the line to its rate. */
export class PeerTranscriber extends stt.STT {
  label = NAME;
  readonly #parts: ScriptedParts;

  constructor(parts: ScriptedParts) {
    super({ streaming: true, interimResults: true });
    this.#parts = parts;
  }

  override stream(options?: { connOptions?: Connecting }): stt.SpeechStream {
    return new Hearing(this, this.#parts, options?.connOptions);
  }

  protected override async _recognize(): Promise<stt.SpeechEvent> {
    throw new Error("The scripted transcriber hears streams only.");
  }
}

class Hearing extends stt.SpeechStream {
  label = NAME;
  readonly #parts: ScriptedParts;

  constructor(transcriber: stt.STT, parts: ScriptedParts, connecting: Connecting) {
    super(transcriber, parts.scenario.sttRate, connecting);
    this.#parts = parts;
  }

  protected override async run(): Promise<void> {
    const { sttRate } = this.#parts.scenario;
    const hearing = scriptedTranscriber(NAME, this.#parts).open(
      { language: "en", keywords: [], lineFormat: { encoding: "linear16", sampleRate: sttRate } },
      { transcript: (event) => this.#tell(event), flushed: nothing, failed: nothing },
    );
    const windows = new Windows((sttRate * FRAME_MS) / 1000, (bytes) => hearing.push(bytes));
    try {
      for await (const frame of this.input) if (typeof frame !== "symbol") windows.push(frame.data);
    } finally {
      hearing.close();
    }
  }

  #tell({ text, final, startMs, endMs }: TranscriptEvent): void {
    const type = final ? stt.SpeechEventType.FINAL_TRANSCRIPT : stt.SpeechEventType.INTERIM_TRANSCRIPT;
    const [startTime, endTime] = [startMs / 1000, endMs / 1000];
    this.queue.put({ type, alternatives: [{ language: LANGUAGE, text, startTime, endTime, confidence: 1 }] });
  }
}

/** The engine's scripted model, in the peer's clothes. */
export class PeerModel extends llm.LLM {
  readonly #parts: ScriptedParts;

  constructor(parts: ScriptedParts) {
    super();
    this.#parts = parts;
  }

  override label(): string {
    return NAME;
  }

  override chat({ chatCtx, connOptions }: Parameters<llm.LLM["chat"]>[0]): llm.LLMStream {
    return new Words(this, this.#parts, { chatCtx, connOptions: connOptions ?? NO_RETRIES });
  }
}

const NO_RETRIES = { maxRetry: 0, retryIntervalMs: 0, timeoutMs: 60_000 };

class Words extends llm.LLMStream {
  readonly #parts: ScriptedParts;

  constructor(model: llm.LLM, parts: ScriptedParts, asked: ConstructorParameters<typeof llm.LLMStream>[1]) {
    super(model, asked);
    this.#parts = parts;
  }

  protected override async run(): Promise<void> {
    const { signal } = this.abortController;
    const request = { model: NAME, messages: [], tools: [], options: {} };
    await untilAborted(signal, async () => {
      for await (const event of scriptedModel(NAME, this.#parts).generate(request, signal))
        if (event.type === "text") this.queue.put({ id: NAME, delta: { role: "assistant", content: event.text } });
    });
  }
}

/** The engine's scripted voice, in the peer's clothes. It takes whole sentences, which the peer's own tokenizer cuts. */
export class PeerVoice extends tts.TTS {
  label = NAME;
  readonly #parts: ScriptedParts;

  constructor(parts: ScriptedParts) {
    super(parts.scenario.ttsRate, 1, { streaming: false });
    this.#parts = parts;
  }

  override synthesize(text: string, connecting?: Connecting, signal?: AbortSignal): tts.ChunkedStream {
    return new Spoken(text, this, this.#parts, connecting, signal);
  }

  override stream(): tts.SynthesizeStream {
    throw new Error("The scripted voice speaks sentence by sentence.");
  }
}

class Spoken extends tts.ChunkedStream {
  label = NAME;
  readonly #text: string;
  readonly #parts: ScriptedParts;

  constructor(text: string, voice: tts.TTS, parts: ScriptedParts, connecting?: Connecting, signal?: AbortSignal) {
    super(text, voice, connecting, signal);
    this.#text = text;
    this.#parts = parts;
  }

  protected override async run(): Promise<void> {
    const rate = this.#parts.scenario.ttsRate;
    const format = { encoding: "linear16", sampleRate: rate } as const;
    const settings = { voiceId: NAME, language: "en", options: {} };
    await untilAborted(this.abortSignal, async () => {
      const sound = scriptedVoice(NAME, this.#parts).synthesize(one(this.#text), settings, format, this.abortSignal);
      for await (const { audio, endOfPiece } of sound) {
        const samples = new Int16Array(audio.buffer, audio.byteOffset, audio.byteLength / 2);
        const frame = new AudioFrame(samples, rate, 1, samples.length);
        if (this.queue.closed) return;
        this.queue.put({ requestId: NAME, segmentId: NAME, frame, final: endOfPiece === true });
      }
    });
  }
}

/** What is given up is no failure: the peer would count it as one of the provider's. */
const untilAborted = async (signal: AbortSignal, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};

async function* one<T>(value: T): AsyncGenerator<T> {
  yield value;
}

const nothing = (): void => undefined;
