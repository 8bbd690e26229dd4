import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readDocument, resolve, type ApiDocument, type Schema } from "../kit/api-document.ts";
import { openApiRigs } from "../kit/api-rigs.ts";

const start = openApiRigs();

/** Whose fields are looked at to any depth; of the others, what is answered as a whole is one field. */
const DEEP = ["Agent", "VersionedPrompt", "Function", "CreateDial"];
const FLAT = ["Model", "Voice", "PhoneNumber", "DoNotCall", "Dial", "TranscriptEntry"];

type Row = Readonly<{ schema: string; field: string; shownBy: string }>;

const readTable = async (): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  let schema = "";
  for (const line of (await readFile("docs/field-effects.md", "utf8")).split("\n")) {
    schema = /^## (\w+)$/.exec(line)?.[1] ?? schema;
    const [, field, shownBy] = /^\| `([\w.]+)` \| .+? \| (.+) \|$/.exec(line) ?? [];
    if (field !== undefined && shownBy !== undefined) rows.push({ schema, field, shownBy });
  }
  return rows;
};

const fieldsOf = (document: ApiDocument, schema: Schema, deep: boolean, prefix = ""): readonly string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const options = (field.anyOf ?? [field]).map((one) => resolve(document, one.items ?? one));
    const inner = options.find((one) => one.properties !== undefined);
    return deep && inner !== undefined ? fieldsOf(document, inner, deep, `${prefix}${name}.`) : [`${prefix}${name}`];
  });

test("every field of the API stands in docs/field-effects.md, and nothing else does", async () => {
  const document = await readDocument(start());
  const rows = await readTable();
  const known = [...DEEP, ...FLAT].flatMap((name) =>
    fieldsOf(document, document.components.schemas[name] ?? {}, DEEP.includes(name)).map((field) => `${name} ${field}`),
  );
  expect(known.length).toBeGreaterThan(100);
  expect(rows.map(({ schema, field }) => `${schema} ${field}`).toSorted()).toEqual(known.toSorted());
});

test("every test that docs/field-effects.md names is there", async () => {
  const rows = await readTable();
  let named = 0;
  for (const { schema, field, shownBy } of rows) {
    const [, file, title] = /^`(test\/[\w./-]+)`(?:: (.+))?$/.exec(shownBy) ?? [];
    if (file === undefined) {
      expect(shownBy, `${schema} ${field}`).toBe("—");
      continue;
    }
    const text = await readFile(file, "utf8");
    if (title !== undefined) expect(text.includes(title), `${schema} ${field}: ${file}: ${title}`).toBe(true);
    named += 1;
  }
  expect(named).toBeGreaterThan(100);
});
