import type { LanguageModel, ModelEvent, ModelRequest } from "../../../src/ports/language-model.ts";

/** What a judging request asks, as the model sees it. */
export type Asked = Readonly<{
  conversation: readonly Readonly<{ speaker: string; text?: string; result?: string }>[];
  question?: Readonly<{
    text: string;
    kind: string;
    options?: readonly Readonly<{ number: number; option: string }>[];
  }>;
  conditions?: readonly Readonly<{ number: number; condition: string }>[];
}>;

/** An answer: text, an error to throw, events, or nothing until the abort, which is null. */
export type Reply = string | Error | readonly ModelEvent[] | null;

/** A model that judges and speaks by two functions, and keeps what it was asked. */
export class FlowModel implements LanguageModel {
  readonly name = "rehearsed";
  readonly scripted: boolean;
  readonly models = [];
  readonly judged: Asked[] = [];
  readonly spoke: ModelRequest[] = [];
  readonly requests: ModelRequest[] = [];
  readonly #judge: (asked: Asked, words: string) => Reply;
  readonly #speak: (request: ModelRequest) => Reply;

  constructor(
    judge: (asked: Asked, words: string) => Reply = () => JSON.stringify({ answer: null, holds: [] }),
    speak: (request: ModelRequest) => Reply = () => "(the model speaks)",
    scripted = false,
  ) {
    this.#judge = judge;
    this.#speak = speak;
    this.scripted = scripted;
  }

  async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    this.requests.push(request);
    const reply = this.#reply(request);
    if (reply instanceof Error) throw reply;
    if (reply === null) {
      await new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reject(new Error("aborted"));
        });
      });
    } else if (typeof reply === "string") yield { type: "text", text: reply };
    else yield* reply;
    yield { type: "done" };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #reply(request: ModelRequest): Reply {
    const [system, user] = request.messages;
    const judging = system?.role === "system" && system.text.includes('"holds"');
    if (!judging || user?.role !== "user") {
      this.spoke.push(request);
      return this.#speak(request);
    }
    const asked = JSON.parse(user.text) as Asked;
    this.judged.push(asked);
    const words = asked.conversation.findLast(({ speaker }) => speaker === "caller")?.text ?? "";
    return this.#judge(asked, words);
  }
}

/** The numbers of the conditions that contain one of the caller's words (of four letters or more). */
export const byWords = (asked: Asked, words: string): string => {
  const sought = words.toLowerCase().match(/[a-z]{4,}/gu) ?? [];
  const holds = (asked.conditions ?? []).filter(({ condition }) => sought.some((word) => condition.includes(word)));
  const option = asked.question?.options?.find(({ option }) =>
    sought.some((word) => option.toLowerCase().includes(word)),
  );
  return JSON.stringify({ answer: option?.number ?? null, holds: holds.map(({ number }) => number) });
};
