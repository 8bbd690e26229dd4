import { escapeHtml, proseHtml } from "./escape-html.ts";

/** A JSON Schema, as far as the reference shows it. */
export type ShownSchema = Readonly<{
  $ref?: string;
  type?: string;
  format?: string;
  enum?: readonly unknown[];
  anyOf?: readonly ShownSchema[];
  items?: ShownSchema;
  properties?: Readonly<Record<string, ShownSchema>>;
  required?: readonly string[];
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  examples?: readonly unknown[];
}>;

/** The members of an object as a table, those of objects inside under their path. Empty for what is no object. */
export const fieldsHtml = (schema: ShownSchema): string => {
  const rows = rowsOf(schema, "");
  return rows === "" ? "" : `<table><tr><th>Field<th>Type<th>Notes</tr>${rows}</table>`;
};

/** A type in a few words, with a link to the schema that it names. */
export const typeHtml = (schema: ShownSchema): string => {
  if (schema.$ref !== undefined) {
    const name = escapeHtml(schema.$ref.split("/").at(-1) ?? "");
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeHtml).join(" or ");
  if (schema.enum !== undefined)
    return schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(", ");
  if (schema.items !== undefined) return `array of ${typeHtml(schema.items)}`;
  return escapeHtml(schema.format ?? schema.type ?? "anything");
};

/** The first example, as JSON. */
export const exampleHtml = ({ examples }: ShownSchema): string =>
  examples?.[0] === undefined ? "" : `<pre>${escapeHtml(JSON.stringify(examples[0], null, 2))}</pre>`;

const rowsOf = (schema: ShownSchema, prefix: string): string =>
  Object.entries(schema.properties ?? {})
    .map(([name, field]) => {
      const path = `${prefix}${name}`;
      const required = schema.required?.includes(name) ?? false;
      const notes = [required ? "required" : "", proseHtml(field.description ?? ""), limitsOf(field)];
      const cells = [
        `<code>${escapeHtml(path)}</code>`,
        typeHtml(field),
        notes.filter((note) => note !== "").join("; "),
      ];
      const inner = insideOf(field);
      return `<tr>${cells.map((cell) => `<td>${cell}`).join("")}</tr>${inner ? rowsOf(inner.schema, `${path}${inner.step}`) : ""}`;
    })
    .join("");

/** The object that a field holds or lists, unless it has a name and a section of its own. */
const insideOf = (field: ShownSchema): Readonly<{ schema: ShownSchema; step: string }> | undefined => {
  const object = field.anyOf?.find(({ properties }) => properties !== undefined) ?? field;
  if (object.properties !== undefined) return { schema: object, step: "." };
  return field.items?.properties === undefined ? undefined : { schema: field.items, step: "[]." };
};

const limitsOf = (schema: ShownSchema): string => {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema.anyOf?.[0] ?? schema;
  const range = (low: number | undefined, high: number | undefined, unit: string) => {
    if (low === undefined && high === undefined) return "";
    if (low === undefined || low === 0) return `at most ${high}${unit}`;
    return high === undefined ? `at least ${low}${unit}` : `${low} to ${high}${unit}`;
  };
  if (minimum !== undefined) return maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`;
  return [range(minLength, maxLength, " characters"), range(undefined, maxItems, " entries")]
    .filter((limit) => !limit.includes("undefined") && limit !== "")
    .join("; ");
};
