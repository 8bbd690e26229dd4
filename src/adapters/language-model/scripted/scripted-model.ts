import type { CatalogueModel, LanguageModel, ModelEvent, ModelRequest, Tool } from "../../../ports/language-model.ts";
import { toError } from "../../../kit/errors.ts";
import { withDeadline, type Clock } from "../../../ports/clock.ts";
import type { Logger } from "../../../ports/logger.ts";
import { dayOf } from "./calendar-day.ts";
import { classify, INTENTS, type ExampleMeanings, type Meaning } from "./classify.ts";
import { converse, type Happening } from "./conversation.ts";
import { Embedder } from "./embedder.ts";
import { CUES } from "./cues.ts";
import { EXAMPLES, type Intent } from "./intents.ts";
import { businessOf, linesOf } from "./messages.ts";
import { normalize } from "./normalize.ts";
import type { Heard, Reply, Scene } from "./state.ts";

/** How long a caller waits for meanings before cues alone decide, in milliseconds. */
const MEANING_DEADLINE_MS = 500;

/** Judgements that are kept, since every turn lives through the whole conversation again; a few hundred bytes each. */
const MAX_KEPT = 5000;

/** What a caller said, judged without knowing where the conversation stands. */
type Understood = Pick<Heard, "intent" | "cued">;

/** A language model only by its interface: it follows a script about appointments, and says so to whoever asks. */
export class ScriptedModel implements LanguageModel {
  readonly name = "scripted";
  readonly scripted = true;
  readonly models: readonly CatalogueModel[] = [
    { id: "scripted-appointments", name: "Appointments (scripted, not a language model)", modelOptions: [] },
  ];
  readonly #embedder: Embedder;
  readonly #examples: ExampleMeanings;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #kept = new Map<string, Understood>();
  /** Whether the log already says that keywords have to do. */
  #degraded = false;

  private constructor(embedder: Embedder, examples: ExampleMeanings, clock: Clock, logger: Logger) {
    this.#embedder = embedder;
    this.#examples = examples;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Starts the embedding thread and has it read the examples; about a second. */
  static async start(clock: Clock, logger: Logger): Promise<ScriptedModel> {
    const embedder = await Embedder.start(clock);
    const examples = new Map<Intent, readonly Meaning[]>();
    for (const intent of INTENTS)
      examples.set(intent, await embedder.embed(EXAMPLES[intent].map((example) => normalize(example))));
    return new ScriptedModel(embedder, examples, clock, logger);
  }

  async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (signal.aborted) return;
    const reply = await this.#replyTo(request);
    const transfer = reply.handOver === true ? transferTo(request.tools) : undefined;
    const say = transfer === undefined ? reply.say : "One moment, I'll connect you.";
    for (const text of say.match(/\S+\s*/gu) ?? []) {
      if (isAborted(signal)) return;
      yield { type: "text", text };
    }
    if (isAborted(signal)) return;
    const id = `call-${request.messages.length}`;
    if (transfer !== undefined) yield { type: "call", call: { id, ...transfer } };
    else if (reply.ends === true && request.tools.some((tool) => tool.name === "end_call"))
      yield { type: "call", call: { id, name: "end_call", args: "{}" } };
    yield { type: "done" };
  }

  async close(): Promise<void> {
    await this.#embedder.close();
  }

  async #replyTo(request: ModelRequest): Promise<Reply> {
    const now = this.#clock.now();
    const local = new Date(now);
    const scene: Scene = {
      now: { today: dayOf(now), minutes: local.getHours() * 60 + local.getMinutes() },
      business: businessOf(request.messages),
    };
    const lines = linesOf(request.messages);
    const said = lines.flatMap((line) => (line.type === "said" ? [normalize(line.text)] : []));
    const understood = await this.#understand(new Set(said));
    const happenings = lines.map((line): Happening => {
      if (line.type !== "said") return line;
      const plain = normalize(line.text);
      return { type: "heard", heard: { text: line.text, plain, ...(understood.get(plain) ?? NOTHING) } };
    });
    return converse(happenings, scene);
  }

  /** Judges normalized texts; only those that are new go to the thread. */
  async #understand(texts: ReadonlySet<string>): Promise<ReadonlyMap<string, Understood>> {
    const understood = new Map<string, Understood>();
    const fresh: string[] = [];
    for (const text of texts) {
      const kept = this.#kept.get(text);
      if (kept === undefined) fresh.push(text);
      else understood.set(text, kept);
    }
    const meanings = fresh.length === 0 ? [] : await this.#meaningsOf(fresh);
    for (const [index, text] of fresh.entries()) {
      const meaning = meanings[index];
      const judged = this.#judge(text, meaning);
      understood.set(text, judged);
      if (meaning !== undefined) this.#keep(text, judged);
    }
    return understood;
  }

  #judge(text: string, meaning: Meaning | undefined): Understood {
    const { intent } = classify(text, meaning, this.#examples);
    return { intent, cued: intent !== undefined && CUES[intent].some((cue) => cue.test(text)) };
  }

  /** Nothing when the thread is late, overrun or gone: then words alone have to do. */
  async #meaningsOf(texts: readonly string[]): Promise<readonly Meaning[]> {
    try {
      const work = this.#embedder.embed(texts);
      const meanings = await withDeadline(this.#clock, MEANING_DEADLINE_MS, "embedding what was said", work);
      this.#degraded = false;
      return meanings;
    } catch (error) {
      if (!this.#degraded)
        this.#logger.warn("sentence embeddings are late or gone; the scripted agent goes by keywords", {
          error: toError(error).name,
        });
      this.#degraded = true;
      return [];
    }
  }

  #keep(text: string, judged: Understood): void {
    const oldest = this.#kept.keys().next();
    if (this.#kept.size >= MAX_KEPT && oldest.done !== true) this.#kept.delete(oldest.value);
    this.#kept.set(text, judged);
  }
}

const NOTHING: Understood = { intent: undefined, cued: false };

/** A tool that connects the caller to somebody, and its call with the first number that it allows. */
const transferTo = (tools: readonly Tool[]): Readonly<{ name: string; args: string }> | undefined => {
  for (const tool of tools) {
    const properties = tool.parameters["properties"] as
      | Readonly<Record<string, { enum?: readonly unknown[] }>>
      | undefined;
    const [destination] = properties?.["destination"]?.enum ?? [];
    if (typeof destination === "string") return { name: tool.name, args: JSON.stringify({ destination }) };
  }
  return undefined;
};

/** A function, because the compiler takes a signal that was once found live for live for ever. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;
