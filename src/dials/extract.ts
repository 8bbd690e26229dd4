import {
  extractionMessages,
  extractionSchema,
  readExtraction,
  repairMessages,
  type Extraction,
} from "../dialogue/extraction.ts";
import type { ModelLookup } from "../dialogue/create-dialogue.ts";
import type { ChosenModel } from "../dialogue/prompt-dialogue.ts";
import { toError } from "../kit/errors.ts";
import { Scope } from "../kit/scope.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { Extractor } from "../model/extractor.ts";
import { withDeadline, type Clock } from "../ports/clock.ts";
import type { TranscriptEntry } from "../model/transcript.ts";
import type { JsonSchema, ModelMessage } from "../ports/language-model.ts";
import type { Logger } from "../ports/logger.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { DialStore } from "../ports/store.ts";

export type ExtractDeps = Readonly<{
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, "providerError">;
  dials: Pick<DialStore, "find" | "saveAiResult">;
  models: ModelLookup;
}>;

/** One answer of the model, and all of the extraction, in milliseconds. Nobody waits on a line for it. */
const ANSWER_MS = 30_000;
const TOTAL_MS = 90_000;

/** Longest answer that is read, in UTF-16 units; a hundred fields of text fit. */
const MAX_ANSWER = 100_000;

/**
 * Takes the values of the plan's extractor out of a call that is over and written down, and keeps them with the dial. Does nothing
 * when there is no extractor, nobody spoke, or there is only the script to ask; then the dial has no result. Never rejects.
 */
export const extractAfterCall = async (deps: ExtractDeps, plan: CallPlan): Promise<void> => {
  const { extractor, dialId } = plan;
  if (extractor === undefined) return;
  const scope = new Scope(`extraction of ${dialId}`);
  try {
    await withDeadline(deps.clock, TOTAL_MS, "an extraction", extract(deps, plan, extractor, scope));
  } catch (error) {
    deps.logger.error("nothing was extracted from a call", { dialId, error: toError(error) });
  } finally {
    await scope.close();
  }
};

const extract = async (deps: ExtractDeps, plan: CallPlan, extractor: Extractor, scope: Scope): Promise<void> => {
  const { dialId, workspaceId } = plan;
  const chosen = deps.models(plan.prompt.aiModelId);
  if (chosen.model.scripted) return;
  const dial = await deps.dials.find(workspaceId, dialId);
  // A dial that is left to another owner has no end yet; what was said in it may not be complete.
  if (typeof dial?.endReason !== "string") return;
  const found = await extractFrom(deps, chosen, extractor, dial.transcript ?? [], scope);
  if (scope.closed || found === undefined) return;
  if (found.problems.length > 0)
    deps.logger.warn("a model left fields of an extractor open", { dialId, count: found.problems.length });
  await deps.dials.saveAiResult(dialId, found.values, found.evidence);
};

/**
 * The values of an extractor in a transcript; `undefined` when nobody spoke in it, or there is only the script to ask. Throws when the
 * model fails twice.
 */
export const extractFrom = async (
  deps: AskDeps,
  chosen: ChosenModel,
  extractor: Extractor,
  transcript: readonly TranscriptEntry[],
  scope: Scope,
): Promise<Extraction | undefined> => {
  if (chosen.model.scripted || !transcript.some(({ speaker }) => speaker === "HUMAN")) return undefined;
  return ask(deps, chosen, { extractor, transcript }, scope);
};

type AskDeps = Pick<ExtractDeps, "clock" | "logger"> & Partial<Pick<ExtractDeps, "metrics">>;

/** What is asked about. */
type Matter = Readonly<{ extractor: Extractor; transcript: readonly TranscriptEntry[] }>;

/**
 * Asks once, and once more when the answer could not be taken whole, or none came; then without the schema, which a provider may have
 * refused.
 */
const ask = async (
  deps: AskDeps,
  chosen: ChosenModel,
  { extractor, transcript }: Matter,
  scope: Scope,
): Promise<Extraction> => {
  const messages = extractionMessages(extractor, transcript);
  const schema = extractionSchema(extractor);
  const first = await answerOf(deps, chosen, messages, schema, scope).catch((error: unknown) => {
    deps.metrics?.providerError("model", chosen.model.name);
    deps.logger.warn("a model failed to extract, and is asked again", { error: toError(error) });
    return undefined;
  });
  const read = first === undefined ? undefined : readExtraction(extractor, first, transcript);
  if (first !== undefined && read?.problems.length === 0) return read;
  const again = first === undefined ? messages : repairMessages(messages, first, read?.problems ?? []);
  try {
    const second = await answerOf(deps, chosen, again, first === undefined ? undefined : schema, scope);
    const repaired = readExtraction(extractor, second, transcript);
    return read === undefined ? repaired : better(read, repaired);
  } catch (error) {
    if (read === undefined) throw error;
    return read;
  }
};

/** The second answer counts, unless it could be read even less. */
const better = (first: Extraction, second: Extraction): Extraction =>
  second.problems.length <= first.problems.length ? second : first;

const answerOf = async (
  { clock }: AskDeps,
  { model, modelId }: ChosenModel,
  messages: readonly ModelMessage[],
  answer: JsonSchema | undefined,
  parent: Scope,
): Promise<string> => {
  const scope = parent.child("an answer");
  const read = async () => {
    let text = "";
    const request = { model: modelId, messages, tools: [], options: {}, ...(answer === undefined ? {} : { answer }) };
    for await (const event of model.generate(request, scope.signal)) {
      if (event.type === "text") text += event.text;
      if (text.length > MAX_ANSWER) throw new Error("the model's answer does not end");
    }
    return text;
  };
  try {
    return await withDeadline(clock, ANSWER_MS, "the model's answer", read());
  } finally {
    await scope.close();
  }
};
