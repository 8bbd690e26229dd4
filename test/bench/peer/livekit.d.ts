/**
 * The little of `@livekit/agents` 1.9.0 and `@livekit/rtc-node` that the peer uses, so that its program is checked where they are not
 * installed. Where they are, the program is checked against their own types instead (`bring-peer.ts`).
 */
declare module "@livekit/rtc-node" {
  export class AudioFrame {
    constructor(data: Int16Array, sampleRate: number, channels: number, samplesPerChannel: number);
    data: Int16Array;
    sampleRate: number;
    samplesPerChannel: number;
  }
}

declare module "@livekit/agents" {
  import type { EventEmitter } from "node:events";
  import type { ReadableStream, ReadableStreamDefaultReader } from "node:stream/web";
  import type { AudioFrame } from "@livekit/rtc-node";

  type Queue<T> = AsyncIterable<T> & { readonly closed: boolean; put(item: T): void };
  type ConnectOptions = { maxRetry: number; retryIntervalMs: number; timeoutMs: number };
  type Language = string & { readonly language: unique symbol };

  export function initializeLogger(options: { pretty: boolean; level: string }): void;
  export function normalizeLanguage(language: string): Language;

  export enum VADEventType {
    START_OF_SPEECH = 0,
    INFERENCE_DONE = 1,
    END_OF_SPEECH = 2,
  }

  export interface VADEvent {
    type: VADEventType;
    samplesIndex: number;
    timestamp: number;
    speechDuration: number;
    silenceDuration: number;
    frames: AudioFrame[];
    probability: number;
    inferenceDuration: number;
    speaking: boolean;
    rawAccumulatedSilence: number;
    rawAccumulatedSpeech: number;
  }

  export abstract class VAD extends EventEmitter {
    constructor(capabilities: { updateInterval: number });
    abstract label: string;
    abstract stream(): VADStream;
  }

  export abstract class VADStream {
    constructor(vad: VAD);
    protected inputReader: ReadableStreamDefaultReader<AudioFrame | symbol>;
    protected sendVADEvent(event: VADEvent): boolean;
  }

  export namespace stt {
    enum SpeechEventType {
      INTERIM_TRANSCRIPT = 1,
      FINAL_TRANSCRIPT = 2,
    }

    interface SpeechData {
      language: Language;
      text: string;
      startTime: number;
      endTime: number;
      confidence: number;
    }

    interface SpeechEvent {
      type: SpeechEventType;
      alternatives?: [SpeechData, ...SpeechData[]];
    }

    abstract class STT extends EventEmitter {
      constructor(capabilities: { streaming: boolean; interimResults: boolean });
      abstract label: string;
      protected abstract _recognize(): Promise<SpeechEvent>;
      abstract stream(options?: { connOptions?: ConnectOptions }): SpeechStream;
    }

    abstract class SpeechStream {
      constructor(stt: STT, sampleRate?: number, connectionOptions?: ConnectOptions);
      abstract label: string;
      protected input: Queue<AudioFrame | symbol>;
      protected queue: Queue<SpeechEvent>;
      protected abstract run(): Promise<void>;
    }
  }

  export namespace llm {
    interface ChatContext {
      readonly items: readonly object[];
    }

    interface ChatChunk {
      id: string;
      delta?: { role: "assistant"; content?: string };
    }

    type Asked = { chatCtx: ChatContext; connOptions?: ConnectOptions };

    abstract class LLM extends EventEmitter {
      abstract label(): string;
      abstract chat(asked: Asked): LLMStream;
    }

    abstract class LLMStream {
      constructor(llm: LLM, asked: { chatCtx: ChatContext; connOptions: ConnectOptions });
      protected queue: Queue<ChatChunk>;
      protected abortController: AbortController;
      protected abstract run(): Promise<void>;
    }
  }

  export namespace tts {
    interface SynthesizedAudio {
      requestId: string;
      segmentId: string;
      frame: AudioFrame;
      final: boolean;
    }

    abstract class TTS extends EventEmitter {
      constructor(sampleRate: number, numChannels: number, capabilities: { streaming: boolean });
      abstract label: string;
      abstract synthesize(text: string, connOptions?: ConnectOptions, abortSignal?: AbortSignal): ChunkedStream;
      abstract stream(): SynthesizeStream;
    }

    abstract class SynthesizeStream {
      abstract label: string;
    }

    abstract class ChunkedStream {
      constructor(text: string, tts: TTS, connOptions?: ConnectOptions, abortSignal?: AbortSignal);
      abstract label: string;
      protected queue: Queue<SynthesizedAudio>;
      get abortSignal(): AbortSignal;
      protected abstract run(): Promise<void>;
    }
  }

  export namespace voice {
    abstract class AudioInput {
      protected multiStream: { addInputStream(source: ReadableStream<AudioFrame>): string };
    }

    abstract class AudioOutput extends EventEmitter {
      constructor(sampleRate?: number, nextInChain?: AudioOutput, capabilities?: { pause: boolean });
      captureFrame(frame: AudioFrame): Promise<void>;
      get pendingPlayoutSegments(): number;
      onPlaybackStarted(createdAt: number): void;
      onPlaybackFinished(how: { playbackPosition: number; interrupted: boolean }): void;
      flush(): void;
      abstract clearBuffer(): void;
    }

    class Agent {
      constructor(options: { instructions: string });
      get id(): string;
    }

    type SessionOptions = {
      stt: stt.STT;
      llm: llm.LLM;
      tts: tts.TTS;
      vad: VAD;
      turnHandling: {
        turnDetection: "vad";
        endpointing: { mode: "fixed"; minDelay: number; maxDelay: number };
        interruption: { enabled: boolean; mode: "vad"; minDuration: number; resumeFalseInterruption: boolean };
        preemptiveGeneration: { enabled: boolean };
      };
      aecWarmupDuration: number | null;
      userAwayTimeout: number | null;
      useTtsAlignedTranscript: boolean;
    };

    class AgentSession extends EventEmitter {
      constructor(options: SessionOptions);
      readonly input: { audio: AudioInput | null };
      readonly output: { audio: AudioOutput | null };
      start(options: { agent: Agent; record: boolean }): Promise<void>;
      close(): Promise<void>;
    }
  }
}
