import { parseArgs } from "node:util";
import { Observer, type Observation } from "./observe.ts";
import { CHECK_PHRASES } from "./check-phrases.ts";
import { REPORT_PHRASES } from "./report-phrases.ts";
import { MORE_TUNING_PHRASES } from "./more-tuning-phrases.ts";
import { makeSoundSet, PEOPLE } from "./sound-set.ts";
import { THIRD_PHRASES } from "./third-phrases.ts";
import { TUNING_PHRASES } from "./tuning-phrases.ts";
import { explain } from "./explain.ts";
import { reportOf, asMarkdown, writeReport } from "./report.ts";

const SEED = 20_261;

const USAGE = `npm run bench -- turns [--set report|check|third|tuning] [--seed n] [--voices n] [--people flite|kokoro|all] [--json file] [--write] [--explain]`;

/** Measures the policies of turn-taking on speech with pauses of known kinds. */
export const run = async (args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      set: { type: "string", default: "report" },
      seed: { type: "string", default: String(SEED) },
      voices: { type: "string", default: "2" },
      people: { type: "string", default: "flite" },
      json: { type: "string" },
      write: { type: "boolean", default: false },
      explain: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const phrases = {
    report: REPORT_PHRASES,
    check: CHECK_PHRASES,
    third: THIRD_PHRASES,
    tuning: [...TUNING_PHRASES, ...MORE_TUNING_PHRASES],
  }[values.set];
  const people = PEOPLE[values.people];
  if (values.help || phrases === undefined || people === undefined) {
    console.log(USAGE);
    return;
  }
  const seed = Number(values.seed);
  const samples = await makeSoundSet(phrases, seed, Number(values.voices), people);
  const observer = await Observer.start();
  const set: Observation[] = [];
  for (const sample of samples) {
    set.push(await observer.observe(sample));
    if (process.stderr.isTTY) process.stderr.write(`\r${set.length} of ${samples.length} heard`);
  }
  await observer.close();
  if (values.explain) explain(set);
  const report = reportOf(set, { set: values.set, seed, decodeMs: observer.decodeMs });
  console.log(asMarkdown(report));
  await writeReport(report, { json: values.json, docs: values.write });
};
