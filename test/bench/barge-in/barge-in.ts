import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { makeSpeaker } from "../../kit/spoken.ts";
import { HearingEngines } from "./engines.ts";
import { heardCall } from "./heard-call.ts";
import { KOKORO_VOICES, KokoroSpeaker } from "../../kit/kokoro-speaker.ts";
import { falsePauses } from "./disturbances.ts";
import { ALL_PEOPLE, type Talk } from "./people.ts";
import { anySpeech, manyInterruptions, SENSITIVITIES, situations, TEXTS } from "./situations.ts";

const USAGE = `npm run bench -- barge-in [--count n] [--people n] [--call n] [--write] [--explain]`;

/** Interrupts an agent with sound that the local engines hear, in virtual time, and tells what it did. */
export const run = async (args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: "string", default: "60" },
      people: { type: "string", default: String(ALL_PEOPLE.length) },
      call: { type: "string", default: "100" },
      write: { type: "boolean", default: false },
      explain: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const engines = await HearingEngines.start();
  const [count, people, inOneCall] = [values.count, values.people, values.call].map(Number) as [number, number, number];
  const report = await measure(engines, { count, people, inOneCall, explain: values.explain });
  await engines.close();
  console.log(report);
  if (values.write) await writeReport(report);
};

type Extent = Readonly<{ count: number; people: number; inOneCall: number; explain: boolean }>;

const measure = async (engines: HearingEngines, { count, people, inOneCall, explain }: Extent): Promise<string> => {
  const talk = await everybody();
  const some = ALL_PEOPLE.slice(0, people);
  const silences: (readonly string[])[] = [];
  for (const sensitivity of SENSITIVITIES) {
    const delays = await anySpeech(() => engines.forCall(false), talk, ALL_PEOPLE, sensitivity, count);
    silences.push([sensitivity, String(delays.length), ...spread(delays)]);
  }
  const many = await manyInterruptions(() => engines.forCall(true), talk, ALL_PEOPLE, inOneCall);
  const rows: (readonly string[])[] = [];
  for (const { name, wanted, cases, right, scene } of situations(some)) {
    const calls = [];
    for (const sounds of cases(talk)) {
      const call = await heardCall(engines.forCall(true), sounds, scene);
      calls.push(call);
      if (explain && !right(call)) console.log(`✗ ${name}:`, JSON.stringify(call, undefined, 1));
    }
    const reactions = calls.flatMap((call) => call.reactions);
    rows.push([
      name,
      wanted,
      `${calls.filter(right).length} of ${calls.length}`,
      longest(reactions.flatMap(({ silentAfterMs }) => silentAfterMs ?? [])),
      longest(reactions.flatMap(({ backAfterMs }) => backAfterMs ?? [])),
    ]);
  }
  const disturbed = await falsePauses(() => engines.forCall(false), talk, DISTURBANCES);
  const date = new Date(new SystemClock().now()).toISOString().slice(0, 10);
  return [
    `${date}. Any speech over the agent: until it is silent at the caller's ear, from the first audible sample.`,
    table(["sensitivity", "interruptions", "median", "95 %", "longest"], silences),
    `${many.silentAfterMs.length} interruptions in one call: ${many.committed} committed, ${many.answers} answered; silent after ${spread(many.silentAfterMs.slice(0, 20))[1]} (95 % of the first twenty) and ${spread(many.silentAfterMs.slice(-20))[1]} (of the last).`,
    table(["the caller", "wanted", "so it was", "silent after at most", "sounds again after at most"], rows),
    table(
      ["a minute of", "makes the agent fall silent", "for"],
      disturbed.map(({ name, aMinute, silentMs }) => [name, `${aMinute.toFixed(1)} times`, ms(silentMs)]),
    ),
  ].join("\n\n");
};

/** Voices of flite speak when they are asked to, those of Kokoro have spoken before. */
const everybody = async (): Promise<Talk> => {
  const flite = await makeSpeaker();
  const kokoro = new KokoroSpeaker();
  const spoken = new Map<string, Int16Array>();
  const voices = KOKORO_VOICES.filter((name) => ALL_PEOPLE.some(({ voice }) => voice === name));
  for (const voice of voices) for (const text of TEXTS) spoken.set(`${voice} ${text}`, await kokoro.speak(text, voice));
  await kokoro.close();
  return (text, voice) => {
    if (voice === "rms" || voice === "slt" || voice === "kal16") return flite(text, voice);
    const sound = spoken.get(`${voice} ${text}`);
    if (sound === undefined) throw new Error(`${voice} has not spoken: ${text}`);
    return sound;
  };
};

/** So often each disturbance is made. */
const DISTURBANCES = 30;

const ms = (value: number): string => `${Math.round(value)} ms`;

/** Median, 95 % and the longest. */
const spread = (values: readonly number[]): readonly [string, string, string] => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    ms(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
  return [at(0.5), at(0.95), at(1)];
};

const longest = (values: readonly number[]): string => (values.length === 0 ? "–" : ms(Math.max(...values)));

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

const DOCS = fileURLToPath(new URL("../../../docs/turn-taking.md", import.meta.url));
const BEGIN = "<!-- made by npm run bench -- barge-in --write -->";
const END = "<!-- end of barge-in -->";

const writeReport = async (report: string): Promise<void> => {
  const text = await readFile(DOCS, "utf8");
  const from = text.indexOf(BEGIN);
  const until = text.indexOf(END);
  if (from === -1 || until < from) throw new Error(`${DOCS} has lost the marks that the tables stand between`);
  await writeFile(DOCS, `${text.slice(0, from + BEGIN.length)}\n${report}\n${text.slice(until)}`);
};
