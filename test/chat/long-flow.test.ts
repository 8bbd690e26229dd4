import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chatWith } from "./chat-rig.ts";

/** A flow of so many questions, each of which leads on by one of three rules. */
const flowOf = (count: number) => ({
  nodes: [
    ...Array.from({ length: count - 1 }, (_, index) => ({
      id: `n${index}`,
      type: "question",
      nodeData: { question: `Number ${index}?`, questionType: "numeric" },
      transitionRules: [
        { conditionType: "less", field: "answer", value: "0", transitionNodeId: "end" },
        ...(index === 0
          ? []
          : [
              {
                conditionType: "equal",
                field: "answer",
                value: `{{node.n${index - 1}.answer}}`,
                transitionNodeId: "end",
              },
            ]),
        { conditionType: "always", transitionNodeId: index === count - 2 ? "end" : `n${index + 1}` },
      ],
    })),
    { id: "end", type: "end_call", nodeData: { message: `Last was {{node.n${count - 2}.answer}}.` } },
  ],
});

test(
  "a flow of two hundred nodes is walked from end to end, twice the same way, in seconds",
  { timeout: 60_000 },
  async () => {
    const chat = chatWith();
    const folder = mkdtempSync(join(tmpdir(), "chat-"));
    const conversation = {
      name: "long",
      agent: { agent: { name: "Long", language: "en" }, prompt: { flowDefinition: flowOf(200) } },
      steps: Array.from({ length: 199 }, (_, index) => ({
        says: String(1000 + index),
        expectsTransition: [{ to: index === 198 ? "end" : `n${index + 1}`, rule: index === 0 ? 1 : 2 }],
      })),
    };
    const path = join(folder, "long.json");
    writeFileSync(path, JSON.stringify(conversation));
    try {
      const [first] = await chat.playFile(path, undefined);
      expect(first?.failures).toEqual([]);
      expect(first?.transcript.at(-1)?.text).toBe("Last was 1198.");
      expect(first?.transcript.filter(({ nodeTransition }) => nodeTransition !== undefined)).toHaveLength(199);
      const [second] = await chat.playFile(path, undefined);
      expect(second?.transcript).toEqual(first?.transcript);
    } finally {
      await chat.close();
      rmSync(folder, { recursive: true });
    }
  },
);
