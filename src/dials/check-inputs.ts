import { MAX_INPUT_LENGTH } from "../model/dial.ts";
import { Refusal } from "./refusal.ts";

/**
 * Values of macros as they will be written into texts: strings as they are, others as JSON.
 *
 * @throws {Refusal} `validation_failed`, naming each value that is longer than {@link MAX_INPUT_LENGTH}.
 */
export const checkInputs = (inputs: Readonly<Record<string, unknown>>): void => {
  const faults = Object.entries(inputs)
    .filter(([, value]) => lengthOf(value) > MAX_INPUT_LENGTH)
    .map(([name]) => ({
      path: `/callAgentInput/${name.slice(0, 200).replaceAll("~", "~0").replaceAll("/", "~1")}`,
      message: `must not be longer than ${MAX_INPUT_LENGTH} characters as text`,
    }));
  const [first] = faults;
  if (first !== undefined) throw new Refusal("validation_failed", `${first.path} ${first.message}`, faults);
};

const lengthOf = (value: unknown): number => (typeof value === "string" ? value : JSON.stringify(value)).length;
