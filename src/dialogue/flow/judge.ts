import { toError } from "../../kit/errors.ts";
import { Scope } from "../../kit/scope.ts";
import { withDeadline, type Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { ChosenModel } from "../prompt-dialogue.ts";
import { untilAborted } from "../until-aborted.ts";
import {
  judgementMessages,
  MAX_REPLY,
  readJudgement,
  type Judgement,
  type JudgementTask,
} from "./judgement-request.ts";

export type JudgeDeps = Readonly<{
  chosen: ChosenModel;
  options: Readonly<Record<string, string>>;
  clock: Clock;
  logger: Logger | undefined;
}>;

/** A model that gave no use in one attempt is asked once more. */
const ATTEMPTS = 2;

/**
 * All judgements of one answer together, in milliseconds: with the first words of the answer behind them (see `speech.ts`) this stays
 * below the 8 s after which the call gives a silent dialogue up.
 */
export const JUDGING_MS = 3500;

/** Judgements that are kept: those of the last few turns, in case a reply is dropped and the same words are answered again. */
const KEPT = 4;

/** Asks the model what words mean. The same question about the same history has the same answer, which is asked for once. */
export class Judge {
  readonly #deps: JudgeDeps;
  readonly #kept = new Map<string, Judgement>();

  constructor(deps: JudgeDeps) {
    this.#deps = deps;
  }

  /**
   * Finds out what a task asks, in at most {@link ATTEMPTS} requests and before `deadline` (monotonic milliseconds). `undefined` when
   * that fails, when the signal aborts, and always for the scripted model, which cannot judge; never throws.
   */
  async judge(task: JudgementTask, deadline: number, signal: AbortSignal): Promise<Judgement | undefined> {
    const { chosen, clock, logger } = this.#deps;
    if (chosen.model.scripted) return undefined;
    const key = JSON.stringify([task.question, task.conditions, task.history]);
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    let failure: Error | undefined;
    for (let attempt = 0; attempt < ATTEMPTS && !signal.aborted && clock.monotonic() < deadline; attempt++) {
      try {
        const judgement = readJudgement(task, await this.#ask(task, deadline, signal));
        if (judgement !== undefined) return this.#keep(key, judgement);
        failure = undefined;
      } catch (error) {
        failure = toError(error);
      }
    }
    if (!signal.aborted)
      logger?.warn("the model could not judge the caller's words; the flow goes on without", {
        reason: failure === undefined ? "malformed" : "failed",
        ...(failure === undefined ? {} : { error: failure }),
      });
    return undefined;
  }

  async #ask(task: JudgementTask, deadline: number, signal: AbortSignal): Promise<string> {
    const { chosen, options, clock } = this.#deps;
    const scope = new Scope("judgement");
    const abort = () => {
      void scope.close();
    };
    signal.addEventListener("abort", abort, { once: true });
    const request = { model: chosen.modelId, messages: judgementMessages(task), tools: [], options };
    const reading = async () => {
      let text = "";
      for await (const event of untilAborted(chosen.model.generate(request, scope.signal), scope.signal)) {
        if (event.type === "text") text += event.text;
        if (text.length > MAX_REPLY) break;
      }
      return text;
    };
    try {
      return await withDeadline(clock, Math.max(0, deadline - clock.monotonic()), "a judgement", reading());
    } finally {
      signal.removeEventListener("abort", abort);
      await scope.close();
    }
  }

  #keep(key: string, judgement: Judgement): Judgement {
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size < KEPT) break;
      this.#kept.delete(oldest);
    }
    this.#kept.set(key, judgement);
    return judgement;
  }
}
