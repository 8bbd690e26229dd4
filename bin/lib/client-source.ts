/** A JSON Schema, as far as the API's document uses it. */
type Schema = Readonly<{
  $ref?: string;
  type?: string;
  format?: string;
  enum?: readonly (string | number)[];
  anyOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  description?: string;
}>;

type Media = Readonly<{ schema?: Schema; "x-itemSchema"?: Schema }>;

type Operation = Readonly<{
  operationId: string;
  summary: string;
  description?: string;
  security?: readonly unknown[];
  parameters?: readonly Readonly<{
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema: Schema;
  }>[];
  requestBody?: Readonly<{ content: Readonly<Record<string, Media>> }>;
  responses: Readonly<Record<string, Readonly<{ content?: Readonly<Record<string, Media>> }>>>;
}>;

/** The API's OpenAPI document, as far as the client is made of it. */
export type ClientDocument = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: Readonly<{ schemas: Readonly<Record<string, Schema>> }>;
}>;

type Placed = Readonly<{ path: string; method: string; operation: Operation }>;

/** Where the API begins; what lies outside is for operators and carriers. */
const BASE = "/api";

const JSON_TYPE = "application/json";

/**
 * The source of the client's types: one for each schema, one for each operation with all that it takes and answers, and the
 * table that says how each operation is sent. Not formatted.
 *
 * @throws Error for a schema of a form that it does not know, rather than to guess a type.
 */
export const clientSource = (document: ClientDocument): string => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.security !== undefined)
      .map(([method, operation]): Placed => ({ path: path.slice(BASE.length), method, operation })),
  );
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${commentOf(schema.description)}export type ${typeName(name)} = ${typeOf(schema)};`,
  );
  return `// Made of docs/openapi.json by \`npm run client\`; changes belong into the schemas of src/model.

${schemas.join("\n\n")}

/** What each operation takes and answers: \`responses\` by status, problems among them. */
export type Operations = {
${operations.map(({ operation }) => `${commentOf(textOf(operation))}${operation.operationId}: ${operationType(operation)};`).join("\n")}
};

/** How each operation is sent. \`page\` names the array that a list answers, \`answer\` what else but JSON comes back. */
export const OPERATIONS = {
${operations.map((placed) => `${placed.operation.operationId}: ${sendingOf(placed, document)},`).join("\n")}
} as const;
`;
};

const textOf = ({ summary, description }: Operation): string =>
  description === undefined ? `${summary}.` : `${summary}. ${description}`;

const commentOf = (text: string | undefined): string =>
  text === undefined ? "" : `/** ${text.replaceAll("*/", "*\\/")} */\n`;

const operationType = (operation: Operation): string => {
  const [[sent, body] = []] = Object.entries(operation.requestBody?.content ?? {});
  const responses = Object.entries(operation.responses).map(([status, { content }]) => {
    const [[mediaType, media] = []] = Object.entries(content ?? {});
    return `${status}: ${mediaType === undefined ? "undefined" : answerType(mediaType, media)};`;
  });
  return `{
params: ${parametersType(operation, "path")};
query: ${parametersType(operation, "query")};
headers: ${parametersType(operation, "header")};
body: ${sent === undefined ? "undefined" : answerType(sent, body)};
responses: { ${responses.join("\n")} };
}`;
};

const parametersType = ({ parameters = [] }: Operation, place: string): string =>
  objectType(
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, description, schema }) => ({
        name,
        required: required === true,
        description: description ?? schema.description,
        type: typeOf(schema),
      })),
    "unknown",
  );

const answerType = (mediaType: string, media: Media | undefined): string => {
  if (media?.["x-itemSchema"] !== undefined) return typeOf(media["x-itemSchema"]);
  if (mediaType === "application/json" || mediaType === "application/problem+json") return typeOf(media?.schema ?? {});
  return "Blob";
};

const sendingOf = ({ path, method, operation }: Placed, document: ClientDocument): string => {
  const list = (place: string) =>
    (operation.parameters ?? []).filter((parameter) => parameter.in === place).map(({ name }) => name);
  const [mediaType, media] = Object.entries(successOf(operation).content ?? {})[0] ?? [];
  const page = mediaType === "application/json" ? pageField(media?.schema ?? {}, document) : undefined;
  const isJson = mediaType === "application/json";
  const sends = Object.keys(operation.requestBody?.content ?? {})[0] ?? JSON_TYPE;
  const answer = media?.["x-itemSchema"] === undefined ? "blob" : "events";
  return JSON.stringify({
    method: method.toUpperCase(),
    path,
    query: list("query"),
    ...(page === undefined ? {} : { page }),
    ...(sends === JSON_TYPE ? {} : { sends }),
    ...(isJson ? {} : { answer }),
  });
};

const successOf = (operation: Operation) => {
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1];
  if (success === undefined) throw new Error(`${operation.operationId} has no answer for success`);
  return success;
};

/** The one array beside `cursor`, where an operation answers pages. */
const pageField = (schema: Schema, document: ClientDocument): string | undefined => {
  const { properties = {} } =
    schema.$ref === undefined ? schema : (document.components.schemas[nameOf(schema.$ref)] ?? {});
  if (properties["cursor"] === undefined) return undefined;
  return Object.keys(properties).find((name) => properties[name]?.type === "array");
};

const nameOf = (reference: string): string => reference.split("/").at(-1) ?? reference;

/** A name that TypeScript has for something else would hide it wherever the client is imported. */
const typeName = (schema: string): string => (schema === "Function" ? "FunctionDefinition" : schema);

const typeOf = (schema: Schema): string => {
  if (schema.$ref !== undefined) return typeName(nameOf(schema.$ref));
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" | ");
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `(${typeOf(schema.items ?? {})})[]`;
    case "object":
      return propertiesType(schema);
    case undefined:
      if (Object.keys(schema).every((keyword) => keyword === "description")) return "unknown";
      break;
    default:
      break;
  }
  throw new Error(`no type for the schema ${JSON.stringify(schema)}`);
};

const propertiesType = ({ properties = {}, required = [], additionalProperties }: Schema): string => {
  const rest = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown";
  const members = Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    description: schema.description,
    type: typeOf(schema),
  }));
  return objectType(members, additionalProperties === false ? "Record<string, never>" : `Record<string, ${rest}>`);
};

type Member = Readonly<{ name: string; required: boolean; description: string | undefined; type: string }>;

const objectType = (members: readonly Member[], ofNone: string): string => {
  if (members.length === 0) return ofNone;
  const lines = members.map(
    ({ name, required, description, type }) =>
      `${commentOf(description)}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required ? "" : "?"}: ${type};`,
  );
  return `{\n${lines.join("\n")}\n}`;
};
