import { whyNotCallable } from "../dials/customer-url.ts";
import { isE164 } from "../dials/destination.ts";
import { invalidField, Refusal } from "../dials/refusal.ts";
import type { CreateFunction, FunctionDefinition, UpdateFunction } from "../model/function-definition.ts";
import type { CatalogueDeps } from "./deps.ts";
import { whyNoSchema } from "./json-schema-text.ts";
import { putFields } from "./put-fields.ts";

/** @throws {Refusal} for fields that do not fit the type, a number that is none, an address that may not be called. */
export const createFunction = async (
  deps: CatalogueDeps,
  workspaceId: string,
  body: CreateFunction,
): Promise<FunctionDefinition> => {
  const { allowedNumbers = [], ...others } = body;
  const definition = settled({ id: deps.random.id(), ...others, allowedNumbers }, body, deps);
  await deps.catalogue.addFunction(workspaceId, definition);
  return definition;
};

/** @throws {Refusal} `function_not_found`, also for a function of another workspace. */
export const readFunction = async (
  { catalogue }: CatalogueDeps,
  workspaceId: string,
  id: string,
): Promise<FunctionDefinition> => {
  const [found] = await catalogue.findFunctions(workspaceId, [id]);
  return found ?? notFound();
};

/**
 * Changes the fields that are present. A function that changes its type loses the fields of the other type.
 *
 * @throws {Refusal} as {@link createFunction} and {@link readFunction} do.
 */
export const updateFunction = async (
  deps: CatalogueDeps,
  workspaceId: string,
  id: string,
  body: UpdateFunction,
): Promise<FunctionDefinition> => {
  const changed = await deps.catalogue.changeFunction(workspaceId, id, (before) =>
    settled(putFields(before, body), body, deps),
  );
  return changed ?? notFound();
};

/** @throws {Refusal} `function_not_found`. */
export const deleteFunction = async (
  { catalogue }: CatalogueDeps,
  workspaceId: string,
  id: string,
): Promise<FunctionDefinition> => (await catalogue.removeFunction(workspaceId, id)) ?? notFound();

const notFound = (): never => {
  throw new Refusal("function_not_found", "There is no function with this id.");
};

/** The function with the fields of its type, after what the request brings was checked. */
const settled = (
  definition: FunctionDefinition,
  body: UpdateFunction,
  { policy }: CatalogueDeps,
): FunctionDefinition => {
  if (definition.type === "transfer") return settledTransfer(definition, body);
  if (definition.apiPath === undefined) throw invalidField("/apiPath", "is required for an api function");
  if (body.transferMode !== undefined) throw invalidField("/transferMode", "is for functions of type transfer");
  if ((body.allowedNumbers ?? []).length > 0)
    throw invalidField("/allowedNumbers", "must be empty for an api function");
  if (body.apiPath !== undefined) {
    const why = whyNotCallable(body.apiPath, policy.allowPrivateNetwork);
    if (why !== undefined) throw new Refusal("api_path_not_allowed", `apiPath ${why}.`, "/apiPath");
  }
  checkHeaders(body);
  checkSchema("/inputJsonSchema", body.inputJsonSchema, "object");
  for (const [index, output] of (body.outputs ?? []).entries())
    checkSchema(`/outputs/${index}/customFieldJsonSchema`, output.customFieldJsonSchema);
  const { transferMode: _, ...api } = definition;
  return { ...api, allowedNumbers: [] };
};

const API_FIELDS = ["apiPath", "headers", "inputJsonSchema", "outputs"] as const;

const settledTransfer = (definition: FunctionDefinition, body: UpdateFunction): FunctionDefinition => {
  const foreign = API_FIELDS.find((name) => body[name] !== undefined);
  if (foreign !== undefined) throw invalidField(`/${foreign}`, "is for functions of type api");
  if (body.allowedNumbers === undefined) throw invalidField("/allowedNumbers", "is required for a transfer function");
  for (const [index, { number }] of body.allowedNumbers.entries())
    if (!isE164(number))
      throw new Refusal(
        "invalid_number",
        "A number must be written in E.164 form, such as +12025550123.",
        `/allowedNumbers/${index}/number`,
      );
  const { apiPath: _, headers: __, inputJsonSchema: ___, outputs: ____, ...transfer } = definition;
  return transfer;
};

/** Headers that HTTP itself sets from the request and its connection (RFC 9110, section 7). */
const OWN_HEADERS = new Set(
  "connection content-length content-type expect host keep-alive proxy-connection te trailer transfer-encoding upgrade".split(
    " ",
  ),
);

const checkHeaders = ({ headers = [] }: UpdateFunction): void => {
  for (const [index, { key }] of headers.entries())
    if (OWN_HEADERS.has(key.toLowerCase())) throw invalidField(`/headers/${index}/key`, "is a header that is set here");
};

const checkSchema = (path: string, text: string | undefined, type?: "object"): void => {
  const why = text === undefined ? undefined : whyNoSchema(text, type);
  if (why !== undefined) throw invalidField(path, why);
};
