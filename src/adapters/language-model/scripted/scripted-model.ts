import type { CatalogueModel, LanguageModel, ModelEvent, ModelRequest, Tool } from "../../../ports/language-model.ts";
import { toError } from "../../../kit/errors.ts";
import { withDeadline, type Clock } from "../../../ports/clock.ts";
import type { Logger } from "../../../ports/logger.ts";
import { dayOf, findDay, type CalendarDay } from "./calendar-day.ts";
import { classify, INTENTS, type ExampleMeanings, type Meaning } from "./classify.ts";
import { converse, type Happening } from "./conversation.ts";
import { Embedder } from "./embedder.ts";
import { CUES } from "./cues.ts";
import { EXAMPLES, type Intent } from "./intents.ts";
import { businessOf, linesOf } from "./messages.ts";
import { normalize } from "./normalize.ts";
import type { Heard, Reply, Scene } from "./state.ts";
import { findTime } from "./time-of-day.ts";

/** How long a caller waits for meanings before cues alone decide, in milliseconds. */
const MEANING_DEADLINE_MS = 500;

/** Things heard that are kept, since every turn lives through the whole conversation again; a few hundred bytes each. */
const MAX_KEPT = 5000;

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
  /** By the text as it was said; only what was said today, since "tomorrow" is another day then. */
  readonly #kept = new Map<string, Heard>();
  #keptFor: CalendarDay | undefined;
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
    const model = new ScriptedModel(embedder, examples, clock, logger);
    await model.#replyTo(REHEARSAL);
    return model;
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
    const said = new Set(lines.flatMap((line) => (line.type === "said" ? [line.text] : [])));
    const heard = await this.#hear([...said], scene.now.today);
    const happenings = lines.flatMap((line): readonly Happening[] => {
      if (line.type !== "said") return [line];
      const understood = heard.get(line.text);
      return understood === undefined ? [] : [{ type: "heard", heard: understood }];
    });
    return converse(happenings, scene);
  }

  /** Makes of each text what can be made of it; only what is new costs anything. */
  async #hear(texts: readonly string[], today: CalendarDay): Promise<ReadonlyMap<string, Heard>> {
    if (this.#keptFor !== today) this.#kept.clear();
    this.#keptFor = today;
    const heard = new Map<string, Heard>();
    for (const text of texts) {
      const kept = this.#kept.get(text);
      if (kept !== undefined) heard.set(text, kept);
    }
    const fresh = texts.filter((text) => !heard.has(text)).map((text) => ({ text, plain: normalize(text) }));
    const meanings = fresh.length === 0 ? [] : await this.#meaningsOf(fresh.map(({ plain }) => plain));
    for (const [index, { text, plain }] of fresh.entries()) {
      const meaning = meanings[index];
      const understood: Heard = {
        text,
        plain,
        ...this.#judge(plain, meaning),
        day: findDay(plain, today),
        time: findTime(plain, false),
        timeIfAsked: findTime(plain, true),
      };
      heard.set(text, understood);
      if (meaning !== undefined) this.#keep(understood);
    }
    return heard;
  }

  #judge(plain: string, meaning: Meaning | undefined): Pick<Heard, "intent" | "cued"> {
    const { intent } = classify(plain, meaning, this.#examples);
    return { intent, cued: intent !== undefined && CUES[intent].some((cue) => cue.test(plain)) };
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

  #keep(heard: Heard): void {
    const oldest = this.#kept.keys().next();
    if (this.#kept.size >= MAX_KEPT && oldest.done !== true) this.#kept.delete(oldest.value);
    this.#kept.set(heard.text, heard);
  }
}

/** Talked through once at the start: first use of patterns, calendars and names costs 0.1 s, which no caller shall wait for. */
const REHEARSAL: ModelRequest = {
  model: "scripted-appointments",
  messages: ["book an appointment for january sixth at 10", "my name is Ann Lee", "yes"].map((text) => ({
    role: "user",
    text,
  })),
  tools: [],
  options: {},
};

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
