import { expect, test } from "vitest";
import { operationsOf, readDocument } from "../kit/api-document.ts";
import { openApiRigs } from "../kit/api-rigs.ts";
import { escapeHtml, proseHtml } from "../../src/api/reference/escape-html.ts";

const start = openApiRigs();

test("the reference shows every operation, schema and field, and needs nothing from anywhere", async () => {
  const rig = start();
  const response = await rig.request("GET", "/docs", { key: null });
  expect(response.statusCode).toBe(200);
  expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(response.headers["content-security-policy"]).toContain("default-src 'none'");
  const page = response.body;
  const document = await readDocument(rig);
  expect(operationsOf(document).length).toBeGreaterThan(35);
  for (const { path, method, operation } of operationsOf(document)) {
    expect(page).toContain(`id="${operation.operationId}"`);
    expect(page).toContain(`<b>${method}</b> ${path}`);
    expect(page).toContain(escapeHtml(operation.summary));
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    expect(page).toContain(`id="schema-${name}"`);
    for (const field of Object.keys(schema.properties ?? {})) expect(page).toContain(`<code>${field}</code>`);
  }
  expect(page).not.toMatch(/<script|<img|<link|https?:\/\/(?!example\.com)[\w.]+\.(com|net|org|io)\/[\w./]+\.(js|css)/);
  for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${id}"`);
});

test("nothing in a description becomes markup", () => {
  expect(proseHtml('a <b> & `c<d>` "e"')).toBe("a &lt;b&gt; &amp; <code>c&lt;d&gt;</code> &quot;e&quot;");
});
