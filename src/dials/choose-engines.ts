import type { Agent } from "../model/agent.ts";
import type { ModelOption } from "../model/ai-model.ts";
import type { OptionValue } from "../model/versioned-prompt.ts";
import type { Voice } from "../model/voice.ts";
import { findVoice, voiceFor, type Engines } from "./engines.ts";
import { Refusal } from "./refusal.ts";

/** Something chosen, and what the customer should know about the choice. */
export type Chosen<T> = Readonly<{ value: T; warnings: readonly string[] }>;

/**
 * The transcriber for an agent: the one that it names, or the deployment's default where that one does not run here.
 *
 * @throws {Refusal} when the name is unknown, or nothing hears the agent's language.
 */
export const chooseTranscriber = (engines: Engines, agent: Agent): Chosen<string> => {
  const asked = agent.transcriberParams?.type;
  const running = engines.transcribers;
  const named = running.find((one) => one.name === asked);
  if (named?.supports(agent.language)) return { value: named.name, warnings: [] };
  if (asked !== undefined && named === undefined && !engines.knownTranscribers.includes(asked)) {
    const known = [...new Set([...running.map((one) => one.name), ...engines.knownTranscribers])];
    throw new Refusal("unknown_transcriber", `The agent's transcriber is unknown. Known are: ${known.join(", ")}.`);
  }
  const standIn = running.find((one) => one.supports(agent.language));
  if (standIn === undefined) throw languageRefused("hears", agent.language);
  if (asked === undefined) return { value: standIn.name, warnings: [] };
  const why = named === undefined ? "is not configured here" : `does not hear ${agent.language}`;
  return {
    value: standIn.name,
    warnings: [`The agent's transcriber "${asked}" ${why}; "${standIn.name}" is used instead.`],
  };
};

/**
 * The voice of a call: of the request, else of the agent, else of the deployment.
 *
 * @throws {Refusal} when the request names an unknown voice, or the voice does not speak the agent's language.
 */
export const chooseVoice = (engines: Engines, agent: Agent, requested: string | null | undefined): Chosen<Voice> => {
  const asked = requested ?? agent.defaultVoiceId;
  const found = asked === undefined ? undefined : findVoice(engines, asked, agent.language);
  if (found?.speaks) return { value: found.voice, warnings: [] };
  if (found !== undefined && typeof requested === "string")
    throw languageRefused("speaks with this voice", agent.language);
  if (found === undefined && typeof requested === "string")
    throw new Refusal("unknown_voice", "There is no voice with this id. GET /voices lists them.", "/aiVoiceId");
  const standIn = voiceFor(engines, agent.language);
  if (standIn === undefined) throw languageRefused("speaks", agent.language);
  if (asked === undefined) return { value: standIn, warnings: [] };
  const why = found === undefined ? "does not exist here" : `does not speak ${agent.language}`;
  return { value: standIn, warnings: [`The agent's voice "${asked}" ${why}; "${standIn.id}" is used instead.`] };
};

/**
 * Checks option values against a voice's own options.
 *
 * @throws {Refusal} for an option that the voice does not have, or a value that is not of its type.
 */
export const checkVoiceOptions = (voice: Voice, values: readonly OptionValue[]): void => {
  const fault = findOptionFault(voice.voiceOptions ?? [], values);
  if (fault !== undefined)
    throw new Refusal("invalid_voice_option", `The voice ${fault.why}`, `/voiceOptionValues${fault.path}`);
};

/** The first value that does not fit the options of a voice or a model, and why, said of that one. */
export const findOptionFault = (
  options: readonly ModelOption[],
  values: readonly OptionValue[],
): Readonly<{ path: string; why: string }> | undefined => {
  for (const [index, { optionId, value }] of values.entries()) {
    const option = options.find((one) => one.id === optionId);
    if (option === undefined) {
      const known = options.map((one) => one.id).join(", ");
      const has = known === "" ? "has no options" : `has the options ${known}`;
      return { path: `/${index}/optionId`, why: `does not know this option; it ${has}.` };
    }
    if (option.valueType !== "STRING" && !NUMBERS[option.valueType].test(value))
      return { path: `/${index}/value`, why: `wants ${WANTED[option.valueType]} for this option.` };
    if (option.choices !== undefined && !option.choices.includes(value))
      return { path: `/${index}/value`, why: `takes one of ${option.choices.join(", ")} for this option.` };
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = option;
    if (option.valueType !== "STRING" && (Number(value) < minimum || Number(value) > maximum))
      return { path: `/${index}/value`, why: `takes values from ${minimum} to ${maximum} for this option.` };
  }
  return undefined;
};

const NUMBERS = { INT: /^-?\d{1,15}$/, FLOAT: /^-?\d{1,15}(\.\d{1,15})?$/ } as const;
const WANTED = { INT: "a whole number, written as a string", FLOAT: "a number, written as a string" } as const;

const languageRefused = (does: string, language: string): Refusal =>
  new Refusal(
    "language_not_supported",
    `Nothing that is configured here ${does} ${language}. Choose another language, or configure a provider that supports it.`,
  );
