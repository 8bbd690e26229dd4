import { mkdirSync, writeFileSync } from "node:fs";
import { Session, type Profiler } from "node:inspector/promises";
import { join, resolve } from "node:path";
import { engineCalls } from "../engine/virtual-calls.ts";
import { flameSvg } from "./flame-svg.ts";
import { flamesOf } from "./profile-tree.ts";

const USAGE = "npm run bench -- flame [folder]   draws frame-path.svg and turn.svg, into docs/flames unless told";

const EVERY_US = 200;

/** What runs for every frame of 20 ms, and what runs for every turn, by the functions that they begin at. */
const PICTURES = [
  {
    file: "frame-path.svg",
    title:
      "A call's frames: from the carrier's message to the transcriber, and from the sound of an answer to the line",
    roots: ["message media-line.ts", "#tick speak.ts"],
  },
  {
    file: "turn.svg",
    title: "A call's turns: events and decisions, the model's words, and the voice's sound",
    roots: ["#read run-call.ts", "readMoves reply.ts", "speakRun reply.ts", "probability hear.ts"],
  },
] as const;

/** Profiles scripted calls in virtual time and draws where their time goes. */
export const run = async (args: readonly string[]): Promise<void> => {
  if (args.includes("--help") || args.length > 1) {
    console.log(USAGE);
    return;
  }
  const folder = resolve(args[0] ?? "docs/flames");
  for (let warm = 0; warm < 3; warm += 1) await engineCalls(20, 10_000);
  const profile = await profiled(async () => {
    await engineCalls(50, 40_000);
  });
  mkdirSync(folder, { recursive: true });
  for (const { file, title, roots } of PICTURES) {
    const path = join(folder, file);
    writeFileSync(path, flameSvg(title, flamesOf(profile, roots)));
    console.log(path);
  }
};

const profiled = async (work: () => Promise<void>): Promise<Profiler.Profile> => {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: EVERY_US });
  await session.post("Profiler.start");
  await work();
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  return profile;
};
