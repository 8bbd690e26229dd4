import { announceFunctions, bridgeSilence } from "../dials/announce-function.ts";
import { extractFrom } from "../dials/extract.ts";
import { AnnouncedDialogue } from "../dialogue/announced-dialogue.ts";
import { createDialogue } from "../dialogue/create-dialogue.ts";
import type { ChosenModel } from "../dialogue/prompt-dialogue.ts";
import { Scope } from "../kit/scope.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { TranscriptEntry } from "../model/transcript.ts";
import type { Clock } from "../ports/clock.ts";
import type { HttpCaller } from "../ports/http-caller.ts";
import type { Logger } from "../ports/logger.ts";
import type { Random } from "../ports/random.ts";
import type { Conversation, Step } from "./conversation-schema.ts";
import { unmetBy, type Judges, type Seen, type Unmet } from "./expectations.ts";
import { judgeMeaning } from "./judge-meaning.ts";
import { OutsideModel } from "./outside-model.ts";
import { ScriptedFunctions, type CalledFunction } from "./scripted-functions.ts";
import { StatedModel, statesModel } from "./stated-model.ts";
import { TextCall } from "./text-call.ts";
import { TextClock } from "./text-clock.ts";

export type ChatDeps = Readonly<{
  /** The machine's clock; it limits how long a model may take. */
  clock: Clock;
  logger: Logger;
  modelFor(aiModelId: string | undefined, fallbacks: readonly string[]): ChosenModel;
  /** Calls the servers of functions that a script does not answer; absent: they are not called. */
  http?: HttpCaller | undefined;
}>;

/** What a step expected and did not find; `step` counts from 0. */
export type Failure = Readonly<{ step: number }> & Unmet;

/** How a conversation went. */
export type Played = Readonly<{
  failures: readonly Failure[];
  transcript: readonly TranscriptEntry[];
  /** What of the agent cannot work here. */
  warnings: readonly string[];
  /** The conversation itself said what its model does, and none was asked. */
  stated: boolean;
}>;

/** A call in text, with what its functions answered. */
export type OpenedCall = Readonly<{
  call: TextCall;
  functions: ScriptedFunctions;
  chosen: ChosenModel;
  /** Answers instead of a language model, where the conversation states what that says. */
  stated: StatedModel | undefined;
}>;

/** Conversations begin on a Monday morning unless they say otherwise, so that "tomorrow" means the same in each run. */
const START = Date.UTC(2026, 0, 5, 9);

/** Puts a call in text together; it begins with `answer`. */
export const openCall = (
  deps: ChatDeps,
  plan: CallPlan,
  script: Partial<Pick<Conversation, "functions" | "transfers" | "startsAt" | "model" | "steps">>,
): OpenedCall => {
  const clock = new TextClock(script.startsAt === undefined ? START : Date.parse(script.startsAt));
  const { logger, http } = deps;
  const stated = statesModel(script) ? new StatedModel(clock) : undefined;
  stated?.state(script.model ?? {});
  const chosenFor = (id: string | undefined): ChosenModel => {
    if (stated !== undefined) return { modelId: id ?? stated.name, model: stated };
    const { model, modelId } = deps.modelFor(id, plan.agent.fallbacks?.models ?? []);
    return { modelId, model: new OutsideModel(model, clock, deps.clock) };
  };
  const functions = new ScriptedFunctions({
    clock,
    random: alwaysTheSame,
    logger,
    plan,
    answers: script.functions ?? {},
    http,
  });
  const dialogue = new AnnouncedDialogue(
    createDialogue(plan, { models: chosenFor, clock, logger }),
    announceFunctions(plan, alwaysTheSame),
    bridgeSilence(plan, (ms, signal) => functions.stillRunning(ms, signal)),
  );
  const call = new TextCall({
    plan,
    clock,
    logger,
    dialogue,
    invoke: (asked, signal) => functions.invoke(asked, signal),
    transfer: () => Promise.resolve(script.transfers === "failed" ? "failed" : "transferred"),
  });
  return { call, functions, chosen: chosenFor(plan.prompt.aiModelId), stated };
};

/** Plays a conversation to its end; every step is played, also after one whose expectations were not met. */
export const play = async (deps: ChatDeps, plan: CallPlan, conversation: Conversation): Promise<Played> => {
  const { call, functions, chosen, stated } = openCall(deps, plan, conversation);
  const scope = new Scope("judging a conversation");
  const judges: Judges = {
    means: (words, meaning) => judgeMeaning(deps.clock, deps.modelFor(plan.prompt.aiModelId, []), words, meaning),
    extraction: async () => {
      if (plan.extractor === undefined) return undefined;
      const { clock, logger } = deps;
      return extractFrom({ clock, logger }, chosen, plan.extractor, call.transcript, scope);
    },
  };
  const failures: Failure[] = [];
  try {
    await call.answer();
    const view = new View(call, functions);
    for (const [index, step] of conversation.steps.entries()) {
      if (acts(step)) {
        if (call.end !== undefined) failures.push({ step: index, expected: "a call that goes on", found: "its end" });
        view.mark();
        stated?.state(step.model ?? conversation.model ?? {});
        await act(call, step);
      }
      for (const condition of step.model === undefined ? [] : (stated?.unknown.splice(0) ?? []))
        failures.push({ step: index, expected: `a condition "${condition}" to judge`, found: "others" });
      for (const name of functions.unanswered.splice(0))
        failures.push({ step: index, expected: `an answer of ${name} in the script`, found: "none" });
      for (const unmet of await unmetBy(step, view.seen(), judges)) failures.push({ step: index, ...unmet });
    }
    return { failures, transcript: call.transcript, warnings: plan.warnings, stated: stated !== undefined };
  } finally {
    await call.close();
    await scope.close();
  }
};

const acts = ({ says, presses, silence, hangsUp }: Step): boolean =>
  says !== undefined || presses !== undefined || silence !== undefined || hangsUp === true;

const act = async (call: TextCall, { says, interrupts, presses, silence, hangsUp }: Step): Promise<void> => {
  if (says !== undefined) {
    if (interrupts === undefined) await call.says(says);
    else await call.interrupts(says, interrupts.afterWords, interrupts.says);
  }
  if (presses !== undefined) await call.presses(presses);
  if (silence !== undefined) await call.waits(silence * 1000);
  if (hangsUp === true) await call.hangsUp();
};

/** What happened in a call since a moment. */
class View {
  readonly #call: TextCall;
  readonly #functions: ScriptedFunctions;
  #entries = 0;
  #called = 0;

  constructor(call: TextCall, functions: ScriptedFunctions) {
    this.#call = call;
    this.#functions = functions;
  }

  mark(): void {
    this.#entries = this.#call.transcript.length;
    this.#called = this.#functions.called.length;
  }

  seen(): Seen {
    const entries = this.#call.transcript.slice(this.#entries);
    const functions: readonly CalledFunction[] = this.#functions.called
      .slice(this.#called)
      .map((one) => ({ ...one, result: this.#call.resultOf(one.callId) ?? one.result }));
    return {
      words: entries.flatMap(({ speaker, text }) => (speaker === "AI" && text !== "" ? [text] : [])).join(" "),
      moves: entries.flatMap(({ nodeTransition: move }) =>
        move === undefined
          ? []
          : [
              {
                toNodeId: move.toNodeId,
                data: move.transitionData,
                ...(move.fromNodeId === undefined ? {} : { fromNodeId: move.fromNodeId }),
                ...(move.ruleIndex === undefined ? {} : { ruleIndex: move.ruleIndex }),
              },
            ],
      ),
      functions,
      keys: entries.flatMap(({ functionCalls = [] }) => functionCalls.flatMap(keysOf)).join(""),
      end: this.#call.end,
    };
  }
}

const keysOf = ({ name, args }: Readonly<{ name: string; args: string }>): readonly string[] => {
  if (name !== "press_digits") return [];
  const { digits } = JSON.parse(args) as Readonly<{ digits?: unknown }>;
  return typeof digits === "string" ? [digits] : [];
};

/** No chance in a script: of several messages, the first. */
const alwaysTheSame: Random = {
  id: () => "00000000-0000-7000-8000-000000000000",
  secret: (bytes) => "A".repeat(Math.ceil((bytes * 4) / 3)),
  fraction: () => 0,
};
