import type { CatalogueModel, LanguageModel, ModelEvent, ModelRequest, Tool } from "../../../ports/language-model.ts";
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

/** Meanings that are kept, since every turn lives through the whole conversation again; 2 kB each. */
const MAX_KEPT = 2000;

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
  readonly #kept = new Map<string, Meaning>();

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
    const meanings = await this.#meaningsOf(said);
    const happenings = lines.map((line): Happening => {
      if (line.type !== "said") return line;
      const plain = normalize(line.text);
      return { type: "heard", heard: this.#hear(line.text, plain, meanings.get(plain)) };
    });
    return converse(happenings, scene);
  }

  #hear(text: string, plain: string, meaning: Meaning | undefined): Heard {
    const { intent } = classify(plain, meaning, this.#examples);
    return { text, plain, intent, cued: intent !== undefined && CUES[intent].some((cue) => cue.test(plain)) };
  }

  /** Meanings of normalized texts; those that the thread could not give in time are missing. */
  async #meaningsOf(texts: readonly string[]): Promise<ReadonlyMap<string, Meaning>> {
    const wanted = [...new Set(texts)].filter((text) => text !== "" && !this.#kept.has(text)).slice(-MAX_KEPT / 2);
    if (wanted.length > 0) {
      try {
        const work = this.#embedder.embed(wanted);
        const made = await withDeadline(this.#clock, MEANING_DEADLINE_MS, "embedding what was said", work);
        for (const [index, text] of wanted.entries()) this.#keep(text, made[index]);
      } catch (error) {
        this.#logger.warn("sentence embeddings are late or gone; the scripted agent goes by keywords", {
          error: error instanceof Error ? error.name : "unknown",
        });
      }
    }
    return new Map(texts.flatMap((text) => this.#entryOf(text)));
  }

  #entryOf(text: string): readonly [string, Meaning][] {
    const meaning = this.#kept.get(text);
    return meaning === undefined ? [] : [[text, meaning]];
  }

  #keep(text: string, meaning: Meaning | undefined): void {
    if (meaning === undefined) return;
    const oldest = this.#kept.keys().next();
    if (this.#kept.size >= MAX_KEPT && oldest.done !== true) this.#kept.delete(oldest.value);
    this.#kept.set(text, meaning);
  }
}

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
