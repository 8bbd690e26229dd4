import { afterEach, expect, test } from "vitest";
import { tone } from "../../../kit/tones.ts";
import { LineLog, networkRig, type Rig } from "./network-rig.ts";

const speak = async () => ({ samples: tone(300, 200, 16_000), sampleRate: 16_000 });
const patience = () => new AbortController().signal;

/** Answers, never speaks and never hangs up. */
const PATIENT = "+12025550126";

let rig: Rig | undefined;

afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const connected = async () => {
  const made = await networkRig({ speak });
  rig = made;
  const request = made.request(PATIENT);
  const outcome = await made.network.place(request, patience());
  if (outcome.type !== "accepted") throw new Error(`not accepted: ${outcome.type}`);
  const log = new LineLog();
  (await made.nextLine()).listen(log);
  return { made, network: made.network, callId: outcome.callId, dialId: request.dialId, log };
};

const BACK = { summary: { text: "Ada calls.", language: "en" } };

test("a person goes where somebody picks up and was told what it is about, their media stops, and the call is reported when they have talked there", async () => {
  const { made, network, callId, dialId, log } = await connected();
  expect(await network.transfer(callId, "+12025550123", patience(), BACK)).toBe("transferred");
  expect(network.call(dialId)?.told).toEqual(["Ada calls."]);
  await log.until(() => log.gone_ !== undefined);
  expect(log.gone_).toBe("hung-up");
  expect(await network.lookUp({ dialId })).toMatchObject({ state: "in-progress" });
  expect((await made.report("ended")).call).toMatchObject({ end: { cause: "completed" } });
  expect(await network.transfer(callId, "+12025550123", patience())).toBe("failed");
});

test("where nobody picks up the person stays with us", async () => {
  const { network, callId, dialId, log } = await connected();
  const nobody = ["+12025550130", "+12025550133", "+12025550134", "+12025550199", "+4930123456", "911", ""];
  const outcomes = await Promise.all(nobody.map((to) => network.transfer(callId, to, patience(), BACK)));
  expect(new Set(outcomes)).toEqual(new Set(["failed"]));
  expect(network.call(dialId)?.told).toEqual([]);
  expect(await network.transfer("CA0", "+12025550123", patience())).toBe("failed");
  const controller = new AbortController();
  const given = network.transfer(callId, "+12025550131", controller.signal);
  controller.abort();
  expect(await given).toBe("failed");
  const before = log.frames.length;
  await log.until(() => log.frames.length > before + 5);
  expect(log.gone_).toBeUndefined();
});

test("a person who hangs up while it rings elsewhere was not transferred", async () => {
  const { network, callId, log } = await connected();
  const transfer = network.transfer(callId, "+12025550124", patience());
  await network.hangUp(callId);
  expect(await transfer).toBe("failed");
  await log.until(() => log.gone_ !== undefined);
});
