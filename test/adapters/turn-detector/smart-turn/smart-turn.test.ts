import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import { SmartTurnDetector } from "../../../../src/adapters/turn-detector/smart-turn/detector.ts";
import { featuresOf } from "../../../../src/adapters/turn-detector/smart-turn/features.ts";
import smartTurn from "../../../../src/adapters/turn-detector/smart-turn/smart-turn.ts";
import { adapterDeps } from "../../../kit/adapter-deps.ts";
import { tinyTurnNetwork } from "../../../kit/tiny-turn-network.ts";
import { hiss } from "../../../kit/spoken.ts";
import { tone } from "../../../kit/tones.ts";

const clock = new SystemClock();
let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "smart-turn-"));
  path = join(folder, "tiny.onnx");
  await writeFile(path, tinyTurnNetwork());
});
afterAll(() => rm(folder, { recursive: true }));

/** What the tiny network makes of the features, computed here. */
const expected = (samples: Int16Array): number => {
  const features = featuresOf(samples);
  return 1 / (1 + Math.exp(-features.reduce((sum, each) => sum + each, 0) / features.length));
};

test("the network is given the features of the last eight seconds, and its probability comes back", async () => {
  const detector = await smartTurn.create({ SMART_TURN_MODEL: path }, adapterDeps({ clock }));
  for (const sound of [tone(300, 2000, 16_000), hiss(500, 0.3), tone(500, 11_000, 16_000), new Int16Array(0)])
    expect(await detector.judge(sound)).toBeCloseTo(expected(sound), 4);
  await detector.close();
});

test("judgements that are asked for at once all come, and too many are refused", async () => {
  const detector = new SmartTurnDetector(path, clock);
  await detector.start();
  const sounds = Array.from({ length: 20 }, (_, index) => tone(200 + 20 * index, 300, 16_000));
  const answers = await Promise.allSettled(sounds.map((sound) => detector.judge(sound)));
  expect(answers.slice(16).every(({ status }) => status === "rejected")).toBe(true);
  const first = answers[0];
  expect(first?.status === "fulfilled" ? first.value : Number.NaN).toBeCloseTo(
    expected(sounds[0] ?? new Int16Array(0)),
    4,
  );
  await detector.close();
});

test("without a file it says what to do, with a wrong one it does not start", async () => {
  const deps = adapterDeps({ clock });
  expect(await smartTurn.available({})).toContain("SMART_TURN_MODEL");
  expect(await smartTurn.available({ SMART_TURN_MODEL: join(folder, "none.onnx") })).toContain("cannot be read");
  expect(await smartTurn.available({ SMART_TURN_MODEL: path })).toBe(true);
  const odd = join(folder, "odd.onnx");
  await writeFile(odd, tinyTurnNetwork([1, 80, 100]));
  await expect(smartTurn.create({ SMART_TURN_MODEL: odd }, deps)).rejects.toThrow(/Smart Turn/);
  await writeFile(odd, "this is no network");
  await expect(smartTurn.create({ SMART_TURN_MODEL: odd }, deps)).rejects.toThrow(/Smart Turn/);
});

test("a detector that is closed refuses", async () => {
  const detector = new SmartTurnDetector(path, clock);
  await detector.start();
  await detector.close();
  await detector.close();
  await expect(detector.judge(new Int16Array(100))).rejects.toThrow("not running");
});
