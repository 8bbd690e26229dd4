import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { regressions } from "./baseline.ts";
import { tableOf, type Row } from "./row.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

test("what a call costs has not grown by more than 15 % against the program that is nothing but calls", async () => {
  const child = spawn(process.execPath, [MAIN, "--quick", "--only", "path"], { stdio: ["ignore", "pipe", "pipe"] });
  let told = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (told += chunk.toString()));
  const [code] = (await once(child, "exit")) as [number | null];
  expect(told).toContain("| call.path |");
  expect(code, told).toBe(0);
}, 180_000);

const row: Row = { id: "a", definition: "", unit: "ms", engine: 3, floor: 1, ratio: 3, gated: true };

test("only a steady ratio that has grown by more than 15 % is a regression", () => {
  const of = (more: Partial<Row>, before = 2.5) => regressions([{ ...row, ...more }], new Map([["a", before]]));
  expect(of({})).toEqual(["a: 3.00 times the floor, 2.50 before"]);
  expect(of({}, 2.7)).toEqual([]);
  expect(of({ gated: false })).toEqual([]);
  expect(of({ void: "the machine is busy" })).toEqual([]);
  expect(regressions([row], new Map())).toEqual([]);
});

test("the table shows figures with the digits that they deserve, and says where one says nothing", () => {
  const rows = [
    { ...row, engine: 123.4, target: "≤ 2", met: false },
    { ...row, id: "b", floor: undefined, ratio: undefined, engine: 12.34, void: "the machine is busy" },
  ];
  expect(tableOf(rows, new Map([["a", 2]])).slice(2)).toEqual([
    "| a | 123 | 1.00 | 3.00 | 2.00 | ms | ≤ 2 | not met |",
    "| b | 12.3 |  |  |  | ms |  | says nothing: the machine is busy |",
  ]);
});
