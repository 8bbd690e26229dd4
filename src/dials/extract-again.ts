import type { ModelLookup } from "../dialogue/create-dialogue.ts";
import { toError } from "../kit/errors.ts";
import { Scope } from "../kit/scope.ts";
import type { Dial } from "../model/dial.ts";
import type { Extractor } from "../model/extractor.ts";
import { withDeadline, type Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Catalogue, DialStore } from "../ports/store.ts";
import { extractFrom } from "./extract.ts";
import { dialNotFound } from "./read-dial.ts";
import { Refusal } from "./refusal.ts";

export type ExtractAgainDeps = Readonly<{
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, "providerError">;
  dials: Pick<DialStore, "find" | "saveAiResult">;
  catalogue: Pick<Catalogue, "findPrompt" | "findExtractor">;
  models: ModelLookup;
}>;

/** Which dial, and by which extractor; the agent's own unless one is named. */
export type ExtractionAsked = Readonly<{ workspaceId: string; dialId: string; extractorId?: string | undefined }>;

/** All of one extraction, in milliseconds: two answers of the model. */
const TOTAL_MS = 90_000;

/** Extractions that one process makes for requests at a time. */
const MOST_AT_ONCE = 10;

/**
 * Takes values out of calls that are over once more, by extractors as they are now. The dial keeps the newest result; its webhook was told
 * of the first. Somebody who asks for what is under way gets the same.
 */
export class RepeatedExtractions {
  readonly #deps: ExtractAgainDeps;
  readonly #running = new Map<string, Promise<void>>();

  constructor(deps: ExtractAgainDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves when the dial has its new result.
   *
   * @throws {Refusal} `dial_not_found`, `dial_not_over`, `unknown_extractor`, `no_language_model`, `nothing_said`, `extraction_failed`,
   * `too_many_extractions`.
   */
  async run(asked: ExtractionAsked): Promise<void> {
    const { workspaceId, dialId, extractorId } = asked;
    const key = JSON.stringify([workspaceId, dialId, extractorId]);
    const known = this.#running.get(key);
    if (known !== undefined) return known;
    if (this.#running.size >= MOST_AT_ONCE)
      throw new Refusal("too_many_extractions", "Too many extractions are under way. Ask again in a minute.");
    const running = this.#find(asked).finally(() => {
      this.#running.delete(key);
    });
    this.#running.set(key, running);
    return running;
  }

  async #find(asked: ExtractionAsked): Promise<void> {
    const dial = await this.#deps.dials.find(asked.workspaceId, asked.dialId);
    if (dial === undefined) throw dialNotFound();
    await this.#extract(dial, asked);
  }

  async #extract(dial: Dial, { workspaceId, dialId, extractorId }: ExtractionAsked): Promise<void> {
    const { catalogue, models, dials, logger, clock } = this.#deps;
    if (typeof dial.endReason !== "string")
      throw new Refusal("dial_not_over", "The call is not over. Ask again when the dial has an endReason.");
    const extractor = await this.#extractor(dial, workspaceId, extractorId);
    const agentId = dial.agent?.id ?? "";
    const promptId = dial.versionedPromptId;
    const prompt = promptId === undefined ? undefined : await catalogue.findPrompt(workspaceId, agentId, promptId);
    const chosen = models(prompt?.aiModelId);
    if (chosen.model.scripted)
      throw new Refusal("no_language_model", "No language model is configured here; set LLM_BASE_URL and LLM_MODEL.");
    const scope = new Scope(`extraction of ${dialId}`);
    try {
      const finding = extractFrom(this.#deps, chosen, extractor, dial.transcript ?? [], scope);
      const found = await withDeadline(clock, TOTAL_MS, "an extraction", finding);
      if (found === undefined)
        throw new Refusal("nothing_said", "Nobody spoke in this call, so it has nothing to extract.");
      await dials.saveAiResult(dialId, found.values, found.evidence);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      logger.error("nothing was extracted from a call", { dialId, error: toError(error) });
      throw new Refusal(
        "extraction_failed",
        "The language model did not answer. The dial keeps what it had; ask again.",
      );
    } finally {
      await scope.close();
    }
  }

  async #extractor(dial: Dial, workspaceId: string, extractorId: string | undefined): Promise<Extractor> {
    const id = extractorId ?? dial.agent?.defaultExtractorId ?? undefined;
    const agentId = dial.agent?.id ?? "";
    const found = id === undefined ? undefined : await this.#deps.catalogue.findExtractor(workspaceId, agentId, id);
    if (found !== undefined) return found;
    const why = id === undefined ? "The agent had no extractor; name one." : "The agent has no extractor with this id.";
    throw new Refusal("unknown_extractor", why, "/callAgentExtractorId");
  }
}
