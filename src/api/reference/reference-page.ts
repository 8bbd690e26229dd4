import { escapeHtml, proseHtml } from "./escape-html.ts";
import { exampleHtml, fieldsHtml, typeHtml, type ShownSchema } from "./schema-html.ts";

type Content = Readonly<Record<string, Readonly<{ schema?: ShownSchema }>>>;

type ShownOperation = Readonly<{
  operationId: string;
  summary: string;
  description?: string;
  tags?: readonly string[];
  security?: readonly Readonly<Record<string, unknown>>[];
  parameters?: readonly Readonly<{ name: string; in: string; required?: boolean; schema: ShownSchema }>[];
  requestBody?: Readonly<{ content: Content }>;
  responses: Readonly<Record<string, Readonly<{ description: string; content?: Content }>>>;
}>;

/** An OpenAPI document, as far as the reference shows it. */
export type ShownDocument = Readonly<{
  info: Readonly<{ title: string; version: string; description: string }>;
  tags: readonly Readonly<{ name: string; description: string }>[];
  paths: Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>;
  components: Readonly<{ schemas: Readonly<Record<string, ShownSchema>> }>;
}>;

/**
 * The API as one page of HTML, made of its OpenAPI document. Nothing is loaded and nothing runs in it, so that it works offline
 * and under the strictest content policy.
 */
export const referencePage = (document: ShownDocument): string => {
  const { info, tags, components } = document;
  const sections = tags.map((tag) => ({ tag, operations: operationsOf(document, tag.name) }));
  const schemas = Object.entries(components.schemas);
  const contents = sections.map(
    ({ tag, operations }) =>
      `<h2>${escapeHtml(tag.name)}</h2>${operations.map(({ operation }) => link(operation.operationId, operation.summary)).join("")}`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)} reference</title>
<style>${STYLE}</style>
</head>
<body>
<nav><h1>${escapeHtml(info.title)}</h1>${contents.join("")}<h2>schemas</h2>${schemas
    .map(([name]) => link(`schema-${name}`, name))
    .join("")}</nav>
<main>
<p>${proseHtml(info.description)} For programs: <a href="/openapi.json">openapi.json</a>, version ${escapeHtml(info.version)}.</p>
${sections.map(({ tag, operations }) => sectionHtml(tag, operations)).join("\n")}
<h2>schemas</h2>
${schemas.map(([name, schema]) => schemaHtml(name, schema)).join("\n")}
</main>
</body>
</html>
`;
};

type Placed = Readonly<{ path: string; method: string; operation: ShownOperation }>;

const operationsOf = ({ paths }: ShownDocument, tag: string): readonly Placed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags?.includes(tag))
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

const link = (id: string, text: string): string => `<a href="#${escapeHtml(id)}">${escapeHtml(text)}</a>`;

const sectionHtml = (tag: ShownDocument["tags"][number], operations: readonly Placed[]): string =>
  `<h2>${escapeHtml(tag.name)}</h2><p>${proseHtml(tag.description)}</p>${operations.map(operationHtml).join("\n")}`;

const operationHtml = ({ path, method, operation }: Placed): string => {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content["application/json"]?.schema;
  return `<section id="${escapeHtml(operationId)}">
<h3>${escapeHtml(summary)}</h3>
<p><code class="path"><b>${method}</b> ${escapeHtml(path)}</code> ${escapeHtml(credentialsOf(operation))}</p>
${description === undefined ? "" : `<p>${proseHtml(description)}</p>`}
${parameters.length === 0 ? "" : fieldsHtml(asObject(parameters))}
${body === undefined ? "" : `<p>Body: ${typeHtml(body)}</p>${fieldsHtml(body)}`}
<table><tr><th>Status<th>Body<th>Meaning</tr>${Object.entries(responses).map(responseHtml).join("")}</table>
</section>`;
};

const credentialsOf = ({ security }: ShownOperation): string => {
  if (security === undefined) return "no credential";
  return security.some((one) => "dialToken" in one) ? "key, or the dial's token" : "key";
};

const asObject = (parameters: NonNullable<ShownOperation["parameters"]>): ShownSchema => ({
  properties: Object.fromEntries(
    parameters.map(({ name, schema, in: place }) => [
      name,
      { ...schema, description: [`in ${place}`, schema.description].filter(Boolean).join("; ") },
    ]),
  ),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
});

const responseHtml = ([status, response]: readonly [string, ShownOperation["responses"][string]]): string => {
  const [content] = Object.entries(response.content ?? {});
  const [type, { schema = {} }] = content ?? ["", {}];
  const body = schema.$ref === undefined && schema.properties === undefined ? escapeHtml(type) : typeHtml(schema);
  const fields = status.startsWith("2") ? fieldsHtml(schema) : "";
  return `<tr><td>${escapeHtml(status)}<td>${body}${fields}<td>${proseHtml(response.description)}</tr>`;
};

const schemaHtml = (name: string, schema: ShownSchema): string => `<section id="schema-${escapeHtml(name)}">
<h3>${escapeHtml(name)}</h3>
${schema.description === undefined ? "" : `<p>${proseHtml(schema.description)}</p>`}
${fieldsHtml(schema)}
${exampleHtml(schema)}
</section>`;

const STYLE = `
body { font: 0.95rem/1.5 system-ui, sans-serif; margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 1fr); color: #1b1b1f; background: #fdfcfa; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem; box-sizing: border-box; background: #f1efe9; }
nav a { display: block; padding: 0.1rem 0; text-decoration: none; }
nav h1 { font-size: 1.2rem; } nav h2 { font-size: 0.8rem; text-transform: uppercase; margin: 1rem 0 0.2rem; }
main { padding: 1rem 2rem 4rem; max-width: 60rem; }
section { margin: 2rem 0; } h3 { margin-bottom: 0.3rem; }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.6rem 0.25rem 0; border-bottom: 1px solid #dcd9d1; }
pre, .path { background: #f1efe9; border-radius: 4px; } pre { padding: 0.8rem; overflow-x: auto; } .path { padding: 0.2rem 0.5rem; }
a { color: #0b57d0; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; } main { padding: 1rem; } }
@media (prefers-color-scheme: dark) { body { color: #e6e4df; background: #17171a; } nav, pre, .path { background: #242428; } a { color: #9ac2ff; } th, td { border-color: #3a3a40; } }
`;
