/** A JSON value that is looked through for schemas. */
type Json = unknown;

/** Carries a schema's name through the generator, which drops `$id`. */
const NAME = "x-schema-name";

/** Marks every schema that has a name, in the schemas of one route; the first half of what {@link hoistSchemas} ends. */
export const markSchemas = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(markSchemas);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => (name === "$id" ? [NAME, inner as Json] : [name, markSchemas(inner)])),
  );
};

/**
 * Makes a generated document readable: every schema that was marked with a name is described once under `components.schemas` and
 * referred to everywhere else.
 */
export const hoistSchemas = (document: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const schemas: Record<string, Json> = {};
  const visit = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    const { [NAME]: name, ...members } = value as Readonly<Record<string, Json>>;
    const visited = Object.fromEntries(Object.entries(members).map(([name, inner]) => [name, visit(inner)]));
    if (typeof name !== "string") return visited;
    schemas[name] = visited;
    return { $ref: `#/components/schemas/${name}` };
  };
  const visited = visit(document) as Record<string, Json>;
  const components = visited["components"] as Record<string, Json> | undefined;
  const sorted = Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return { ...visited, components: { ...components, schemas: sorted } };
};

/** What the document says about the API as a whole. */
export const OPENAPI = {
  openapi: "3.1.0",
  info: {
    title: "call-engine",
    version: "0.1.0",
    description:
      "Runs AI voice agents on phone calls. Every error has the shape `Problem`; decide on its `code`. Lists answer one page and a `cursor` for the next.",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  tags: [
    { name: "dials", description: "Calls: make them, follow them, read what became of them." },
    { name: "agents", description: "Who speaks: language, hearing, patience, defaults." },
    { name: "versioned prompts", description: "What an agent says and does." },
    { name: "extractors", description: "Which values to take from an agent's finished calls." },
    { name: "functions", description: "What agents can do besides speaking." },
    { name: "phone numbers", description: "The numbers that calls are placed from." },
    { name: "do not call", description: "The numbers that are not called." },
    { name: "audio", description: "Sounds that were uploaded." },
    { name: "erasures", description: "What was erased, and the erasure of all calls with a number." },
    { name: "models and voices", description: "What the deployment's providers offer." },
    { name: "webhooks", description: "What was told to the webhooks of dials, and the secret that signs it." },
    { name: "API keys", description: "Who may use this API." },
    { name: "operations", description: "For operators and monitors." },
    { name: "carriers", description: "For carriers; the address of each callback holds its own token." },
  ],
  components: {
    securitySchemes: {
      apiKey: { type: "http" as const, scheme: "bearer", description: "An API key." },
      dialToken: {
        type: "http" as const,
        scheme: "bearer",
        bearerFormat: "JWT",
        description: "The token of one dial, on that dial's own paths.",
      },
    },
  },
};
