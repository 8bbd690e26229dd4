import { spawn } from "node:child_process";
import { once } from "node:events";
import { ROWS, type Row } from "./rows.ts";

/** Runs one row's tests at their whole figures; answers whether all of them passed. */
const holds = async ({ files, only, env }: Row): Promise<boolean> => {
  const names = only === undefined ? [] : ["--testNamePattern", only];
  const child = spawn("npx", ["vitest", "run", "--retry=0", "--testTimeout=1800000", ...files, ...names], {
    // oxlint-disable-next-line node/no-process-env -- the tests read their figures from there
    env: { ...process.env, CORPORA: "full", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) console.error(said);
  return code === 0;
};

/** `npm run corpora [-- part of a name]`: leaves with 1 when anything got through. */
const [wanted = ""] = process.argv.slice(2);
const rows = ROWS.filter(({ what }) => what.includes(wanted));
if (rows.length === 0) {
  console.error(`nothing of that name; there are:\n${ROWS.map(({ what }) => `  ${what}`).join("\n")}`);
  process.exitCode = 2;
}
for (const row of rows) {
  const from = process.hrtime.bigint();
  const held = await holds(row);
  const seconds = Number((process.hrtime.bigint() - from) / 1_000_000_000n);
  console.log(`${held ? "holds" : "FAILS"}  ${row.what}: ${row.figure} (${seconds} s)`);
  if (!held) process.exitCode = 1;
}
