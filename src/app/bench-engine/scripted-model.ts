import { sleep } from "../../ports/clock.ts";
import type { LanguageModel, ModelEvent } from "../../ports/language-model.ts";
import type { ScriptedParts } from "./scripted-transcriber.ts";

/** Answers everything with the scenario's reply, word by word. */
export const scriptedModel = (modelId: string, { clock, now, scenario, note }: ScriptedParts): LanguageModel => {
  const tokens = scenario.reply.flatMap((sentence, index) => {
    const words = sentence.trim().split(/\s+/u);
    return words.map((word, at) => ({
      text: at === 0 && index === 0 ? word : ` ${word}`,
      endsFirst: index === 0 && at === words.length - 1,
    }));
  });
  return {
    name: "bench",
    scripted: false,
    models: [{ id: modelId, name: modelId, modelOptions: [] }],
    async *generate(_request, signal): AsyncGenerator<ModelEvent> {
      note("llm_request");
      const startAt = now() + scenario.llmTtftMs;
      for (const [index, { text, endsFirst }] of tokens.entries()) {
        const waitMs = startAt + index * scenario.llmTokenMs - now();
        if (waitMs > 0) await sleep(clock, waitMs, signal);
        if (endsFirst) note("llm_sentence_end");
        yield { type: "text", text };
      }
      yield { type: "done" };
    },
    close: async () => undefined,
  };
};
