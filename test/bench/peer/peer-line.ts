import { ReadableStream, type ReadableStreamDefaultController } from "node:stream/web";
import { voice } from "@livekit/agents";
import { AudioFrame } from "@livekit/rtc-node";
import { HalfbandDown, HalfbandUp } from "../../../src/audio/halfband.ts";
import { LINE_RATE, type TwilioLine } from "./twilio-line.ts";

/** The caller's sound, as the session wants it: at the line's rate, or doubled by our own filter. */
export class LineInput extends voice.AudioInput {
  readonly #doubler: HalfbandUp | undefined;
  #into: ReadableStreamDefaultController<AudioFrame> | undefined;

  constructor(doubled: boolean) {
    super();
    this.#doubler = doubled ? new HalfbandUp() : undefined;
    const sound = new ReadableStream<AudioFrame>({
      start: (controller) => {
        this.#into = controller;
      },
    });
    this.multiStream.addInputStream(sound);
  }

  hear(samples: Int16Array): void {
    const sound = this.#doubler?.process(samples) ?? samples;
    const rate = this.#doubler === undefined ? LINE_RATE : 2 * LINE_RATE;
    this.#into?.enqueue(new AudioFrame(sound, rate, 1, sound.length));
  }

  end(): void {
    this.#into?.close();
    this.#into = undefined;
  }
}

/** The session's sound, on its way to the caller: brought to the line's rate by the session's resampler, or halved by our own filter. */
export class LineOutput extends voice.AudioOutput {
  readonly #line: TwilioLine;
  readonly #halver: HalfbandDown | undefined;
  #open = false;
  /** The utterance was stopped, and what still comes of it is thrown away. */
  #stopped = false;

  constructor(line: TwilioLine, halved: boolean) {
    // An interruption stops the sound; it is not held back in case it was none.
    super(halved ? 2 * LINE_RATE : LINE_RATE, undefined, { pause: false });
    this.#line = line;
    this.#halver = halved ? new HalfbandDown() : undefined;
  }

  override async captureFrame(frame: AudioFrame): Promise<void> {
    if (this.#stopped) return;
    const counted = super.captureFrame(frame);
    this.#line.say(this.#halver?.process(frame.data) ?? frame.data);
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
