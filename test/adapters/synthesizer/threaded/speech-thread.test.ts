import { afterEach, expect, test } from "vitest";
import { SpeechThread, SpeechThreadError } from "../../../../src/adapters/synthesizer/threaded/speech-thread.ts";
import { toError } from "../../../../src/kit/errors.ts";
import { silentLogger } from "../../../kit/silent-logger.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";

const ask = (text: string) => ({
  text,
  voice: "any",
  speed: 1,
  format: { encoding: "mulaw", sampleRate: 8000 } as const,
});

const forever = new AbortController().signal;

const open: SpeechThread[] = [];
afterEach(() => Promise.all(open.splice(0).map((thread) => thread.close())));

const threadOf = (clock: VirtualClock, script = new URL("./scripted-speech.ts", import.meta.url)) => {
  const options = { name: "scripted", workerData: null, startDeadlineMs: 5000, answerDeadlineMs: 1000 };
  const thread = new SpeechThread({ ...options, script }, clock, silentLogger());
  open.push(thread);
  return thread;
};

test("the thread answers each call with its own sound", async () => {
  const thread = threadOf(new VirtualClock());
  const answers = await Promise.all(
    ["80", "160", "240"].map((text) => thread.speak(thread.lane(), ask(text), forever)),
  );
  expect(answers.map(({ audio }) => audio.length)).toEqual([80, 160, 240]);
});

test("a text that cannot be spoken fails alone", async () => {
  const thread = threadOf(new VirtualClock());
  const failed = await thread.speak(thread.lane(), ask("fail"), forever).catch(toError);
  expect(failed).toBeInstanceOf(SpeechThreadError);
  expect(failed).toMatchObject({ cause: { message: "this text cannot be spoken" } });
  expect((await thread.speak(thread.lane(), ask("80"), forever)).audio.length).toBe(80);
});

test("a crash fails what was asked for, and the next request starts the thread again", async () => {
  const thread = threadOf(new VirtualClock());
  const asked = ["crash", "80", "80"].map((text) => thread.speak(thread.lane(), ask(text), forever).catch(toError));
  for (const answer of await Promise.all(asked)) expect(answer).toBeInstanceOf(SpeechThreadError);
  expect((await thread.speak(thread.lane(), ask("160"), forever)).audio.length).toBe(160);
});

test("a thread that does not answer in time is given up", async () => {
  const clock = new VirtualClock();
  const thread = threadOf(clock);
  await thread.start();
  const stuck = thread.speak(thread.lane(), ask("hang"), forever).catch(toError);
  await clock.advance(1000);
  expect(await stuck).toMatchObject({ message: "scripted did not answer within 1000 ms" });
  expect((await thread.speak(thread.lane(), ask("80"), forever)).audio.length).toBe(80);
  expect(clock.pending).toBe(0);
});

test("a thread that cannot be loaded fails its requests", async () => {
  const thread = threadOf(new VirtualClock(), new URL("./no-such-script.js", import.meta.url));
  await expect(thread.speak(thread.lane(), ask("80"), forever)).rejects.toThrow(/the thread of scripted failed/u);
});

test("the call whose sound runs out first goes first, so that a long opening line does not hold up a live turn", async () => {
  const thread = threadOf(new VirtualClock());
  const opening = thread.lane();
  await thread.speak(opening, ask("8000"), forever);
  const order: string[] = [];
  const note = (name: string) => () => order.push(name);
  await Promise.all([
    thread.speak(thread.lane(), ask("80"), forever).then(note("busy with another")),
    thread.speak(opening, ask("80"), forever).then(note("opening line")),
    thread.speak(thread.lane(), ask("80"), forever).then(note("live turn")),
  ]);
  expect(order).toEqual(["busy with another", "live turn", "opening line"]);
});

test("a call knows how many others go before it: what is under way, and what is due no later", async () => {
  const clock = new VirtualClock();
  const thread = threadOf(clock);
  const ahead = thread.lane();
  await thread.speak(ahead, ask("8000"), forever);
  const mine = thread.lane();
  expect(thread.before(mine)).toBe(0);
  const leaving = new AbortController();
  const asked = [
    thread.speak(thread.lane(), ask("hang"), forever),
    thread.speak(thread.lane(), ask("80"), forever),
    thread.speak(thread.lane(), ask("80"), leaving.signal),
    thread.speak(mine, ask("80"), forever),
    thread.speak(ahead, ask("80"), forever),
  ].map((one) => one.catch(toError));
  await new Promise((resolve) => setImmediate(resolve));
  expect(thread.before(mine)).toBe(3);
  expect(thread.before(ahead)).toBe(4);
  leaving.abort(new Error("hung up"));
  expect(thread.before(mine)).toBe(2);
  // What hangs is given up, and all that waits for it.
  await clock.advance(1000);
  await Promise.all(asked);
  expect(thread.before(mine)).toBe(0);
});

test("an aborted request leaves the queue at once", async () => {
  const thread = threadOf(new VirtualClock());
  const controller = new AbortController();
  const first = thread.speak(thread.lane(), ask("80"), forever);
  const aborted = thread.speak(thread.lane(), ask("crash"), controller.signal).catch(toError);
  controller.abort(new Error("hushed"));
  expect(await aborted).toMatchObject({ message: "hushed" });
  expect((await first).audio.length).toBe(80);
  expect((await thread.speak(thread.lane(), ask("160"), forever)).audio.length).toBe(160);
});

test("more requests than the queue takes are refused, and closing fails those that wait", async () => {
  const thread = threadOf(new VirtualClock());
  const asked = Array.from({ length: 70 }, () => thread.speak(thread.lane(), ask("hang"), forever).catch(toError));
  const refused = await asked[69];
  expect(refused).toMatchObject({ message: expect.stringMatching(/sentences waiting; use another voice/u) });
  await thread.close();
  for (const answer of await Promise.all(asked)) expect(answer).toBeInstanceOf(SpeechThreadError);
  await expect(thread.speak(thread.lane(), ask("80"), forever)).rejects.toThrow(/is closed/u);
});
