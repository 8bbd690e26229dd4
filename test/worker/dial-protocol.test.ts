import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { DIAL_STATES, mayMove } from "../../src/model/dial.ts";

/** The transition table as it stands in the document: one row for each state, one column for each state. */
const transitions = (): string => {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    row(["from \\ to", ...DIAL_STATES]),
    row(["---", ...DIAL_STATES.map(() => "---")]),
    ...DIAL_STATES.map((from) => row([from, ...DIAL_STATES.map((to) => (mayMove(from, to) ? "yes" : ""))])),
  ].join("\n");
};

/** The same as a picture. */
const picture = (): string =>
  [
    "```mermaid",
    "stateDiagram-v2",
    "  [*] --> QUEUED",
    ...DIAL_STATES.flatMap((from) =>
      DIAL_STATES.filter((to) => mayMove(from, to)).map((to) => `  ${from} --> ${to}${LABELS[`${from} ${to}`] ?? ""}`),
    ),
    "  ENDED --> [*]",
    "```",
  ].join("\n");

/** What two of the moves are, where the table alone would mislead. */
const LABELS: Readonly<Record<string, string>> = {
  "QUEUED PLACING": ": claim, the only permit to ring",
  "QUEUED RINGING": ": a browser's dial",
  "ENDED ENDED": ": one correction, by stronger evidence",
};

test("the document draws the transitions that the model allows", async () => {
  const text = await readFile(new URL("../../docs/dial-protocol.md", import.meta.url), "utf8");
  const [, block] = /<!-- picture:[^>]*-->\n([^]*?)\n<!-- \/picture -->/u.exec(text) ?? [];
  expect(block).toBe(picture());
});

test("the document shows the transitions that the model allows", async () => {
  const text = await readFile(new URL("../../docs/dial-protocol.md", import.meta.url), "utf8");
  const [, block] = /<!-- transitions:[^>]*-->\n([^]*?)\n<!-- \/transitions -->/u.exec(text) ?? [];
  expect(block).toBe(transitions());
});

test("no move leads back, and the permit to ring is never given twice", () => {
  for (const from of DIAL_STATES)
    for (const to of DIAL_STATES)
      if (mayMove(from, to)) expect(DIAL_STATES.indexOf(to)).toBeGreaterThanOrEqual(DIAL_STATES.indexOf(from));
  expect(DIAL_STATES.filter((from) => mayMove(from, "PLACING"))).toEqual(["QUEUED"]);
  expect(mayMove("QUEUED", "QUEUED")).toBe(false);
});
