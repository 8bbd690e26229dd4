import { ReadableStream, type ReadableStreamDefaultController } from "node:stream/web";
import { voice } from "@livekit/agents";
import { AudioFrame } from "@livekit/rtc-node";
import { LINE_RATE, type TwilioLine } from "./twilio-line.ts";

/** The caller's sound, as the session wants it. */
export class LineInput extends voice.AudioInput {
  #into: ReadableStreamDefaultController<AudioFrame> | undefined;

  constructor() {
    super();
    const sound = new ReadableStream<AudioFrame>({
      start: (controller) => {
        this.#into = controller;
      },
    });
    this.multiStream.addInputStream(sound);
  }

  hear(samples: Int16Array): void {
    this.#into?.enqueue(new AudioFrame(samples, LINE_RATE, 1, samples.length));
  }

  end(): void {
    this.#into?.close();
    this.#into = undefined;
  }
}

/** The session's sound, on its way to the caller. The session brings it to the line's rate by its own resampler. */
export class LineOutput extends voice.AudioOutput {
  readonly #line: TwilioLine;
  #open = false;
  /** The utterance was stopped, and what still comes of it is thrown away. */
  #stopped = false;

  constructor(line: TwilioLine) {
    // An interruption stops the sound; it is not held back in case it was none.
    super(LINE_RATE, undefined, { pause: false });
    this.#line = line;
  }

  override async captureFrame(frame: AudioFrame): Promise<void> {
    if (this.#stopped) return;
    const counted = super.captureFrame(frame);
    this.#line.say(frame.data);
    if (!this.#open) this.onPlaybackStarted(Date.now());
    this.#open = true;
    await counted;
  }

  override flush(): void {
    super.flush();
    if (this.#open)
      this.#line.end((ms) => this.onPlaybackFinished({ playbackPosition: ms / 1000, interrupted: false }));
    this.#open = false;
    this.#stopped = false;
  }

  override clearBuffer(): void {
    if (this.pendingPlayoutSegments === 0) return;
    this.#stopped = this.#open;
    this.#open = false;
    const heardMs = this.#line.clear();
    this.onPlaybackFinished({ playbackPosition: heardMs / 1000, interrupted: true });
  }
}
