import { afterEach, beforeAll, expect, test } from "vitest";
import { keySound } from "../../src/audio/dtmf.ts";
import { Resampler } from "../../src/audio/resampler.ts";
import { readWav, writeWav } from "../../src/audio/wav.ts";
import { Baresip } from "../kit/baresip.ts";
import { fidelityOf } from "../kit/fidelity.ts";
import { makeSpeaker } from "../kit/spoken.ts";
import { concat, silence } from "../kit/tones.ts";
import {
  answering,
  freePort,
  openTrunk,
  patience,
  placeRequest,
  type Trunk,
} from "../adapters/carrier/sip/trunk-rig.ts";

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});

let ours: Int16Array;
let theirs: Int16Array;

beforeAll(async () => {
  const speak = await makeSpeaker();
  const onTelephone = (text: string, voice: "rms" | "slt") => new Resampler(16_000, 8000).process(speak(text, voice));
  ours = onTelephone("Good morning, this is the agent of the clinic. How may I help you today?", "rms");
  theirs = onTelephone("Hello there, I would like to move my appointment to next Friday afternoon.", "slt");
});

const startPhone = async (answers: boolean): Promise<Baresip> => {
  // It hangs up at the end of what it plays.
  const speaks = writeWav({ samples: concat(theirs, silence(20_000, 8000)), sampleRate: 8000 });
  const phone = await Baresip.start({ port: await freePort(), control: await freePort(), speaks, answers });
  open.push(phone);
  return phone;
};

const startTrunk = async (serverPort: number): Promise<Trunk> => {
  const trunk = await openTrunk(await freePort(), serverPort);
  open.push({ close: () => trunk.carrier.close() });
  return trunk;
};

test("a telephone that we ring hears us and is heard, and keys go both ways", async () => {
  const phone = await startPhone(true);
  const { carrier, host } = await startTrunk(phone.port);
  const request = placeRequest("phone");
  expect(await carrier.place(request, patience())).toMatchObject({ type: "accepted" });
  const line = await host.aLine();
  await line.play(concat(ours, silence(200, 8000), keySound("7", 8000), keySound("#", 8000), silence(300, 8000)));
  expect((await phone.until(({ type }) => type === "CALL_DTMF_START")).param).toBe("7");
  await phone.until(({ type, param }) => type === "CALL_DTMF_START" && param === "#");
  await phone.command("sndcode", "5");
  expect(await line.keys(1)).toEqual(["5"]);
  await carrier.hangUp(request.dialId, patience());
  await phone.event("CALL_CLOSED");
  expect(fidelityOf(theirs, line.sound, 8000).median).toBeGreaterThan(0.99);
  const heard = readWav(await phone.heard());
  expect(heard.sampleRate).toBe(8000);
  expect(fidelityOf(ours, heard.samples, 8000).median).toBeGreaterThan(0.99);
});

test("a telephone that rings us is answered, held, and connected with somebody else", async () => {
  const phone = await startPhone(false);
  // Whom it is connected with is behind the trunk, and picks up at one number only.
  const target = await startTrunk(phone.port);
  const trunk = await startTrunk(target.port);
  answering(trunk);
  const goneTo: string[] = [];
  target.host.onRing = (call) => {
    goneTo.push(call.to);
    const { carrier } = target;
    if (call.to === "+12025550190") void carrier.decline?.(call, "busy", patience());
    else void carrier.answer?.(call, { ...placeRequest(""), dialId: "target" }, patience());
  };
  await phone.command("dial", `sip:12025550100@127.0.0.1:${trunk.port}`);
  const line = await trunk.host.aLine();
  expect(trunk.host.rings).toMatchObject([{ to: "+12025550100", from: "phone" }]);
  const callId = trunk.host.rings[0]?.callId ?? "";
  await line.play(ours);
  expect(fidelityOf(theirs, line.sound, 8000).median).toBeGreaterThan(0.99);
  await phone.command("hold");
  await phone.command("resume");
  const back = { answerUrl: "", callerId: "+12025550100" };
  expect(await trunk.carrier.transfer?.(callId, "+12025550190", patience(), back)).toBe("failed");
  expect(await trunk.carrier.lookUp({ dialId: "", callId }, patience())).toMatchObject({ state: "in-progress" });
  expect(await trunk.carrier.transfer?.(callId, "+12025550191", patience(), back)).toBe("transferred");
  expect(goneTo).toEqual(["+12025550190", "+12025550191"]);
  await target.host.aLine();
  line.line.close();
  expect(await trunk.host.anEnd()).toMatchObject({ end: { cause: "completed" } });
});
