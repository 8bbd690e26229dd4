import { expect, test } from "vitest";
import { Background } from "../../src/audio/background.ts";
import { decodeMulaw } from "../../src/audio/g711.ts";
import { withBackground } from "../../src/call/background-line.ts";
import type { LineListener } from "../../src/ports/transport.ts";
import { ScriptedLine, type LineOptions } from "../kit/scripted-line.ts";
import { concat, envelope, tone } from "../kit/tones.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const hum = () => new Background(tone(300, 1000, 8000), 20);

/** Codes that tell whether they were touched: no two neighbours are alike. */
const speech = Uint8Array.from({ length: 160 }, (_, index) => (index % 2 === 0 ? 0x0a : 0x8a));

const start = async (
  options: LineOptions = {},
  background: Promise<Background | undefined> = Promise.resolve(hum()),
) => {
  const clock = new VirtualClock();
  const far = new ScriptedLine(clock, options);
  const line = withBackground(far, background, clock);
  const events: string[] = [];
  const listener: LineListener = {
    frame: () => events.push("frame"),
    digit: (digit) => events.push(`digit ${digit}`),
    mark: (name) => events.push(`mark ${name}`),
    gone: (why) => events.push(`gone ${why}`),
  };
  line.listen(listener);
  await clock.settle();
  return { clock, far, line, events };
};

const heard = ({ heard }: ScriptedLine): Int16Array => concat(...heard.map(({ payload }) => decodeMulaw(payload)));

const gaps = ({ heard }: ScriptedLine): number[] =>
  heard.slice(1).map(({ fromMs }, index) => fromMs - (heard[index]?.untilMs ?? 0));

test.each(["far-end", "none"] as const)(
  "while the agent is silent the background goes on without a gap: %s",
  async (queue) => {
    const { clock, far, line } = await start({ queue });
    await clock.advance(2000);
    expect(far.playedMs).toBeGreaterThan(1900);
    expect(far.playedMs).toBeLessThan(2100);
    expect(Math.max(...gaps(far))).toBeLessThan(11);
    expect(envelope(heard(far), 8000).every((level) => level > 0.01)).toBe(true);
    line.close();
    expect(clock.pending).toBe(0);
  },
);

test("what the agent says is heard at most 60 ms later than without it, and its marks come back behind it", async () => {
  const { clock, far, line, events } = await start();
  await clock.advance(1000);
  const before = far.heard.length;
  line.send(speech);
  line.mark("said");
  const said = far.heard[before];
  expect((said?.fromMs ?? 0) - clock.monotonic()).toBeLessThanOrEqual(60);
  expect(said?.payload).not.toEqual(speech);
  await clock.advance(100);
  expect(events).toEqual(["mark said"]);
  line.close();
});

test("sound ahead of time is not followed by background before its time, and clear makes room for it at once", async () => {
  const { clock, far, line } = await start();
  await clock.advance(200);
  for (let count = 0; count < 20; count++) line.send(speech);
  const sent = far.heard.length;
  await clock.advance(200);
  expect(far.heard).toHaveLength(sent);
  line.clear();
  await clock.advance(300);
  const [last] = far.heard.slice(-1);
  expect(last?.untilMs).toBeGreaterThanOrEqual(clock.monotonic());
  expect(Math.max(...gaps(far))).toBeLessThan(31);
  line.close();
});

test("on a line that plays at once, speech that is a little late is not torn", async () => {
  const { clock, far, line } = await start({ queue: "none" });
  await clock.advance(100);
  line.send(speech);
  const sent = far.heard.length;
  await clock.advance(60);
  expect(far.heard).toHaveLength(sent);
  line.send(speech);
  await clock.advance(300);
  expect(far.heard.length).toBeGreaterThan(sent + 8);
  line.close();
});

test("without a background, and until there is one, bytes pass as they are", async () => {
  const none = await start({}, Promise.resolve(undefined));
  none.line.send(speech);
  await none.clock.advance(1000);
  expect(none.far.heard.map(({ payload }) => payload)).toEqual([speech]);
  expect(none.far.heard[0]?.payload).toBe(speech);

  let arrive: (background: Background) => void = () => undefined;
  const late = await start({}, new Promise((resolve) => (arrive = resolve)));
  late.line.send(speech);
  expect(late.far.heard[0]?.payload).toBe(speech);
  arrive(hum());
  await late.clock.advance(500);
  expect(late.far.playedMs).toBeGreaterThan(480);
  late.line.close();
});

test("it ends with the line", async () => {
  const { clock, far, line, events } = await start();
  far.press("5");
  far.end("hung-up");
  expect(events).toEqual(["digit 5", "gone hung-up"]);
  const sent = far.heard.length;
  await clock.advance(1000);
  expect(far.heard).toHaveLength(sent);
  expect(clock.pending).toBe(0);
  line.close();
  expect(far.closed).toBe(true);
});
