import { VAD, VADEventType, VADStream } from "@livekit/agents";
import type { AudioFrame } from "@livekit/rtc-node";
import type { Scenario } from "../../../src/app/bench-engine/scenario.ts";

const FRAME_MS = 20;

/** Takes for speech what is louder than the scenario's threshold, as the engine and the floor do in a measurement. */
export class PeerDetector extends VAD {
  label = "bench";
  readonly #scenario: Scenario;

  constructor(scenario: Scenario) {
    super({ updateInterval: FRAME_MS });
    this.#scenario = scenario;
  }

  override stream(): VADStream {
    return new LoudStream(this, this.#scenario);
  }
}

class LoudStream extends VADStream {
  readonly #scenario: Scenario;
  #samples = 0;
  #atMs = 0;
  #speaking = false;
  #loudMs = 0;
  #quietMs = 0;
  #speechMs = 0;

  constructor(detector: VAD, scenario: Scenario) {
    super(detector);
    this.#scenario = scenario;
    void this.#listen();
  }

  async #listen(): Promise<void> {
    for (;;) {
      const { done, value } = await this.inputReader.read();
      if (done) return;
      if (typeof value === "symbol") this.#forget();
      else this.#judge(value);
    }
  }

  #judge(frame: AudioFrame): void {
    const ms = (frame.samplesPerChannel / frame.sampleRate) * 1000;
    const loud = this.#isLoud(frame.data);
    this.#samples += frame.samplesPerChannel;
    this.#atMs += ms;
    this.#loudMs = loud ? this.#loudMs + ms : 0;
    this.#quietMs = loud ? 0 : this.#quietMs + ms;
    const { vadStartMs, vadStopMs } = this.#scenario;
    if (this.#speaking) this.#speechMs += ms;
    else if (this.#loudMs >= vadStartMs) {
      this.#speaking = true;
      this.#speechMs = this.#loudMs;
      this.#tell(VADEventType.START_OF_SPEECH, frame);
    }
    this.#tell(VADEventType.INFERENCE_DONE, frame);
    if (!this.#speaking || this.#quietMs < vadStopMs) return;
    this.#speaking = false;
    this.#tell(VADEventType.END_OF_SPEECH, frame);
    this.#speechMs = 0;
  }

  #isLoud(samples: Int16Array): boolean {
    let sum = 0;
    for (const sample of samples) sum += Math.abs(sample);
    return sum / samples.length > this.#scenario.energyThreshold;
  }

  #tell(type: VADEventType, frame: AudioFrame): void {
    this.sendVADEvent({
      type,
      samplesIndex: this.#samples,
      timestamp: this.#atMs,
      speechDuration: this.#speechMs,
      silenceDuration: this.#quietMs,
      frames: [frame],
      probability: this.#quietMs === 0 ? 1 : 0,
      inferenceDuration: 0,
      speaking: this.#speaking,
      rawAccumulatedSilence: this.#quietMs,
      rawAccumulatedSpeech: this.#loudMs,
    });
  }

  #forget(): void {
    this.#speaking = false;
    this.#loudMs = 0;
    this.#quietMs = 0;
    this.#speechMs = 0;
  }
}
