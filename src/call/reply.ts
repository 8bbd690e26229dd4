import { Converter, encodeSamples } from "../audio/convert.ts";
import { keySound } from "../audio/dtmf.ts";
import { ClauseSplitter } from "../dialogue/clauses.ts";
import type { DialogueMove } from "../dialogue/dialogue.ts";
import { PRESS_DIGITS } from "../dialogue/functions.ts";
import { toSpeakable } from "../dialogue/speakable.ts";
import { toError } from "../kit/errors.ts";
import { Inbox } from "../kit/inbox.ts";
import { millisecondsOf } from "../model/audio.ts";
import type { Clock } from "../ports/clock.ts";
import type { ToolCall } from "../ports/language-model.ts";
import type { Logger } from "../ports/logger.ts";
import type { Metrics } from "../ports/metrics.ts";
import { ProviderError } from "../ports/provider-error.ts";
import type { SpeechSynthesizer, VoiceSettings, WordTiming } from "../ports/synthesizer.ts";
import type { CallHappening, ReplyStage } from "./events.ts";
import { later } from "./later.ts";
import { patiently } from "./patiently.ts";
import type { Speaker } from "./speak.ts";

export type ReplyJob = Readonly<{
  reply: number;
  moves: AsyncIterable<DialogueMove>;
  signal: AbortSignal;
  clock: Clock;
  language: string;
  synthesizer: SpeechSynthesizer;
  voice: VoiceSettings;
  speaker: Speaker;
  logger: Logger;
  metrics: Metrics;
  /** Whose fault it is when the dialogue fails and does not say whose; absent where several models stand behind each other. */
  modelProvider?: string | undefined;
  emit(happening: CallHappening): void;
}>;

/** A voice that gives no sound for this long while it should is taken for dead, in milliseconds. */
const SILENT_VOICE_MS = 10_000;

/** A dialogue that stops in the middle of an answer for this long has failed, in milliseconds. */
const STALLED_DIALOGUE_MS = 10_000;

/** Pieces of text that may wait for the voice; an answer longer than this is a model gone wild. */
const MAX_PIECES = 2000;

/** What the other side gets to hear next: words for the voice, or keys. */
type Piece = Readonly<{ spoken: string }> | Readonly<{ keys: string }>;

/**
 * Carries one reply from the dialogue through the voice to the speaker: text is cut into pieces that can be spoken as they
 * come, and each piece goes to the voice at once. Everything stops when the signal aborts; failures become events.
 */
export const runReply = async (job: ReplyJob): Promise<void> => {
  const pieces = new Inbox<Piece>(MAX_PIECES);
  const spoken = speakPieces(job, pieces).catch((error: unknown) => {
    failed(job, "synthesizer", error);
  });
  try {
    await readMoves(job, pieces);
  } catch (error) {
    failed(job, "model", error);
  } finally {
    pieces.close();
    await spoken;
  }
};

/** A text that nobody had to think of. */
export async function* saying(text: string): AsyncGenerator<DialogueMove> {
  yield { type: "say", text };
}

const readMoves = async (job: ReplyJob, pieces: Inbox<Piece>): Promise<void> => {
  const { reply, emit } = job;
  const stage = once(job);
  const splitter = new ClauseSplitter();
  const deliver = pieceDelivery(job, pieces, stage);
  const { clock, signal } = job;
  const patience = { clock, signal, what: "the dialogue's next word", ms: STALLED_DIALOGUE_MS, owed: () => true };
  for await (const move of patiently(job.moves, patience)) {
    switch (move.type) {
      case "say":
        stage("first-token");
        emit({ type: "reply-said", reply, text: move.text });
        for (const piece of splitter.push(move.text)) deliver(piece);
        break;
      case "call":
        emit({ type: "reply-called", reply, call: move.call });
        break;
      case "press-digits":
        for (const piece of splitter.flush()) deliver(piece);
        emit({ type: "reply-pressed", reply, call: callOf(move.digits) });
        job.speaker.addPiece(reply, "", []);
        pieces.put({ keys: move.digits });
        break;
      case "move":
        emit({ ...move, type: "reply-moved", reply });
        break;
      case "hang-up":
        emit({ type: "reply-hangs-up", reply, reason: move.reason });
        break;
    }
  }
  if (signal.aborted) return;
  for (const piece of splitter.flush()) deliver(piece);
  emit({ type: "reply-complete", reply });
};

/** Keys as the call of a tool, which is how a model understands what it has done. */
const callOf = (digits: string): ToolCall => {
  const { name } = PRESS_DIGITS;
  return { id: name, name, args: JSON.stringify({ digits }) };
};

/** Hands a piece to the ledger and the voice; text that has no sound (an emoji, a line break) goes along with what follows. */
const pieceDelivery = (job: ReplyJob, pieces: Inbox<Piece>, stage: (stage: ReplyStage) => void) => {
  let silent = "";
  return (piece: string) => {
    const { source, spoken, ends } = toSpeakable(silent + piece, job.language);
    if (spoken.trim() === "") {
      silent += piece;
      return;
    }
    silent = "";
    stage("first-sentence");
    job.speaker.addPiece(job.reply, source, ends);
    pieces.put({ spoken });
  };
};

/** Makes the sound of all pieces in their order: words by the voice, which gets as many of them as follow each other, and keys. */
const speakPieces = async (job: ReplyJob, pieces: Inbox<Piece>): Promise<void> => {
  const { speaker, reply, signal } = job;
  let soundMs = 0;
  const add: AddSound = (payload, words, level) => {
    speaker.addSound(reply, payload, words, level);
    soundMs += millisecondsOf(speaker.format, payload.length);
  };
  const stage = once(job);
  for (let next = await pieces.take(); next !== undefined && !signal.aborted;) {
    if ("keys" in next) {
      await soundKeys(job, next.keys, add);
      next = await pieces.take();
    } else {
      const run = new SpokenRun(pieces);
      await speakRun(job, run, run.texts(next.spoken), soundMs, stage, add);
      next = run.behind;
    }
  }
  if (!signal.aborted) speaker.finish(reply);
};

type AddSound = (payload: Uint8Array, words?: readonly WordTiming[], level?: "exact") => void;

const soundKeys = async ({ speaker, reply }: ReplyJob, keys: string, add: AddSound): Promise<void> => {
  const { encoding, sampleRate } = speaker.format;
  for (const key of keys) {
    add(encodeSamples(encoding, keySound(key, sampleRate)), [], "exact");
    await speaker.room(reply);
  }
  speaker.endPiece(reply);
};

/** Words up to the next keys or the end of the reply. */
class SpokenRun {
  /** Pieces that the voice was given and has not made the sound of yet. */
  owed = 0;
  /** The keys that follow. */
  behind: Piece | undefined;
  readonly #pieces: Inbox<Piece>;

  constructor(pieces: Inbox<Piece>) {
    this.#pieces = pieces;
  }

  /** For the voice, `first` and what follows it. */
  async *texts(first: string): AsyncGenerator<string> {
    for (let piece: Piece | undefined = { spoken: first }; piece !== undefined; piece = await this.#pieces.take()) {
      if ("keys" in piece) {
        this.behind = piece;
        return;
      }
      this.owed += 1;
      yield piece.spoken;
    }
  }
}

/** `fromMs`: how much sound the reply has already; word times of the voice count from its own beginning. */
const speakRun = async (
  job: ReplyJob,
  run: SpokenRun,
  texts: AsyncIterable<string>,
  fromMs: number,
  stage: (stage: ReplyStage) => void,
  add: AddSound,
): Promise<void> => {
  const { synthesizer, speaker, reply, voice, signal } = job;
  const converter = new Converter(synthesizer.formatFor(speaker.format), speaker.format);
  try {
    const chunks = synthesizer.synthesize(texts, voice, speaker.format, signal);
    const what = `the voice ${voice.voiceId}`;
    const patience = { clock: job.clock, signal, what, ms: SILENT_VOICE_MS, owed: () => run.owed > 0 };
    for await (const chunk of patiently(chunks, patience)) {
      if (chunk.audio.length > 0) stage("first-audio");
      // Engines may tell words after their sound.
      if (chunk.audio.length > 0 || chunk.words !== undefined)
        add(
          converter.convert(chunk.audio),
          chunk.words?.map((word) => later(word, fromMs)),
        );
      if (chunk.endOfPiece === true) {
        run.owed -= 1;
        speaker.endPiece(reply);
      }
      await speaker.room(reply);
    }
  } finally {
    converter.close();
  }
};

const once = ({ emit, reply }: ReplyJob): ((stage: ReplyStage) => void) => {
  const seen = new Set<ReplyStage>();
  return (stage) => {
    if (seen.has(stage)) return;
    seen.add(stage);
    emit({ type: "reply-stage", reply, stage });
  };
};

const failed = (job: ReplyJob, part: "model" | "synthesizer", error: unknown): void => {
  if (job.signal.aborted) return;
  const provider = part === "model" ? modelBlamed(job, error) : job.synthesizer.name;
  job.logger.warn("a reply failed", { part, provider, error: toError(error) });
  job.metrics.providerError(part, provider);
  job.emit({ type: "reply-failed", reply: job.reply, part });
};

/** Models that stand behind each other have told of their own failures; that none of them answered is the dialogue's. */
const modelBlamed = ({ modelProvider }: ReplyJob, error: unknown): string => {
  if (modelProvider === undefined) return "dialogue";
  return error instanceof ProviderError ? error.provider : modelProvider;
};
