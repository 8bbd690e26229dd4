import type { TransitionRule } from "../../model/versioned-prompt.ts";
import { conditionHolds } from "./conditions.ts";
import { fillText, type Values } from "./values.ts";

/** The conditions in plain words among rules, filled in, in their order. */
export const languageConditions = (rules: readonly TransitionRule[], values: Values): readonly string[] =>
  rules.filter(isLanguage).map((rule) => fillText(rule.value ?? "", values));

/**
 * The index of the first rule that holds; -1 for none.
 *
 * `settled`: the node has done its part (a question has its answer or was given up, a freeform node was heard), so `always` holds.
 * Before that an `always` holds the later rules back, as it would if it held. `judge` is asked at most once, when the first condition
 * in plain words is reached, and gives the indexes of those that hold in the list of {@link languageConditions}.
 */
export const firstRule = async (
  rules: readonly TransitionRule[],
  values: Values,
  settled: boolean,
  judge: () => Promise<ReadonlySet<number>>,
): Promise<number> => {
  let judged: ReadonlySet<number> | undefined;
  let conditions = 0;
  for (const [index, rule] of rules.entries()) {
    if (rule.conditionType === "always") return settled ? index : -1;
    if (isLanguage(rule)) {
      judged ??= await judge();
      if (judged.has(conditions)) return index;
      conditions += 1;
    } else if (conditionHolds(rule, values)) return index;
  }
  return -1;
};

const isLanguage = ({ conditionType }: TransitionRule): boolean => conditionType === "language";
