import { expect, test } from "vitest";
import { longestCallMs, planCall, type PlanInput } from "../../src/dials/plan-call.ts";
import { ownWordsIn } from "../../src/dialogue/own-words.ts";
import type { Agent } from "../../src/model/agent.ts";
import { Refusal } from "../../src/dials/refusal.ts";
import { ENGINES } from "../kit/api-rig.ts";

const input = (more: Partial<PlanInput> = {}): PlanInput => ({
  dialId: "d1",
  workspaceId: "w1",
  agent: { id: "a1", name: "Anna", language: "en" },
  prompt: { id: "p1", name: "First", agentType: "STANDARD", prompt: "You are Anna.", aiModelId: "scripted" },
  functions: [],
  from: { id: "n1", number: "+12025550100", type: "PSTN", carrier: "loopback", carrierAccountId: "acct" },
  toNumber: "+12025550123",
  request: { callAgentId: "a1" },
  engines: ENGINES,
  warnings: [],
  ...more,
});

const codeOf = (more: Partial<PlanInput>): string => {
  try {
    planCall(input(more));
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return "planned";
};

const agent = (more: Partial<PlanInput["agent"]>): Partial<PlanInput> => ({ agent: { ...input().agent, ...more } });

test("an agent that says nothing gets every default", () => {
  expect(planCall(input())).toEqual({
    dialId: "d1",
    workspaceId: "w1",
    direction: "outbound",
    toNumber: "+12025550123",
    fromNumber: "+12025550100",
    fromNumberId: "n1",
    carrier: "acct",
    agent: input().agent,
    prompt: input().prompt,
    inputs: {},
    functions: [],
    startedMessages: {},
    language: "en",
    transcriber: { type: "local", keywords: [] },
    voice: { id: "anna", options: [], volumeDb: 0 },
    sensitivity: "MEDIUM",
    endpoint: { type: "SEMANTIC", mode: "DEFAULT" },
    filler: { afterMs: 1500, messages: ["One moment.", "Just a second.", "I'm still here."] },
    idle: { enabled: false, messages: ["Are you still there?"], afterMs: 10_000, maxMessages: 3 },
    maxDurationMs: 10_800_000,
    ringTimeoutMs: 45_000,
    voicemail: { action: "hangup", message: "" },
    warnings: [],
  });
});

test("of two limits the smaller holds, however large the other is", () => {
  expect(longestCallMs({ ...input().agent, maxDurationSeconds: 60 }, 525_600)).toBe(60_000);
  expect(longestCallMs(input().agent, 525_600)).toBe(10_800_000);
});

test("a call is recorded unless the agent says that it is not", () => {
  for (const recordingConfig of [{}, { enabled: true }])
    expect(planCall(input(agent({ recordingConfig })))).not.toHaveProperty("unrecorded");
  expect(planCall(input(agent({ recordingConfig: { enabled: false } }))).unrecorded).toBe(true);
});

test("a flow whose conditions nobody here can judge says so", () => {
  const rule = { conditionType: "language" as const, value: "The caller agrees.", transitionNodeId: "b" };
  const flowDefinition = { nodes: [{ id: "a", type: "freeform", transitionRules: [rule] }] };
  const prompt = { ...input().prompt, agentType: "CUSTOM_FLOW" as const, prompt: null, flowDefinition };
  const warningsOf = (scripted: boolean) => planCall(input({ prompt, engines: { ...ENGINES, scripted } })).warnings;
  expect(warningsOf(true)).toEqual([expect.stringContaining("conditions in plain words")]);
  expect(warningsOf(false)).toEqual([]);
});

test("what bridges a wait is the agent's, else the language's, else nothing", () => {
  const fillerOf = (more: Partial<PlanInput["agent"]>) => planCall(input(agent(more))).filler;
  expect(fillerOf({ fillerConfig: { messages: ["Hm."], afterMilliseconds: 900 } })).toEqual({
    afterMs: 900,
    messages: ["Hm."],
  });
  expect(fillerOf({ language: "en-GB" })?.messages[0]).toBe("One moment.");
  expect(fillerOf({ fillerConfig: { enabled: false } })).toBeUndefined();
  expect(fillerOf({ fillerConfig: { messages: [] } })).toBeUndefined();
  expect(fillerOf({ fillerConfig: { messages: [] }, additionalLanguages: ["de"] })).toBeUndefined();
  expect(ownWordsIn("de-AT")?.fillers[0]).toBe("Einen Moment.");
  expect(ownWordsIn("xx")).toBeUndefined();
});

test("what the agent and the request say is in the plan", () => {
  const plan = planCall(
    input({
      ...agent({
        transcriberParams: { type: "local", keywords: ["Ada", "Kokoro"] },
        utteranceDetectorConfig: { sensitivity: "ULTRA_FAST" },
        endpointDetectorConfig: { type: "SIMPLE", mode: "CONSERVATIVE" },
        idleMessageConfig: { enabled: true, messages: ["Hello?"], idleDurationMilliseconds: 5000, maxIdleMessages: 0 },
        maxDurationSeconds: 600,
        defaultVoiceId: "bert",
        openingLine: "Hello {{name}}, this is {{company}}.",
      }),
      request: {
        callAgentId: "a1",
        voiceVolumeLevel: -300,
        voiceOptionValues: [{ optionId: "speed", value: "1.5" }],
        aiVoiceId: "anna",
        overrideTranscriberFinalDurationMs: 0,
        timeoutMinutes: 5,
        callAgentInput: { name: "Ada" },
        keywords: ["Kokoro", "Silero"],
      },
    }),
  );
  expect(plan).toMatchObject({
    transcriber: { type: "local", keywords: ["Ada", "Kokoro", "Silero"] },
    sensitivity: "ULTRA_FAST",
    endpoint: { type: "SIMPLE", mode: "CONSERVATIVE", overrideFinalMs: 0 },
    idle: { enabled: true, messages: ["Hello?"], afterMs: 5000, maxMessages: 0 },
    maxDurationMs: 300_000,
    voice: { id: "anna", options: [{ optionId: "speed", value: "1.5" }], volumeDb: -30 },
    inputs: { name: "Ada" },
    openingLine: "Hello Ada, this is {{company}}.",
    warnings: [],
  });
});

test("variables that are not given are filled with nothing when the agent wants it so", () => {
  const plan = planCall(input(agent({ openingLine: "Hello {{name}}.", fillEmptyStringVariables: true })));
  expect(plan.openingLine).toBe("Hello .");
});

test("an opening line that grows beyond all measure is refused", () => {
  const openingLine = "{{a}}".repeat(400);
  const request = { callAgentId: "a1", callAgentInput: { a: "x".repeat(50_000) } };
  expect(codeOf({ ...agent({ openingLine }), request })).toBe("opening_line_too_long");
});

test("the plan is frozen at every depth and shares nothing with what it was made of", () => {
  const list = [1];
  const made = input({ request: { callAgentId: "a1", callAgentInput: { list } } });
  const plan = planCall(made);
  expect(Object.isFrozen(plan.agent) && Object.isFrozen(plan.inputs["list"]) && Object.isFrozen(plan.voice)).toBe(true);
  expect(Object.isFrozen(made.agent)).toBe(false);
  list.push(2);
  expect(plan.inputs["list"]).toEqual([1]);
});

test("an agent's choice that cannot be had gives way to the default, with a warning", () => {
  const plan = planCall(
    input({
      ...agent({ transcriberParams: { type: "deepgram" }, defaultVoiceId: "gone" }),
      prompt: { ...input().prompt, aiModelId: "gone-model" },
      warnings: ["earlier"],
    }),
  );
  expect(plan.transcriber.type).toBe("local");
  expect(plan.voice.id).toBe("anna");
  expect(plan.prompt).not.toHaveProperty("aiModelId");
  expect(plan.warnings).toEqual([
    "earlier",
    expect.stringContaining('"deepgram" is not configured here'),
    expect.stringContaining('"gone" does not exist here'),
    expect.stringContaining('"gone-model" is not configured here'),
  ]);
});

test("the prompt for menus is in the plan of an agent that navigates them", () => {
  const ivrPrompt = { id: "p2", name: "Menu", agentType: "STANDARD", prompt: "Reach support." } as const;
  const navigates = agent({ ivrNavigationEnabled: true });
  const plan = planCall(input({ ivrPrompt, ...navigates }));
  expect(plan.ivrPrompt).toEqual(ivrPrompt);
  expect(plan.warnings).toEqual([]);
  const lost = planCall(input({ ivrPrompt: { ...ivrPrompt, aiModelId: "gone-model" }, ...navigates }));
  expect(lost.ivrPrompt).toEqual(ivrPrompt);
  expect(lost.warnings).toEqual([expect.stringContaining('"gone-model"')]);
  const unused = (more: Partial<PlanInput>, why: string) => {
    const without = planCall(input({ ivrPrompt, ...navigates, ...more }));
    expect(without).not.toHaveProperty("ivrPrompt");
    expect(without.warnings).toEqual([expect.stringMatching(new RegExp(`^ivrVersionedPromptId is not used.*${why}`))]);
  };
  unused(agent({}), "needs ivrNavigationEnabled");
  unused({ ivrPrompt: { ...ivrPrompt, agentType: "CUSTOM_FLOW" } }, "not by a flow");
  unused({ engines: { ...ENGINES, scripted: true } }, "LLM_BASE_URL");
});

test("an unknown transcriber is refused with those that are known", () => {
  expect(() => planCall(input(agent({ transcriberParams: { type: "whisperer" } })))).toThrow(
    "Known are: local, deepgram, openai.",
  );
});

test("a language that nothing hears or speaks is refused", () => {
  expect(codeOf(agent({ language: "de" }))).toBe("language_not_supported");
  expect(codeOf(agent({ language: "en-GB" }))).toBe("planned");
  const german = { name: "polyglot", supports: () => true };
  const engines = { ...ENGINES, transcribers: [...ENGINES.transcribers, german] };
  expect(codeOf({ ...agent({ language: "de" }), engines })).toBe("language_not_supported");
  const speaker = { voices: [{ ...ENGINES.synthesizers[0]!.voices[0]!, id: "clara" }], supports: () => true };
  const both = { ...engines, synthesizers: [...ENGINES.synthesizers, speaker] };
  const plan = planCall(input({ ...agent({ language: "de" }), engines: both }));
  expect([plan.transcriber.type, plan.voice.id]).toEqual(["polyglot", "clara"]);
  const request = { callAgentId: "a1", aiVoiceId: "anna" };
  expect(codeOf({ ...agent({ language: "de" }), engines: both, request })).toBe("language_not_supported");
});

test("the deployment's default voice is used when it speaks the language", () => {
  expect(planCall(input({ engines: { ...ENGINES, defaultVoiceId: "bert" } })).voice.id).toBe("bert");
});

test("the smaller of both limits ends a call", () => {
  const longest = { id: "a", name: "a", language: "en", maxDurationSeconds: 60 };
  expect(longestCallMs(longest, 5)).toBe(60_000);
  expect(longestCallMs({ ...longest, maxDurationSeconds: 600 }, 5)).toBe(300_000);
  expect(longestCallMs(undefined)).toBe(10_800_000);
});

test("an extractor is in the plan where a language model can run it, and its absence is told", () => {
  const extractor = { id: "x1", name: "Booking", fields: [{ name: "booked", type: "bool" as const }] };
  expect(planCall(input({ extractor }))).toMatchObject({ extractor, warnings: [] });
  const plan = planCall(input({ extractor, engines: { ...ENGINES, scripted: true } }));
  expect(plan.extractor).toBeUndefined();
  expect(plan.warnings).toEqual([expect.stringMatching(/^Nothing will be extracted/)]);
});

test("what is heard behind the agent is in the plan, with its volume in decibels", () => {
  const background = (backgroundSound: Agent["backgroundSound"]) =>
    planCall(input(agent(backgroundSound === undefined ? {} : { backgroundSound }))).background;
  expect(background(undefined)).toBeUndefined();
  expect(background({ type: "none", volumeLevel: 30 })).toBeUndefined();
  expect(background({ type: "office" })).toEqual({ volumeDb: 0 });
  expect(background({ type: "office", audioId: "s1", volumeLevel: -65 })).toEqual({ volumeDb: -6.5 });
  expect(background({ type: "custom", audioId: "s1", volumeLevel: 20 })).toEqual({ audioId: "s1", volumeDb: 2 });
});

test("a voicemail is hung up on unless the agent says otherwise, and its message has its macros filled", () => {
  expect(planCall(input(agent({}))).voicemail).toEqual({ action: "hangup", message: "" });
  const leaves = agent({ voicemailConfig: { action: "leave_message", message: "Hello {{name}}." } });
  const request = { callAgentId: "a1", callAgentInput: { name: "Ann" } };
  expect(planCall(input({ ...leaves, request })).voicemail).toEqual({ action: "leave_message", message: "Hello Ann." });
  expect(planCall(input(agent({ voicemailConfig: { action: "continue" } }))).voicemail?.action).toBe("continue");
  const endless = agent({ voicemailConfig: { action: "leave_message", message: "{{a}}".repeat(400) } });
  const huge = { callAgentId: "a1", callAgentInput: { a: "x".repeat(50_000) } };
  expect(codeOf({ ...endless, request: huge })).toBe("voicemail_message_too_long");
});

test("a call may change to those of the agent's languages that something here hears and speaks", () => {
  const spanish = (one: string) => one.startsWith("es");
  const engines = {
    ...ENGINES,
    transcribers: [...ENGINES.transcribers, { name: "oido", supports: spanish }],
    synthesizers: [
      ...ENGINES.synthesizers,
      {
        voices: [{ id: "sofia", name: "S", voiceType: "v", voiceTier: "STANDARD" as const, description: "" }],
        supports: (one: string) => spanish(one) || one === "fr",
      },
    ],
  };
  const planned = (additionalLanguages: readonly string[]) =>
    planCall(input({ ...agent({ additionalLanguages: [...additionalLanguages] }), engines }));
  const plan = planned(["es", "en", "fr", "es"]);
  expect(plan.languages).toEqual([
    { language: "en", transcriber: "local", voiceId: "anna" },
    { language: "es", transcriber: "oido", voiceId: "sofia" },
  ]);
  expect(plan.warnings).toEqual(["The call cannot change to fr, because nothing that is configured here hears it."]);
  expect(planned(["fr"]).languages).toBeUndefined();
});
