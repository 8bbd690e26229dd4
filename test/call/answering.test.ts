import { expect, test } from "vitest";
import { encodeMulaw } from "../../src/audio/g711.ts";
import { CallRig, type RigOptions } from "../kit/call-rig.ts";
import { says } from "../kit/scripted-dialogue.ts";
import { callerVoice } from "../kit/scripted-engines.ts";
import { concat, silence, tone } from "../kit/tones.ts";

const GREETING = "You have reached Sarah Miller. Please leave a message after the tone.";
const MESSAGE = "Hello Sarah, this is Robin from Acme. Please call us back.";

type Signal = Readonly<{ frequency: number; fromMs: number; ms: number }>;

/** A call to a phone that makes signals beside what is said there. */
const callTo = async (options: RigOptions, signals: readonly Signal[] = []): Promise<CallRig> => {
  const rig = new CallRig(options);
  const voice = callerVoice(() => rig.caller);
  const sounds = signals.map(({ frequency, fromMs, ms }) => ({
    from: fromMs / 20,
    sound: encodeMulaw(concat(tone(frequency, ms, 8000, 0.3), silence(20, 8000))),
  }));
  const open = rig.line.openMicrophone.bind(rig.line);
  const phone = (frame: number): Uint8Array => {
    for (const { from, sound } of sounds) {
      const piece = sound.subarray((frame - from) * 160, (frame - from + 1) * 160);
      if (frame >= from && piece.length === 160) return piece;
    }
    return voice(frame);
  };
  rig.line.openMicrophone = () => {
    open(phone);
  };
  await rig.answer();
  return rig;
};

const leaves = { voicemail: { action: "leave_message", message: MESSAGE } } as const;
const hangsUp = { voicemail: { action: "hangup", message: "" } } as const;

const saidByAgent = (rig: CallRig) => rig.transcript.flatMap(({ speaker, text }) => (speaker === "AI" ? [text] : []));

test("a voicemail is hung up on as soon as its greeting is known", async () => {
  const rig = await callTo({ plan: hangsUp, caller: [{ text: GREETING, fromMs: 600, untilMs: 4600 }] });
  expect(await rig.untilEnd()).toMatchObject({ reason: "voicemail", endedBy: "agent" });
  expect(rig.now).toBeLessThan(5200);
  expect(rig.transcript.at(-1)).toMatchObject({ speaker: "IVR", text: GREETING });
  expect(rig.dialogue.asked).toEqual([]);
  await rig.close();
});

test("a message is left after the beep, and nothing interrupts it", async () => {
  const rig = await callTo(
    {
      plan: leaves,
      caller: [
        { text: GREETING, fromMs: 600, untilMs: 4600 },
        { text: "Mailbox.", fromMs: 7500, untilMs: 8500 },
      ],
    },
    [{ frequency: 1000, fromMs: 5400, ms: 500 }],
  );
  expect(await rig.untilEnd()).toMatchObject({ reason: "voicemail", endedBy: "agent" });
  expect(saidByAgent(rig).at(-1)).toBe(MESSAGE);
  const last = rig.playback.at(-1);
  // The beep ends at 5.9 s.
  expect(last?.fromMs).toBeGreaterThan(5900 + 250);
  expect(last?.fromMs).toBeLessThan(5900 + 900);
  expect((last?.untilMs ?? 0) - (last?.fromMs ?? 0)).toBeGreaterThan(MESSAGE.length * 40);
  expect(rig.dialogue.asked).toEqual([]);
  await rig.close();
});

test("of a greeting with pauses all of it is waited for, and a second beep too", async () => {
  const rig = await callTo(
    {
      plan: leaves,
      caller: [
        { text: "Hi, this is Sarah's phone, please leave a message.", fromMs: 500, untilMs: 3500 },
        { text: "I will call you back as soon as I can.", fromMs: 5500, untilMs: 7500 },
      ],
    },
    [
      { frequency: 800, fromMs: 9000, ms: 200 },
      { frequency: 800, fromMs: 9400, ms: 200 },
    ],
  );
  await rig.untilEnd();
  expect(rig.playback.at(-1)?.fromMs).toBeGreaterThan(9600 + 250);
  expect(rig.transcript.filter(({ speaker }) => speaker === "IVR")).toHaveLength(2);
  await rig.close();
});

test("where no beep comes, the message is left after four seconds of silence", async () => {
  const rig = await callTo({ plan: leaves, caller: [{ text: GREETING, fromMs: 600, untilMs: 4600 }] });
  expect((await rig.untilEnd()).reason).toBe("voicemail");
  expect(rig.playback.at(-1)?.fromMs).toBeGreaterThan(4600 + 3900);
  expect(rig.playback.at(-1)?.fromMs).toBeLessThan(4600 + 5000);
  expect(saidByAgent(rig).at(-1)).toBe(MESSAGE);
  await rig.close();
});

test("a greeting without end is spoken over after a minute", async () => {
  const caller = [
    { text: GREETING, fromMs: 600, untilMs: 4600 },
    ...Array.from({ length: 50 }, (_, index) => ({
      text: "La la la.",
      fromMs: 6000 + index * 2500,
      untilMs: 8000 + index * 2500,
    })),
  ];
  const rig = await callTo({ plan: leaves, caller });
  expect((await rig.untilEnd()).reason).toBe("voicemail");
  const from = rig.playback.at(-1)?.fromMs ?? 0;
  expect(from).toBeGreaterThan(60_000);
  expect(from).toBeLessThan(68_000);
  await rig.close();
});

test("a beep behind speech that was not understood is a voicemail's", async () => {
  const rig = await callTo(
    {
      plan: leaves,
      caller: [{ text: "Sarah Miller and family", fromMs: 600, untilMs: 3600 }],
      answers: [[says("Sorry?")]],
      finalMs: 2500,
    },
    [{ frequency: 1400, fromMs: 4200, ms: 400 }],
  );
  expect((await rig.untilEnd()).reason).toBe("voicemail");
  expect(saidByAgent(rig).at(-1)).toBe(MESSAGE);
  await rig.discard();
});

test("a person who picks up while the greeting runs is talked to", async () => {
  const rig = await callTo({
    plan: leaves,
    caller: [
      { text: GREETING, fromMs: 600, untilMs: 4600 },
      { text: "Hello? Sorry, I'm here!", fromMs: 5400, untilMs: 6600 },
    ],
    answers: [[says("Oh, hello Sarah.")]],
  });
  await rig.at(12_000);
  expect(saidByAgent(rig).at(-1)).toBe("Oh, hello Sarah.");
  expect(rig.transcript.filter(({ speaker }) => speaker !== "AI").map(({ speaker }) => speaker)).toEqual([
    "IVR",
    "HUMAN",
  ]);
  expect(rig.end).toBeUndefined();
  await rig.close();
});

test("an agent that goes on talks to a voicemail as to anybody", async () => {
  const rig = await callTo({
    plan: { voicemail: { action: "continue", message: "" } },
    caller: [{ text: GREETING, fromMs: 600, untilMs: 4600 }],
    answers: [[says("This is Robin.")]],
  });
  await rig.at(10_000);
  expect(saidByAgent(rig).at(-1)).toBe("This is Robin.");
  expect(rig.transcript.some(({ speaker }) => speaker === "IVR")).toBe(true);
  expect(rig.end).toBeUndefined();
  await rig.close();
});

test("people are never hung up on for what they say of voicemails, nor later in a call", async () => {
  const rig = await callTo({
    plan: hangsUp,
    caller: [
      { text: "Hello?", fromMs: 2000, untilMs: 2500 },
      { text: "He is not in, can I take a message?", fromMs: 6000, untilMs: 8000 },
      { text: "Okay.", fromMs: 11_000, untilMs: 11_400 },
      { text: "Then please leave a message after the beep.", fromMs: 15_000, untilMs: 17_000 },
    ],
    answers: [[says("Hi.")], [says("Yes please.")], [says("Fine.")], [says("Bye.")]],
  });
  await rig.at(22_000);
  expect(rig.end).toBeUndefined();
  expect(rig.dialogue.asked).toHaveLength(4);
  await rig.close();
});

test("a fax machine is hung up on, and its tones stand in the transcript", async () => {
  const rig = await callTo({ plan: leaves }, [{ frequency: 2100, fromMs: 1000, ms: 3000 }]);
  expect(await rig.untilEnd()).toMatchObject({ reason: "voicemail", endedBy: "agent" });
  expect(rig.now).toBeLessThan(2600);
  expect(rig.transcript.at(-1)).toMatchObject({ speaker: "IVR", text: "(fax tones)" });
  await rig.close();
});

test("a recorder that has enough hangs up on a message: it was a voicemail all the same", async () => {
  const rig = await callTo({ plan: leaves, caller: [{ text: GREETING, fromMs: 600, untilMs: 4600 }] }, [
    { frequency: 1000, fromMs: 5400, ms: 500 },
  ]);
  await rig.at(7500);
  rig.line.end("hung-up");
  expect((await rig.untilEnd()).reason).toBe("voicemail");
  await rig.close();
});

test("who calls us is nobody's voicemail", async () => {
  const rig = await callTo({
    plan: { direction: "inbound" },
    caller: [{ text: GREETING, fromMs: 2600, untilMs: 4600 }],
    answers: [[says("Pardon?")]],
  });
  await rig.at(9000);
  expect(rig.end).toBeUndefined();
  await rig.close();
});

test("a carrier that tells of a machine tips the scales where the words alone do not", async () => {
  const caller = [{ text: "The Millers. We are out walking the dog.", fromMs: 600, untilMs: 3600 }];
  const unsure = await callTo({ plan: leaves, caller, answers: [[says("Hello?")]] });
  await unsure.at(8000);
  expect(unsure.dialogue.asked).toHaveLength(1);
  await unsure.close();

  const told = await callTo({ plan: leaves, caller });
  await told.at(1500);
  told.handle?.answeredBy("machine");
  expect((await told.untilEnd()).reason).toBe("voicemail");
  expect(saidByAgent(told).at(-1)).toBe(MESSAGE);
  expect(told.transcript.filter(({ speaker }) => speaker === "IVR")).toHaveLength(1);
  await told.close();
});

test("a person who asks who is calling stays a person, whatever the carrier says", async () => {
  for (const by of ["machine", "fax"] as const) {
    const rig = await callTo({
      plan: hangsUp,
      caller: [{ text: "Hello, who is this?", fromMs: 600, untilMs: 3000 }],
      answers: [[says("It is Robin.")]],
    });
    await rig.at(3400);
    rig.handle?.answeredBy(by);
    await rig.at(8000);
    expect(rig.end).toBeUndefined();
    expect(saidByAgent(rig).at(-1)).toBe("It is Robin.");
    await rig.close();
  }
});

test("a fax machine that only the carrier hears is hung up on", async () => {
  const rig = await callTo({ plan: leaves });
  await rig.at(3000);
  rig.handle?.answeredBy("fax");
  expect(await rig.untilEnd()).toMatchObject({ reason: "voicemail", endedBy: "agent" });
  await rig.close();
});

test("while an assistant screens the call it stands in the transcript as a machine, and is not asked whether it is there", async () => {
  const rig = await callTo({
    plan: { ...leaves, idle: { enabled: true, messages: ["Are you there?"], afterMs: 5000, maxMessages: 3 } },
    caller: [
      {
        text: "Hi, if you record your name and reason for calling, I'll see if this person is available.",
        fromMs: 600,
        untilMs: 5000,
      },
      { text: "Thanks. Please stay on the line.", fromMs: 9000, untilMs: 11_000 },
      { text: "Hello, this is Anna.", fromMs: 35_000, untilMs: 36_500 },
    ],
    answers: [[says("Robin of Acme, about your order.")], [], [says("Hello Anna.")]],
  });
  await rig.at(34_000);
  expect(saidByAgent(rig).join(" ")).not.toContain("Are you there?");
  await rig.at(45_500);
  expect(rig.transcript.flatMap(({ speaker }) => (speaker === "AI" ? [] : [speaker]))).toEqual(["IVR", "IVR", "HUMAN"]);
  expect(saidByAgent(rig).slice(-2)).toEqual(["Hello Anna.", "Are you there?"]);
  rig.line.end("hung-up");
  await rig.untilEnd();
  await rig.close();
});

test("an assistant that never comes back is asked after a minute, so that the call does not stand for ever", async () => {
  const rig = await callTo({
    plan: { ...leaves, idle: { enabled: true, messages: ["Are you there?"], afterMs: 5000, maxMessages: 1 } },
    caller: [{ text: "State your name and why you are calling.", fromMs: 600, untilMs: 4000 }],
    answers: [[says("Robin of Acme.")]],
  });
  expect(await rig.untilEnd(200_000)).toMatchObject({ reason: "idle" });
  expect(rig.now).toBeGreaterThan(120_000);
  await rig.close();
});
