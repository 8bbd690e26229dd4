import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { expect, test } from "vitest";
import { adviceFor } from "../../../../src/adapters/language-model/ai-sdk/failures.ts";
import { SdkModel } from "../../../../src/adapters/language-model/ai-sdk/sdk-model.ts";
import { WarmConnections } from "../../../../src/adapters/language-model/ai-sdk/warm-connections.ts";
import { answer, CompletionsServer } from "../completions-server.ts";

test("the SDK's model of an id is made once, and serves requests beside one another", async () => {
  const server = await CompletionsServer.start();
  const connections = new WarmConnections();
  const provider = createOpenAICompatible({ name: "x", baseURL: server.baseUrl, fetch: connections.fetch });
  const made: string[] = [];
  const model = new SdkModel({
    name: "x",
    models: [],
    sdkModel: (id) => {
      made.push(id);
      return provider.chatModel(id);
    },
    advice: adviceFor("LLM", "LLM_MODEL"),
    connections,
    url: server.baseUrl,
  });
  const ask = async (id: string): Promise<string> => {
    const request = { model: id, messages: [{ role: "user", text: "Hello?" } as const], tools: [], options: {} };
    let text = "";
    for await (const event of model.generate(request, new AbortController().signal))
      if (event.type === "text") text += event.text;
    return text;
  };
  server.play(answer("Well, ", "yes."), answer("Well, ", "yes."), answer("Well, ", "yes."));
  expect(await Promise.all([ask("small"), ask("small"), ask("large")])).toEqual([
    "Well, yes.",
    "Well, yes.",
    "Well, yes.",
  ]);
  for (let count = 0; count < 70; count += 1) {
    server.play(answer("Yes."));
    expect(await ask(`model-${count}`)).toBe("Yes.");
  }
  expect(new Set(made).size).toBe(72);
  made.length = 0;
  server.play(answer("Yes."), answer("Yes."));
  // Ids that anybody may write into a prompt are not kept for ever.
  expect([await ask("small"), await ask("model-69")]).toEqual(["Yes.", "Yes."]);
  expect(made).toEqual(["model-69"]);
  await model.close();
  await server.close();
});
