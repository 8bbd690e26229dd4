import { expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import turnDetector from "../../src/adapters/turn-detector/model-server/model-server.ts";
import { serveModels } from "../../src/model-server/serve-models.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";
import { CallRig } from "../kit/call-rig.ts";
import { says } from "../kit/scripted-dialogue.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { watchForLeaks } from "../kit/leaks.ts";

test("what a model server hears of a turn's end decides how long the call waits, and its absence changes nothing", async () => {
  const leaks = watchForLeaks();
  const clock = new SystemClock();
  const sounds: number[] = [];
  let verdict = 0.98;
  const judge = (samples: Int16Array) => {
    sounds.push(samples.length / 16);
    return Promise.resolve(verdict);
  };
  const served = {
    synthesizers: [],
    models: [],
    turnDetector: { name: "scripted", windowMs: 8000, judge, close: async () => undefined },
  };
  const server = await serveModels(served, { clock, logger: silentLogger(), address: "127.0.0.1:0" });
  const remote = await turnDetector.create(
    { MODEL_SERVER_URL: `grpc://127.0.0.1:${server.port}` },
    adapterDeps({ clock }),
  );
  const waited = async (): Promise<number> => {
    let settled = Promise.withResolvers<void>();
    const rig = new CallRig({
      plan: { endpoint: { type: "SEMANTIC", mode: "DEFAULT" } },
      caller: [{ text: "I want to book a table", fromMs: 4000, untilMs: 5000 }],
      answers: [[says("Thanks.")]],
      turnDetector: {
        name: remote.name,
        windowMs: remote.windowMs,
        close: () => remote.close(),
        judge: (samples) => remote.judge(samples).finally(() => settled.resolve()),
      },
    });
    await rig.answer();
    // The call's time stands still while the network does its work.
    await rig.at(5300);
    await settled.promise;
    settled = Promise.withResolvers();
    await rig.clock.until(() => rig.dialogue.asked.length > 0, 15_000);
    const ms = rig.now - 5000;
    await rig.at(16_000);
    await rig.close();
    return ms;
  };
  const sooner = await waited();
  verdict = 0.02;
  const later = await waited();
  await server.close();
  const without = await waited();
  expect(sooner).toBeLessThan(without - 300);
  expect(later).toBeGreaterThan(without + 100);
  // The sound of the whole turn, from its first voice to its last.
  for (const ms of sounds) expect(Math.abs(ms - 1000)).toBeLessThan(150);
  await remote.close();
  await leaks();
});
