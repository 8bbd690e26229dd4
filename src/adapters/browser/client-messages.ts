import { Compile } from "typebox/compile";
import { ClientMessageSchema, MOST_TEXT_BYTES, type ClientMessage } from "../../model/browser-protocol.ts";

/** Why a text is no message of a browser; `path` is a JSON pointer to the field at fault, empty for the message as a whole. */
export type BadMessage = Readonly<{ path: string; fault: string }>;

type Checker = ReturnType<typeof Compile<(typeof ClientMessageSchema)["anyOf"][number]>>;

/** By the `type` of their messages, so that faults are told of the message that was meant. */
const checkers: ReadonlyMap<unknown, Checker> = new Map(
  ClientMessageSchema.anyOf.map((schema) => [
    schema.properties.type.enum[0],
    Compile<(typeof ClientMessageSchema)["anyOf"][number]>(schema),
  ]),
);

const TYPES = [...checkers.keys()].join(", ");

/** Reads a text message of a browser, or tells which field keeps it from being one. */
export const readClientMessage = (text: string): Readonly<{ message: ClientMessage }> | BadMessage => {
  if (text.length > MOST_TEXT_BYTES) return { path: "", fault: `has more than ${MOST_TEXT_BYTES} characters` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { path: "", fault: "is not JSON" };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { path: "", fault: "must be a JSON object" };
  const checker = checkers.get((value as Readonly<Record<string, unknown>>)["type"]);
  if (checker === undefined) return { path: "/type", fault: `must be one of ${TYPES}` };
  return checker.Check(value) ? { message: value } : faultIn(checker, value);
};

/**
 * The fault that lies deepest, since of alternatives the one that was meant goes wrong last; of equals, the one that all alternatives
 * find, then the first.
 */
const faultIn = (checker: Checker, value: unknown): BadMessage => {
  const found = new Map<string, Fault[]>();
  for (const fault of checker.Errors(value).map(toFault))
    found.set(fault.path, [...(found.get(fault.path) ?? []), fault]);
  const depth = (path: string) => path.split("/").length;
  const [worst] = [...found].toSorted(([a, as], [b, bs]) => depth(b) - depth(a) || bs.length - as.length);
  if (worst === undefined) return { path: "", fault: "is not understood" };
  const [path, faults] = worst;
  const allowed = faults.flatMap((fault) => fault.allowed);
  return { path, fault: allowed.length > 0 ? `must be one of ${allowed.join(", ")}` : (faults[0]?.fault ?? "") };
};

type Fault = BadMessage & Readonly<{ allowed: readonly unknown[] }>;

const toFault = ({ keyword, instancePath, params, message }: ReturnType<Checker["Errors"]>[number]): Fault => {
  if (keyword === "required") {
    const [missing] = (params as Readonly<{ requiredProperties: readonly string[] }>).requiredProperties;
    return { path: `${instancePath}/${missing}`, fault: "is required", allowed: [] };
  }
  const allowed = keyword === "enum" ? (params as Readonly<{ allowedValues: readonly unknown[] }>).allowedValues : [];
  return { path: instancePath, fault: message, allowed };
};
