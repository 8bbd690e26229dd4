/** A JSON value that is looked through for schemas. */
type Json = unknown;

/**
 * Makes a generated document readable: every schema that has a name (`$id`) is described once under `components.schemas` and
 * referred to everywhere else.
 */
export const hoistSchemas = (document: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const schemas: Record<string, Json> = {};
  const visit = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    const { $id, ...members } = value as Readonly<Record<string, Json>>;
    const visited = Object.fromEntries(Object.entries(members).map(([name, inner]) => [name, visit(inner)]));
    if (typeof $id !== "string") return visited;
    schemas[$id] = visited;
    return { $ref: `#/components/schemas/${$id}` };
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
    { name: "catalogue", description: "Agents, voices, models and phone numbers." },
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
