import type { DialogueMove } from "../dialogue/dialogue.ts";
import { decodeSamples } from "../audio/convert.ts";
import { Scope } from "../kit/scope.ts";
import type { AudioFormat } from "../model/audio.ts";
import type { CallEnd } from "../model/call-end.ts";
import type { RecordingStream } from "../ports/recorder.ts";
import type { Transport } from "../ports/transport.ts";
import type { CallParts, LanguageEngines } from "./call-parts.ts";
import type { Effect, ReplySource } from "./effects.ts";
import type { CallHappening, Heard } from "./events.ts";
import { Hearing, type Listening } from "./hear.ts";
import { Invocations } from "./invocations.ts";
import { measure } from "./measure.ts";
import { runReply, saying } from "./reply.ts";
import { Speaker } from "./speak.ts";
import type { Timers } from "./timers.ts";

/** The opening is always the first reply of a call. */
const OPENING = 0;

export type PerformerOwner = Readonly<{
  timers: Timers;
  emit(happening: CallHappening): void;
  toCallMs(monotonicMs: number): number;
  end(end: CallEnd): void;
  /** Something of ours or of the line broke that no event tells of. */
  broke(error: unknown): void;
}>;

/** Carries out what `step` asks for. It decides nothing: every branch here is on the kind of an effect. */
export class Performer {
  readonly #parts: CallParts;
  readonly #owner: PerformerOwner;
  readonly #scope = new Scope("call");
  readonly #invocations: Invocations;
  /** What hears and speaks from the next reply on. */
  #engines: LanguageEngines;
  #speaker: Speaker;
  #hearing: Hearing | undefined;
  #reply: Readonly<{ id: number; scope: Scope }> | undefined;
  #recording: RecordingStream | undefined;
  #recordingStartMs = 0;

  constructor(parts: CallParts, owner: PerformerOwner) {
    this.#parts = parts;
    this.#owner = owner;
    this.#engines = parts;
    this.#speaker = this.#newSpeaker(parts.expectedFormat);
    const { clock, invoke, transfer } = parts;
    this.#invocations = new Invocations({ clock, scope: this.#scope, invoke, transfer, emit: owner.emit });
  }

  /** Lets the dialogue and the voice make the opening before anybody answers. */
  prepareOpening(): void {
    this.#startReply(OPENING, (signal) => this.#parts.dialogue.open(signal));
  }

  /** Whether the opening that was prepared can be played on a line of this format; else it is made anew. */
  fits({ encoding, sampleRate }: AudioFormat): boolean {
    return encoding === this.#speaker.format.encoding && sampleRate === this.#speaker.format.sampleRate;
  }

  attach(line: Transport, recording: RecordingStream | undefined): void {
    if (!this.fits(line.format)) {
      // The line speaks another format than its carrier usually does: what was prepared does not fit and is made anew.
      this.#cancelReply();
      this.#speaker.close();
      this.#speaker = this.#newSpeaker(line.format);
      this.prepareOpening();
    }
    this.#recording = recording;
    this.#recordingStartMs = this.#parts.clock.monotonic();
    const hearing = this.#newHearing(line.format);
    this.#hearing = hearing;
    line.listen({
      frame: (frame) => {
        hearing.frame(frame);
      },
      digit: (digit) => {
        this.#owner.emit({ type: "digit", digit });
      },
      mark: (name) => {
        this.#speaker.marked(name);
      },
      gone: (why) => {
        this.#owner.emit({ type: "line-gone", why });
      },
    });
    hearing.open();
    this.#speaker.attach(line);
    this.#engines.synthesizer.warm?.(this.#engines.voice, line.format);
    this.#parts.warmModel?.();
  }

  heard(): Heard | undefined {
    const heard = this.#speaker.heard();
    return heard === undefined ? undefined : { ...heard, endMs: this.#owner.toCallMs(heard.endMs) };
  }

  voicedUntilMs(): number | undefined {
    return this.#hearing?.voicedUntilMs;
  }

  perform(effect: Effect): void {
    const { journal, metrics } = this.#parts;
    switch (effect.type) {
      case "set-timer":
        this.#owner.timers.set(effect.name, effect.ms);
        break;
      case "cancel-timer":
        this.#owner.timers.cancel(effect.name);
        break;
      case "start-reply":
        this.#begin(effect.reply, effect.source);
        if (effect.held === true) this.#speaker.pause();
        break;
      case "cancel-reply":
        if (this.#reply?.id === effect.reply) this.#cancelReply();
        break;
      case "pause-playback":
        this.#speaker.pause();
        break;
      case "resume-playback":
        this.#speaker.resume();
        break;
      case "finalize":
        this.#hearing?.finalize();
        break;
      case "end-turn":
        this.#hearing?.endTurn();
        break;
      case "reopen-hearing":
        this.#hearing?.reopen();
        break;
      case "invoke":
        void this.#invocations.run(effect.reply, effect.call);
        break;
      case "transfer":
        void this.#invocations.transfer(effect);
        break;
      case "switch-language":
        this.#switchLanguage(effect.language);
        break;
      case "write":
        journal.transcript(effect.index, effect.entry);
        break;
      case "show-interim":
        journal.interim(effect.text);
        break;
      case "record-turn":
        measure(metrics, effect.turn);
        journal.turn(effect.turn);
        break;
      case "count-barge-in":
        metrics.bargeIn(effect.decision);
        break;
      case "end":
        this.#owner.end(effect.end);
        break;
    }
  }

  async close(): Promise<void> {
    this.#cancelReply();
    this.#hearing?.close();
    this.#hearing = undefined;
    this.#speaker.close();
    await this.#scope.close();
  }

  #begin(reply: number, source: ReplySource): void {
    switch (source.type) {
      case "opening":
        // It is under way since before the answer.
        break;
      case "dialogue":
        this.#startReply(reply, (signal) => this.#parts.dialogue.respond(source.history, signal));
        break;
      case "text":
        this.#startReply(reply, () => saying(source.text));
        break;
    }
  }

  #startReply(id: number, moves: (signal: AbortSignal) => AsyncIterable<DialogueMove>): void {
    this.#cancelReply();
    const { clock, logger, metrics, modelProvider } = this.#parts;
    const { synthesizer, voice } = this.#engines;
    const scope = this.#scope.child(`reply ${id}`);
    const { signal } = scope;
    this.#reply = { id, scope };
    this.#speaker.begin(id);
    const running = runReply({
      reply: id,
      moves: moves(signal),
      signal,
      clock,
      language: voice.language,
      synthesizer,
      voice,
      speaker: this.#speaker,
      logger,
      metrics,
      modelProvider,
      emit: (happening) => {
        this.#owner.emit(happening);
      },
    });
    void running.then(() => scope.close());
  }

  /** Model, voice and playback stop together; the loudspeaker first, because that is what the caller hears. */
  #cancelReply(): void {
    const reply = this.#reply;
    if (reply === undefined) return;
    this.#reply = undefined;
    this.#speaker.cancel(reply.id);
    void reply.scope.close();
  }

  #newSpeaker(format: AudioFormat): Speaker {
    const { clock, pacer, leadMs, volumeDb } = this.#parts;
    const { emit, toCallMs } = this.#owner;
    return new Speaker(format, {
      clock,
      pacer,
      leadMs,
      volumeDb,
      listener: {
        started: (reply, atMs) => {
          emit({ type: "reply-stage", reply, stage: "sent" });
          emit({ type: "playback-started", reply, startMs: toCallMs(atMs) });
        },
        acknowledged: (reply, atMs) => {
          emit({ type: "reply-stage", reply, stage: "acknowledged", atMs: toCallMs(atMs) });
        },
        progress: (reply) => {
          emit({ type: "playback-progress", reply });
        },
        drained: (reply) => {
          emit({ type: "playback-drained", reply });
        },
        records: () => this.#recording !== undefined,
        played: (payload, atMs) => {
          this.#record("agent", decodeSamples(format.encoding, payload), atMs);
        },
        failed: this.#owner.broke,
      },
    });
  }

  #newHearing(format: AudioFormat): Hearing {
    const { vad, logger, metrics } = this.#parts;
    const { emit, toCallMs } = this.#owner;
    return new Hearing(format, {
      ...this.#parts,
      listening: this.#listening(format),
      toCallMs,
      emit: (happening) => {
        if (happening.type === "speech-started") this.#parts.warmModel?.();
        emit(happening);
      },
      failed: (part, error) => {
        const provider = part === "vad" ? vad.name : this.#engines.transcriber.name;
        logger.warn("hearing failed", { part, provider, error });
        metrics.providerError(part, provider);
      },
      heard: (samples, atMs) => {
        this.#record("caller", samples, atMs);
      },
    });
  }

  #listening(lineFormat: AudioFormat): Listening {
    const { transcriber, voice } = this.#engines;
    return { transcriber, hints: { language: voice.language, keywords: this.#parts.keywords, lineFormat } };
  }

  /** What is being said is said to its end as it began. */
  #switchLanguage(language: string): void {
    const engines = this.#parts.languages?.get(language);
    if (engines === undefined || engines === this.#engines) return;
    this.#engines = engines;
    this.#hearing?.listenWith(this.#listening(this.#speaker.format));
  }

  #record(side: "caller" | "agent", samples: Int16Array, atMs: number): void {
    this.#recording?.write(side, samples, Math.max(0, atMs - this.#recordingStartMs));
  }
}
