import { Value } from "typebox/value";
import { Type } from "typebox";
import type { FunctionOutcome } from "../call/invocations.ts";
import { toError } from "../kit/errors.ts";
import { switched } from "../dialogue/spoken-language.ts";
import type { CallPlan } from "../model/call-plan.ts";
import { withDeadline, type Clock } from "../ports/clock.ts";
import type { DoNotCallRecords } from "../ports/do-not-call.ts";
import type { ToolCall } from "../ports/language-model.ts";
import type { Logger } from "../ports/logger.ts";
import type { Random } from "../ports/random.ts";
import { failure } from "./function-answer.ts";

/** What putting a number on the do-not-call list takes. */
export type MarkDeps = Readonly<{
  clock: Clock;
  random: Random;
  logger: Logger;
  /** Absent where calls are only rehearsed. */
  doNotCall?: Pick<DoNotCallRecords, "addDoNotCall">;
}>;

/** As many keys as a long account number has. */
const MOST_DIGITS = 32;

const USUAL_TIMEOUT_SECONDS = 8;

/** The store may take so long; the person on the line waits. */
const STORE_MS = 5000;

const CollectSchema = Type.Object({
  maxDigits: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_DIGITS })),
  finishKey: Type.Optional(Type.Enum(["#", "*"])),
  timeoutSeconds: Type.Optional(Type.Number({ minimum: 1, maximum: 30 })),
  sensitive: Type.Optional(Type.Boolean()),
});

const LISTED = { ok: true, message: "The number is on the list. Say so, say goodbye, and end the call." };

/** What a model wants pressed. What it leaves open is the usual: up to 32 keys, ended by #, 8 s for each. */
export const collectDigits = ({ args }: ToolCall): FunctionOutcome => {
  const given = parsed(args);
  if (!Value.Check(CollectSchema, given))
    return {
      type: "result",
      result: failure(
        "invalid_arguments",
        "Nothing was collected: maxDigits is 1 to 32, finishKey # or *, timeoutSeconds 1 to 30, sensitive true or false.",
      ),
    };
  const { maxDigits = MOST_DIGITS, finishKey = "#", timeoutSeconds = USUAL_TIMEOUT_SECONDS, sensitive = false } = given;
  return { type: "collect", wanted: { maxDigits, finishKey, timeoutMs: timeoutSeconds * 1000, sensitive } };
};

const SwitchSchema = Type.Object({ language: Type.String({ maxLength: 100 }) });

/** The language that a model wants to go on in, if the call can. */
export const switchLanguage = (
  { languages = [] }: Pick<CallPlan, "languages">,
  { args }: ToolCall,
): FunctionOutcome => {
  const given = parsed(args);
  const asked = Value.Check(SwitchSchema, given) ? given.language.toLowerCase() : undefined;
  const found = languages.find(({ language }) => language.toLowerCase() === asked);
  if (found !== undefined) return { type: "language", language: found.language, result: switched(found.language) };
  const known = languages.map(({ language }) => language).join(", ");
  const message =
    known === ""
      ? "Nothing was changed: this call has only one language. Say so in it."
      : `Nothing was changed: language must be one of ${known}. Say which of them you speak.`;
  return { type: "result", result: failure("language_not_available", message) };
};

/** Puts the number of the other party on the list of their workspace; answers what the model is told. Never rejects. */
export const markDoNotCall = async (deps: MarkDeps, plan: CallPlan): Promise<string> => {
  const { clock, random, logger, doNotCall } = deps;
  const number = plan.direction === "inbound" ? plan.fromNumber : plan.toNumber;
  if (number === undefined || plan.direction === "browser")
    return failure("no_number", "Nothing was done: the other party has no telephone number on this call.");
  if (doNotCall === undefined) return JSON.stringify(LISTED);
  try {
    const entry = { id: random.id(), number, reason: "asked for during a call", dialId: plan.dialId };
    await withDeadline(clock, STORE_MS, "the do-not-call list", doNotCall.addDoNotCall(plan.workspaceId, entry));
    logger.info("a number was put on the do-not-call list", { dialId: plan.dialId });
    return JSON.stringify(LISTED);
  } catch (error) {
    logger.error("a number could not be put on the do-not-call list", { dialId: plan.dialId, error: toError(error) });
    return failure("not_listed", "The number could not be listed now. Say that you will pass the wish on.");
  }
};

/** Some models leave the arguments empty where none is needed; null stands for what is no JSON. */
const parsed = (args: string): unknown => {
  if (args.trim() === "") return {};
  try {
    return JSON.parse(args) as unknown;
  } catch {
    return null;
  }
};
