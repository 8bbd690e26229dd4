import { WIRES, type Wire } from "../../adapters/language-model/wires.ts";
import { CompletionsServer, HOLD } from "../../adapters/language-model/completions-server.ts";
import { pair, type Paired } from "./paired.ts";
import { toEnd } from "./voice-delay.ts";

const forever = new AbortController().signal;

/** A call's history, with functions, so that there is something to write down. */
const REQUEST = {
  messages: [
    { role: "system" as const, text: "You are the receptionist of a dental practice. ".repeat(40) },
    ...Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0
        ? { role: "user" as const, text: "I would like to move my appointment to Thursday." }
        : { role: "assistant" as const, text: "Of course. Would ten in the morning suit you?" },
    ),
    { role: "user" as const, text: "Yes, please." },
  ],
  tools: Array.from({ length: 5 }, (_, index) => ({
    name: `function_${index}`,
    description: "Does something for the caller.",
    parameters: { type: "object", properties: { day: { type: "string" }, hour: { type: "integer" } } },
  })),
  options: {},
};

/** What each model takes until its first word, from a server on loopback that answers at once. */
export async function* measureModels(rounds: number): AsyncGenerator<Paired> {
  for (const wire of WIRES) {
    const server = await CompletionsServer.start();
    const made = await wire.connect(server.baseUrl);
    const play = () => {
      // What comes after the first word would be counted to it.
      server.play({ chunks: [...wire.head, wire.text("Well, "), HOLD, wire.text("yes."), ...wire.tail] });
    };
    const think = async () => {
      play();
      const events = made.generate({ ...REQUEST, model: wire.modelId }, forever)[Symbol.asyncIterator]();
      await events.next();
      return async () => {
        await server.holding(1);
        server.release();
        for (let next = await events.next(); next.done !== true; next = await events.next());
      };
    };
    await (
      await think()
    )();
    const sent = server.requests[0];
    const post = async () => {
      play();
      const headers = headersOf(wire);
      const body = JSON.stringify(sent?.body);
      const answer = await fetch(new URL(sent?.path ?? "/", server.baseUrl), { method: "POST", headers, body });
      const rest = await toEnd(answer);
      return async () => {
        await server.holding(1);
        server.release();
        await rest();
      };
    };
    yield await pair(`model ${wire.name}`, rounds, think, post);
    await made.close();
    await server.close();
  }
}

const headersOf = ({ name }: Wire): Record<string, string> => ({
  "content-type": "application/json",
  authorization: `Bearer ${name}`,
});
