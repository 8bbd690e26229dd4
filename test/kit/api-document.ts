import type { ApiRig } from "./api-rig.ts";

/** A JSON Schema, as far as tests read it. */
export type Schema = Readonly<{
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  patternProperties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}>;

export type Parameter = Readonly<{ name: string; in: string; required?: boolean; schema: Schema }>;

export type Operation = Readonly<{
  operationId: string;
  summary: string;
  security?: readonly object[];
  parameters?: readonly Parameter[];
  requestBody?: Readonly<{ content: Readonly<Record<string, Readonly<{ schema: Schema }>>> }>;
  responses: Readonly<
    Record<string, Readonly<{ description: string; content?: Record<string, Readonly<{ schema: Schema }>> }>>
  >;
}>;

export type ApiDocument = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: Readonly<{ schemas: Readonly<Record<string, Schema>> }>;
}>;

/** One operation, with where it is. */
export type Located = Readonly<{ path: string; method: "GET" | "POST" | "PUT" | "DELETE"; operation: Operation }>;

/** The OpenAPI document as the server gives it. */
export const readDocument = async (rig: ApiRig): Promise<ApiDocument> =>
  (await rig.request("GET", "/openapi.json", { key: null })).json<ApiDocument>();

export const operationsOf = (document: ApiDocument): readonly Located[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase() as Located["method"],
      operation,
    })),
  );

/** The schema that a reference leads to, or the schema itself. */
export const resolve = (document: ApiDocument, schema: Schema): Schema => {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
};

/** The schema of an operation's JSON body. */
export const bodyOf = (document: ApiDocument, operation: Operation): Schema | undefined => {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  return schema && resolve(document, schema);
};
