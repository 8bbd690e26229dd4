import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { clientSource, type ClientDocument } from "../../bin/lib/client-source.ts";
import { formatted } from "../../bin/lib/formatted.ts";
import { OPERATIONS } from "../../src/client/operations.ts";

const readDocument = async () => JSON.parse(await readFile("docs/openapi.json", "utf8")) as ClientDocument;

test("the committed operations are those of the document (npm run client writes them anew)", async () => {
  const source = await formatted(clientSource(await readDocument()));
  expect(await readFile("src/client/operations.ts", "utf8")).toBe(source);
});

test("every operation that needs a credential has an entry, and nothing else has", async () => {
  const operations = Object.values((await readDocument()).paths).flatMap((methods) => Object.values(methods));
  const named = operations.filter(({ security }) => security !== undefined).map(({ operationId }) => operationId);
  expect(Object.keys(OPERATIONS)).toEqual(named);
  expect(named.length).toBeGreaterThanOrEqual(40);
});

test("a schema of a form that is not known is refused, not guessed", async () => {
  const document = await readDocument();
  const strange = { type: "object", properties: { when: { type: "moment" } } };
  const schemas = { ...document.components.schemas, Strange: strange };
  expect(() => clientSource({ ...document, components: { schemas } })).toThrow(/no type for the schema .*moment/);
});
