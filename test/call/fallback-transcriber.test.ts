import { beforeEach, expect, test } from "vitest";
import { FallbackTranscriber } from "../../src/call/fallback-transcriber.ts";
import { Breakers } from "../../src/kit/breakers.ts";
import type { AudioFormat } from "../../src/model/audio.ts";
import type { Takeover } from "../../src/model/takeover.ts";
import { ProviderError } from "../../src/ports/provider-error.ts";
import type { Transcriber, TranscriberListener, TranscriptEvent } from "../../src/ports/transcriber.ts";
import { silentLogger } from "../kit/call-rig.ts";
import { ByteEars, quietBytes, sayBytes } from "../kit/vendors/spoken-bytes.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const LINE: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };

/** Hears the words of {@link sayBytes}, says them when it is asked, and is silent or broken when it is told to be. */
class Scripted implements Transcriber {
  readonly silentMs?: number;
  readonly name: string;
  readonly spoke: string[] = [];
  opened = 0;
  live = 0;
  mute = false;
  #fail: ((error: Error) => void) | undefined;
  #tell: ((text: string, final: boolean) => void) | undefined;

  constructor(name: string, silentMs?: number) {
    this.name = name;
    if (silentMs !== undefined) this.silentMs = silentMs;
  }

  supports() {
    return true;
  }

  /** Breaks the stream that is open. */
  fail(error: Error): void {
    this.#fail?.(error);
  }

  /** Says a text of its own. */
  tell(text: string, final: boolean): void {
    this.#tell?.(text, final);
  }

  open(_hints: unknown, listener: TranscriberListener) {
    const ears = new ByteEars();
    let utterance = 1;
    let from = 0;
    let open = true;
    this.opened += 1;
    this.live += 1;
    this.#fail = (error) => {
      listener.failed(error);
    };
    const say = (text: string, final: boolean, startMs: number, endMs: number) => {
      listener.transcript({ utterance, text, final, startMs, endMs });
    };
    this.#tell = (text, final) => {
      say(text, final, 0, ears.heardMs);
    };
    return {
      format: LINE,
      push: (payload: Uint8Array) => {
        ears.feed(payload);
      },
      speech: (change: "started" | "ended", atMs: number) => {
        this.spoke.push(`${change} ${atMs}`);
      },
      finalize: () => {
        if (this.mute) return;
        const words = ears.words.slice(from);
        from = ears.words.length;
        const [first, last] = [words[0], words.at(-1)];
        if (first !== undefined && last !== undefined) {
          say(words.map(({ text }) => text).join(" "), true, first.startMs, last.endMs);
          utterance += 1;
        }
        listener.flushed();
      },
      endTurn: () => {
        utterance += 1;
      },
      close: () => {
        if (open) this.live -= 1;
        open = false;
      },
    };
  }

  close() {
    return Promise.resolve();
  }
}

let clock: VirtualClock;
let first: Scripted;
let second: Scripted;
let takeovers: Takeover[];

beforeEach(() => {
  clock = new VirtualClock();
  first = new Scripted("first");
  second = new Scripted("second");
  takeovers = [];
});

const listen = (breakers?: Breakers) => {
  const events: TranscriptEvent[] = [];
  const failures: Error[] = [];
  const counts: string[] = [];
  let flushes = 0;
  let pushedMs = 0;
  const transcriber = new FallbackTranscriber({
    candidates: [first, second],
    clock,
    logger: silentLogger,
    metrics: {
      providerError: (port, provider) => counts.push(`${port} ${provider}`),
      fallback: (port, from, to) => counts.push(`${port} ${from} to ${to}`),
    },
    ...(breakers === undefined ? {} : { breakerOf: ({ name }: Transcriber) => breakers.of("transcriber", name) }),
    tookOver: (takeover) => takeovers.push(takeover),
  });
  const stream = transcriber.open(
    { language: "en", keywords: [], lineFormat: LINE },
    {
      transcript: (event) => events.push(event),
      flushed: () => (flushes += 1),
      failed: (error) => failures.push(error),
    },
  );
  const push = (sound: Uint8Array) => {
    for (let at = 0; at < sound.length; at += 160) stream.push(sound.subarray(at, at + 160));
    pushedMs += sound.length / 8;
  };
  return {
    events,
    failures,
    counts,
    stream,
    push,
    flushes: () => flushes,
    text: () =>
      [...new Map(events.map(({ utterance, text }) => [utterance, text]))]
        .toSorted(([a], [b]) => a - b)
        .flatMap(([, text]) => text || [])
        .join(" "),
    say: (...words: readonly string[]) => {
      const onsetMs = pushedMs;
      const sound = sayBytes(...words);
      push(sound.subarray(0, 960));
      stream.speech("started", onsetMs);
      push(sound.subarray(960));
      const endMs = pushedMs;
      push(quietBytes(160));
      stream.speech("ended", endMs);
      stream.finalize();
    },
  };
};

test("where nothing fails, the first hears everything", async () => {
  const ear = listen();
  ear.push(quietBytes(1000));
  ear.say("book", "a", "table");
  await clock.advance(5000);
  expect(ear.text()).toBe("book a table");
  expect(second.opened).toBe(0);
  expect(takeovers).toEqual([]);
  ear.stream.close();
  expect([first.live, clock.pending]).toEqual([0, 0]);
});

test("one that is silent for 700 ms after speech gives the turn's sound to the next", async () => {
  first.mute = true;
  const ear = listen();
  ear.push(quietBytes(3000));
  ear.say("book", "a", "table");
  await clock.advance(699);
  expect(second.opened).toBe(0);
  await clock.advance(1);
  expect(ear.text()).toBe("book a table");
  expect(ear.flushes()).toBe(1);
  expect(ear.events.at(-1)).toMatchObject({ startMs: 3000, endMs: 3840, final: true });
  // From half a second before the speech, with the detector's words where they were.
  expect(second.spoke).toEqual(["started 500", "ended 1400"]);
  expect(takeovers).toEqual([{ part: "transcriber", from: "first", to: "second", why: "late" }]);
  expect(ear.counts).toEqual(["transcriber first to second", "transcriber first"]);
  expect(first.live).toBe(0);
  ear.stream.close();
});

test("one that allows itself longer is waited for as long", async () => {
  first = new Scripted("first", 2000);
  first.mute = true;
  const ear = listen();
  ear.say("one", "two");
  await clock.advance(1999);
  expect(second.opened).toBe(0);
  await clock.advance(1);
  expect(ear.text()).toBe("one two");
});

test("a short noise asks nobody else", async () => {
  first.mute = true;
  const ear = listen();
  ear.push(quietBytes(500));
  ear.stream.speech("started", 500);
  ear.push(quietBytes(280));
  ear.stream.speech("ended", 780);
  ear.stream.finalize();
  await clock.advance(5000);
  expect(second.opened).toBe(0);
});

test("each word puts the end of patience off", async () => {
  first.mute = true;
  const ear = listen();
  ear.say("one", "two");
  await clock.advance(600);
  first.tell("one", false);
  await clock.advance(600);
  expect(second.opened).toBe(0);
  await clock.advance(100);
  expect(ear.text()).toBe("one two");
  // The text that was not final is replaced, not joined by another one.
  expect(new Set(ear.events.map(({ utterance }) => utterance))).toEqual(new Set([1]));
});

test("what was final before is not heard a second time", async () => {
  const ear = listen();
  ear.say("one", "two");
  first.mute = true;
  ear.push(quietBytes(300));
  ear.say("three");
  // The caller goes on in the same turn, and now nothing comes.
  await clock.advance(700);
  expect(ear.text()).toBe("one two three");
  expect(ear.events.map(({ utterance, text }) => [utterance, text])).toEqual([
    [1, "one two"],
    [2, "three"],
  ]);
});

test("one that fails hands over at once, in the middle of speech", async () => {
  const ear = listen();
  ear.push(quietBytes(400));
  const sound = sayBytes("call", "me", "back");
  ear.push(sound.subarray(0, 2000));
  ear.stream.speech("started", 400);
  ear.push(sound.subarray(2000, 4000));
  first.fail(new ProviderError("first", "unavailable", "broke off"));
  for (const rest of [sound.subarray(4000), quietBytes(160)]) ear.push(rest);
  ear.stream.speech("ended", 1300);
  ear.stream.finalize();
  await clock.settle();
  expect(ear.text()).toBe("call me back");
  expect(takeovers).toEqual([{ part: "transcriber", from: "first", to: "second", why: "failed" }]);
  expect(ear.failures).toEqual([]);
});

test("when all have failed, the call is told", () => {
  const ear = listen();
  first.fail(new Error("one"));
  second.fail(new Error("two"));
  expect(ear.failures.map(({ message }) => message)).toEqual(["two"]);
  expect([first.live, second.live]).toEqual([0, 0]);
});

test("where the next hears no words either, nobody was at fault, and the first is asked again", async () => {
  first.mute = true;
  const ear = listen();
  ear.push(quietBytes(500));
  ear.stream.speech("started", 500);
  ear.push(quietBytes(600));
  ear.stream.speech("ended", 1000);
  ear.stream.finalize();
  await clock.advance(700);
  expect(ear.flushes()).toBe(1);
  expect(ear.counts).toEqual(["transcriber first to second"]);
  first.mute = false;
  ear.stream.endTurn();
  ear.say("one");
  expect(ear.text()).toBe("one");
  expect([first.opened, first.live, second.live]).toEqual([2, 1, 0]);
});

test("one that failed rests for a minute, and is asked again at the beginning of a turn", async () => {
  const ear = listen();
  first.fail(new Error("scripted"));
  ear.say("one");
  ear.stream.endTurn();
  await clock.advance(59_000);
  ear.say("two");
  ear.stream.endTurn();
  expect(first.opened).toBe(1);
  await clock.advance(1000);
  ear.say("three");
  ear.stream.endTurn();
  ear.say("four");
  expect(ear.text()).toBe("one two three four");
  expect([first.opened, second.opened]).toEqual([2, 1]);
  expect(new Set(ear.events.map(({ utterance }) => utterance)).size).toBe(4);
});

test("one that failed in other calls is not asked at all", () => {
  const breakers = new Breakers({ clock, logger: silentLogger });
  for (let time = 0; time < 10; time++) breakers.of("transcriber", "first").failed(new Error("scripted"));
  const ear = listen(breakers);
  ear.say("one");
  expect(ear.text()).toBe("one");
  expect(first.opened).toBe(0);
  expect(takeovers).toEqual([{ part: "transcriber", from: "first", to: "second", why: "down" }]);
});

test("nothing is said after close", async () => {
  first.mute = true;
  const ear = listen();
  ear.say("one", "two");
  ear.stream.close();
  ear.stream.close();
  ear.say("three");
  first.fail(new Error("late"));
  await clock.advance(5000);
  expect([ear.events, ear.failures, second.opened, clock.pending]).toEqual([[], [], 0, 0]);
});
