import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { ApiDocument, Located } from "./api-document.ts";

/** A response, as far as the document says something about it. */
export type Answer = Readonly<{
  statusCode: number;
  headers: Readonly<Record<string, unknown>>;
  body: string;
}>;

/** What the document does not allow about an answer; `undefined` when it is as documented. */
export type AnswerCheck = (operation: Pick<Located, "path" | "method">, answer: Answer) => string | undefined;

/** Checks answers against the schemas of an OpenAPI document: status, content type and JSON body. */
export const createAnswerCheck = (document: ApiDocument): AnswerCheck => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: "openapi" });
  const known = new Map<string, ValidateFunction | undefined>();
  const validatorOf = (parts: readonly string[]) => {
    const pointer = parts.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
    if (!known.has(pointer)) known.set(pointer, ajv.getSchema(`openapi#/${pointer}`));
    return known.get(pointer);
  };
  return ({ path, method }, { statusCode, headers, body }) => {
    const type = String(headers["content-type"]).split(";", 1)[0] ?? "";
    if (body === "" && headers["content-type"] === undefined) {
      const documented = document.paths[path]?.[method.toLowerCase()]?.responses[String(statusCode)];
      return documented !== undefined && documented.content === undefined
        ? undefined
        : `${method} ${path} ${statusCode} without a body is not documented`;
    }
    const where = ["paths", path, method.toLowerCase(), "responses", String(statusCode), "content", type, "schema"];
    const validate = validatorOf(where);
    if (validate === undefined) return `${method} ${path} ${statusCode} ${type} is not documented`;
    if (!type.endsWith("json")) return undefined;
    if (validate(JSON.parse(body))) return undefined;
    return `${method} ${path} ${statusCode}: ${ajv.errorsText(validate.errors)}`;
  };
};
