import { voice } from "@livekit/agents";
import type { EventLog } from "../../../src/app/bench-engine/event-log.ts";
import type { Scenario } from "../../../src/app/bench-engine/scenario.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { PeerDetector } from "./peer-detector.ts";
import { LineInput, LineOutput } from "./peer-line.ts";
import { PeerModel, PeerTranscriber, PeerVoice } from "./peer-providers.ts";
import { readMessage, TwilioLine } from "./twilio-line.ts";

export type PeerParts = Readonly<{
  clock: Clock;
  /** The clock that events are noted by, in milliseconds. */
  now(): number;
  scenario: Scenario;
  log: EventLog;
  /** The peer's own default: words are aligned with the sound that says them. */
  aligned: boolean;
  /** Rates are doubled and halved by the engine's filters in place of the peer's own resampler. */
  ourFilters: boolean;
}>;

/** One call held by the peer: a session without a room, between our line and our scripted providers. */
export class PeerCall {
  readonly #parts: PeerParts;
  readonly #send: (text: string) => void;
  readonly #input: LineInput;
  #line: TwilioLine | undefined;
  #session: voice.AgentSession | undefined;

  constructor(parts: PeerParts, send: (text: string) => void) {
    this.#parts = parts;
    this.#send = send;
    this.#input = new LineInput(parts.ourFilters);
  }

  async read(text: string): Promise<void> {
    const message = readMessage(text);
    if (message?.event === "media") this.#input.hear(message.samples);
    else if (message !== undefined && this.#session === undefined)
      await this.#begin(message.callId, new TwilioLine(message.streamId, this.#send, this.#parts.now));
  }

  /** Sends what is due. */
  pace(now: number): void {
    this.#line?.pace(now);
  }

  async close(): Promise<void> {
    this.#line = undefined;
    this.#input.end();
    await this.#session?.close();
  }

  async #begin(callId: string, line: TwilioLine): Promise<void> {
    const { clock, now, scenario, log, aligned, ourFilters } = this.#parts;
    const scripted = { clock, now, scenario, note: log.of(callId) };
    const waitMs = Math.max(scenario.endpointMs, scenario.vadStopMs);
    const session = new voice.AgentSession({
      stt: new PeerTranscriber(scripted),
      llm: new PeerModel(scripted),
      tts: new PeerVoice(scripted),
      vad: new PeerDetector(scenario),
      turnHandling: {
        turnDetection: "vad",
        endpointing: { mode: "fixed", minDelay: waitMs, maxDelay: waitMs },
        interruption: {
          enabled: true,
          mode: "vad",
          minDuration: scenario.vadStartMs,
          resumeFalseInterruption: false,
        },
        // As in the engine: an answer is begun when the turn is over, or what the model took could not be subtracted.
        preemptiveGeneration: { enabled: false },
      },
      // Else nobody could interrupt its first three seconds.
      aecWarmupDuration: null,
      userAwayTimeout: null,
      useTtsAlignedTranscript: aligned,
    });
    this.#line = line;
    this.#session = session;
    session.input.audio = this.#input;
    session.output.audio = new LineOutput(line, ourFilters);
    await session.start({ agent: new voice.Agent({ instructions: "Answer the caller." }), record: false });
  }
}
