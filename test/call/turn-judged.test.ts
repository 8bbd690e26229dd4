import { expect, test } from "vitest";
import type { CallHappening } from "../../src/call/events.ts";
import { Hearing } from "../../src/call/hear.ts";
import type { Transcriber, TranscriberListener } from "../../src/ports/transcriber.ts";
import { ScriptedVad } from "../kit/scripted-engines.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

test("what a transcriber judges of the turn's end reaches the call, until it is closed", () => {
  const line = { encoding: "mulaw", sampleRate: 8000 } as const;
  const listeners: TranscriberListener[] = [];
  const transcriber: Transcriber = {
    name: "judging",
    supports: () => true,
    open: (_hints, listener) => {
      listeners.push(listener);
      const nothing = () => undefined;
      return { format: line, push: nothing, speech: nothing, finalize: nothing, endTurn: nothing, close: nothing };
    },
    close: () => Promise.resolve(),
  };
  const happened: CallHappening[] = [];
  const hearing = new Hearing(line, {
    clock: new VirtualClock(),
    vad: new ScriptedVad(),
    listening: { transcriber, hints: { language: "en", keywords: [], lineFormat: line } },
    toCallMs: (ms) => ms,
    emit: (happening) => happened.push(happening),
    failed: () => undefined,
    heard: () => undefined,
  });
  hearing.open();
  listeners[0]?.turnJudged?.(0.6);
  hearing.close();
  listeners[0]?.turnJudged?.(0.9);
  expect(happened).toEqual([{ type: "turn-judged", probability: 0.6 }]);
});
