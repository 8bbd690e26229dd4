import { ownWords, ownWordsIn } from "../dialogue/own-words.ts";
import { renderTemplate, TemplateTooLong } from "../dialogue/template.ts";
import { deepFreeze } from "../kit/deep-freeze.ts";
import { DEFAULT_MAX_DURATION_SECONDS, type Agent } from "../model/agent.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { CreateDial } from "../model/dial.ts";
import type { Extractor } from "../model/extractor.ts";
import type { FunctionDefinition } from "../model/function-definition.ts";
import { accountOf, type PhoneNumber } from "../model/phone-number.ts";
import type { VersionedPrompt } from "../model/versioned-prompt.ts";
import { planLanguages } from "./plan-languages.ts";
import { planVoicemail } from "./plan-voicemail.ts";
import { planWindow } from "./plan-window.ts";
import { startedMessages } from "./announce-function.ts";
import { checkVoiceOptions, chooseTranscriber, chooseVoice, type Chosen } from "./choose-engines.ts";
import { whyNeverRung } from "./destination.ts";
import { NO_PROMPT } from "./dial-references.ts";
import type { Engines } from "./engines.ts";
import { Refusal } from "./refusal.ts";

/** How long a phone rings before nobody is there: about nine rings, after which most networks divert or give up. */
const RING_TIMEOUT_MS = 45_000;

/** How long the sound of somebody who came to us may take to come as well: they are there already. */
const VISITOR_TIMEOUT_MS = 10_000;

/** People who hear nothing for longer than this after their own words begin to doubt that they were heard. */
const FILLER_AFTER_MS = 1500;

/** Silence of both sides before the agent asks whether somebody is there, when the agent does not say. */
const IDLE_AFTER_MS = 10_000;
const MAX_IDLE_MESSAGES = 3;

/** What a plan is made of: references that were found and checked. */
export type PlanInput = Readonly<{
  dialId: string;
  workspaceId: string;
  agent: Agent;
  prompt: VersionedPrompt;
  /** The one that the request names for automated menus. */
  ivrPrompt?: VersionedPrompt | undefined;
  functions: readonly FunctionDefinition[];
  extractor?: Extractor | undefined;
  /** Absent, as `toNumber` is, for a browser's dial. */
  from?: PhoneNumber | undefined;
  /** As it is to be dialled. */
  toNumber?: string | undefined;
  /** Somebody rings a number of ours; `account` is the carrier's. */
  inbound?: Readonly<{ account: string; callId: string; from: string; to: string }> | undefined;
  request: CreateDial;
  engines: Engines;
  /** Milliseconds since 1970, where a dial may have to wait for the hour. */
  now?: number;
  /** What finding the references brought up. */
  warnings: readonly string[];
}>;

/**
 * Turns an agent, its prompt and one request into the frozen plan of a call. Every default of a call is decided here and
 * nowhere else.
 *
 * @throws {Refusal} when no engine fits the agent's language or the request's choice.
 */
export const planCall = (input: PlanInput): CallPlan => {
  const { agent, request, engines } = input;
  const transcriber = chooseTranscriber(engines, agent);
  const voice = chooseVoice(engines, agent, request.aiVoiceId);
  const languages = planLanguages(engines, agent, transcriber.value, voice.value);
  const options = request.voiceOptionValues ?? [];
  checkVoiceOptions(voice.value, options);
  const prompt = planPrompt(input.prompt, engines);
  const ivr = planIvrPrompt(input);
  const inputs = request.callAgentInput ?? {};
  const party = partyOf(input);
  const openingLine = planOpeningLine(agent, prompt.value, inputs);
  const voicemail = planVoicemail(agent, inputs);
  const fallback = planFallbackTransfer(agent);
  const window = planWindow(agent, input.toNumber, input.now);
  return deepFreeze(
    structuredClone({
      dialId: input.dialId,
      workspaceId: input.workspaceId,
      ...party,
      agent,
      prompt: prompt.value,
      ...(input.prompt === NO_PROMPT ? { lacksPrompt: true } : {}),
      inputs,
      functions: input.functions,
      startedMessages: startedMessages(agent, input.functions, inputs),
      ...(input.extractor === undefined || engines.scripted === true ? {} : { extractor: input.extractor }),
      language: agent.language,
      transcriber: {
        type: transcriber.value,
        keywords: [...new Set([...(agent.transcriberParams?.keywords ?? []), ...(request.keywords ?? [])])],
      },
      voice: { id: voice.value.id, options, volumeDb: (request.voiceVolumeLevel ?? 0) / 10 },
      ...planBackground(agent),
      sensitivity: agent.utteranceDetectorConfig?.sensitivity ?? "MEDIUM",
      endpoint: planEndpoint(agent, request),
      idle: planIdle(agent),
      ...planFiller(agent),
      maxDurationMs: longestCallMs(agent, request.timeoutMinutes),
      ringTimeoutMs: party.direction === "outbound" ? RING_TIMEOUT_MS : VISITOR_TIMEOUT_MS,
      ...present({ openingLine, ivrPrompt: ivr.value, languages: languages.value, fallbackTransfer: fallback.value }),
      ...planRecording(agent),
      ...(party.direction === "outbound" ? { voicemail } : {}),
      ...(window.value === undefined ? {} : { callingWindow: window.value }),
      warnings: [
        ...input.warnings,
        ...transcriber.warnings,
        ...voice.warnings,
        ...languages.warnings,
        ...prompt.warnings,
        ...fallback.warnings,
        ...shortcomings(input, prompt.value),
        ...ivr.warnings,
        ...window.warnings,
      ],
    } satisfies CallPlan),
  );
};

/** The smaller of the agent's own limit and the request's, from answer, in milliseconds. */
export const longestCallMs = (agent: Agent | undefined, timeoutMinutes?: number): number => {
  const seconds = agent?.maxDurationSeconds ?? DEFAULT_MAX_DURATION_SECONDS;
  return Math.min(seconds, (timeoutMinutes ?? Number.POSITIVE_INFINITY) * 60) * 1000;
};

/** Who is to be called, and by which carrier. */
const partyOf = ({ from, toNumber, inbound, request }: PlanInput): Partial<CallPlan> & Pick<CallPlan, "direction"> => {
  if (request.browserCall === true) return { direction: "browser", carrier: BROWSER_CARRIER };
  if (inbound !== undefined) {
    const { account, callId, from: fromNumber, to } = inbound;
    return { direction: "inbound", toNumber: to, fromNumber, carrier: account, carrierCallId: callId };
  }
  const carrier = from === undefined ? undefined : accountOf(from);
  return {
    direction: "outbound",
    ...(toNumber === undefined ? {} : { toNumber }),
    ...(from === undefined ? {} : { fromNumber: from.number, fromNumberId: from.id }),
    ...(carrier === undefined ? {} : { carrier }),
  };
};

/** By this name the browsers' own transport stands among the carriers. */
const BROWSER_CARRIER = "browser";

const planEndpoint = (agent: Agent, request: CreateDial): CallPlan["endpoint"] => ({
  type: agent.endpointDetectorConfig?.type ?? "SEMANTIC",
  mode: agent.endpointDetectorConfig?.mode ?? "DEFAULT",
  ...(request.overrideTranscriberFinalDurationMs === undefined
    ? {}
    : { overrideFinalMs: request.overrideTranscriberFinalDurationMs }),
});

/** The number that calls are connected with in need, unless nobody is ever connected with it. */
const planFallbackTransfer = ({ fallbacks }: Agent): Chosen<string | undefined> => {
  const number = fallbacks?.transferNumber;
  const why = number === undefined ? undefined : whyNeverRung(number);
  if (why === undefined) return { value: number, warnings: [] };
  return { value: undefined, warnings: [`The agent's fallbacks.transferNumber is not used. ${why}`] };
};

const planFiller = ({ fillerConfig = {}, language, additionalLanguages = [] }: Agent): Pick<CallPlan, "filler"> => {
  const own = ownWordsIn(language)?.fillers ?? [];
  const { enabled = true, messages = own, afterMilliseconds: afterMs = FILLER_AFTER_MS } = fillerConfig;
  const inOthers = additionalLanguages.some((other) => ownWordsIn(other) !== undefined);
  return enabled && (messages.length > 0 || (fillerConfig.messages === undefined && inOthers))
    ? { filler: { afterMs, messages } }
    : {};
};

const planBackground = ({ backgroundSound: sound }: Agent): Pick<CallPlan, "background"> => {
  if (sound === undefined || sound.type === "none") return {};
  const volumeDb = (sound.volumeLevel ?? 0) / 10;
  if (sound.type === "office") return { background: { volumeDb } };
  return sound.audioId === undefined ? {} : { background: { audioId: sound.audioId, volumeDb } };
};

const planRecording = ({ recordingConfig = {} }: Agent): Pick<CallPlan, "unrecorded" | "recording"> => {
  const { enabled = true, requireConsent = false, format } = recordingConfig;
  if (!enabled) return { unrecorded: true };
  if (!requireConsent && format === undefined) return {};
  return { recording: { ...(requireConsent ? { requireConsent } : {}), ...(format === undefined ? {} : { format }) } };
};

const planIdle = (agent: Agent): CallPlan["idle"] => {
  const config = agent.idleMessageConfig;
  return {
    enabled: config?.enabled ?? false,
    messages: config?.messages?.length ? config.messages : [ownWords(agent.language).stillThere],
    afterMs: config?.idleDurationMilliseconds ?? IDLE_AFTER_MS,
    maxMessages: config?.maxIdleMessages ?? MAX_IDLE_MESSAGES,
  };
};

/** The prompt without a model that this deployment does not have, so that the default speaks it. */
const planPrompt = (
  prompt: VersionedPrompt,
  engines: Engines,
): Readonly<{ value: VersionedPrompt; warnings: readonly string[] }> => {
  const { aiModelId, ...others } = prompt;
  if (aiModelId === undefined || engines.models.some((model) => model.id === aiModelId))
    return { value: prompt, warnings: [] };
  return {
    value: others,
    warnings: [`The prompt's model "${aiModelId}" is not configured here; the default model is used instead.`],
  };
};

/** The prompt for automated menus, if this call can follow it; else why not. */
const planIvrPrompt = ({
  agent,
  ivrPrompt,
  engines,
}: PlanInput): Readonly<{ value?: VersionedPrompt; warnings: readonly string[] }> => {
  if (ivrPrompt === undefined) return { warnings: [] };
  const unused = (why: string) => ({ warnings: [`ivrVersionedPromptId is not used: ${why}`] });
  if (agent.ivrNavigationEnabled !== true) return unused("it needs ivrNavigationEnabled on the agent.");
  if (ivrPrompt.agentType === "CUSTOM_FLOW") return unused("menus are navigated by a STANDARD prompt, not by a flow.");
  if (engines.scripted === true) return unused("no language model is configured here; set LLM_BASE_URL and LLM_MODEL.");
  return planPrompt(ivrPrompt, engines);
};

const planOpeningLine = (
  agent: Agent,
  prompt: VersionedPrompt,
  inputs: Readonly<Record<string, unknown>>,
): string | undefined => {
  // A flow opens with its first node.
  if (agent.openingLine === undefined || prompt.agentType === "CUSTOM_FLOW") return undefined;
  try {
    return renderTemplate(agent.openingLine, inputs, { fillEmpty: agent.fillEmptyStringVariables ?? false });
  } catch (error) {
    if (error instanceof TemplateTooLong) throw new Refusal("opening_line_too_long", error.message, "/callAgentInput");
    throw error;
  }
};

const NO_EXTRACTION =
  "Nothing will be extracted from the call, because no language model is configured here; set LLM_BASE_URL and LLM_MODEL.";

const NO_JUDGEMENT =
  "The flow has conditions in plain words. Only a language model can judge them, and none is configured here, so none of them ever holds; set LLM_BASE_URL and LLM_MODEL.";

const hasWordsToJudge = ({ flowDefinition }: VersionedPrompt): boolean =>
  (flowDefinition?.nodes ?? []).some(({ transitionRules = [] }) =>
    transitionRules.some(({ conditionType }) => conditionType === "language"),
  );

/** The values that there are. */
const present = <Named extends object>(values: Named): { [Name in keyof Named]?: Exclude<Named[Name], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Named;

/** What of the agent's configuration cannot work here. */
const shortcomings = ({ functions, extractor, engines }: PlanInput, prompt: VersionedPrompt): readonly string[] => [
  ...unusableNumbers(functions),
  ...(extractor !== undefined && engines.scripted === true ? [NO_EXTRACTION] : []),
  ...(engines.scripted === true && hasWordsToJudge(prompt) ? [NO_JUDGEMENT] : []),
];

/** Numbers that a transfer function lists and that nobody is ever connected to. */
const unusableNumbers = (functions: readonly FunctionDefinition[]): readonly string[] =>
  functions.flatMap(({ name, type, allowedNumbers }) =>
    type !== "transfer"
      ? []
      : [...new Set(allowedNumbers.map(({ number }) => whyNeverRung(number)))]
          .filter((why) => why !== undefined)
          .map((why) => `The function "${name}" lists a number that it cannot transfer to. ${why}`),
  );
