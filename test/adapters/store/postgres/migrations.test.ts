import { readdir } from "node:fs/promises";
import {
  Kysely,
  type CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  DummyDriver,
} from "kysely";
import { expect, test } from "vitest";
import { MIGRATIONS } from "../../../../src/adapters/store/postgres/migrate.ts";

/** Makes SQL of statements, without a database. */
const offline = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

type Rule = Readonly<{ what: string; breaks: RegExp }>;

/**
 * Processes of the version before run while a migration does and after it, and their statements must go on working and must not
 * wait. What takes something away from them is done a version later, when nobody needs it any more.
 */
const RULES: readonly Rule[] = [
  {
    what: "drops a table or a column, which the version before still reads",
    breaks: /\bDROP\s+(TABLE|COLUMN|VIEW|TYPE|SCHEMA)\b/iu,
  },
  { what: "renames what the version before knows by its name", breaks: /\bRENAME\b/iu },
  {
    what: "changes a column's type, which writes the whole table anew",
    breaks: /\bALTER\s+(COLUMN\s+)?\w+\s+(SET\s+DATA\s+)?TYPE\b/iu,
  },
  { what: "wants a value that the version before does not give", breaks: /\bSET\s+NOT\s+NULL\b/iu },
  {
    what: "adds a column that must have a value, without a default",
    breaks: /\bADD\s+COLUMN\s+(?:(?!,\s*(?:ADD|ALTER|DROP)\b)[^;])*?\bNOT\s+NULL\b(?!\s+DEFAULT)(?![^,]*\bDEFAULT\b)/iu,
  },
  {
    what: "adds a default that is worked out for every row",
    breaks: /\bADD\s+COLUMN\b[^,;]*\bDEFAULT\s+(gen_random_uuid|clock_timestamp|random)\b/iu,
  },
  { what: "locks a table by name", breaks: /\bLOCK\s+TABLE\b/iu },
  { what: "goes through a table that may be large", breaks: /^\s*(DELETE|TRUNCATE)\b/iu },
];

const sqlOf = ({ sql }: CompiledQuery): string => sql.replaceAll(/--[^\n]*/gu, " ").replaceAll(/'[^']*'/gu, "''");

const faultsOf = (sql: string): readonly string[] =>
  RULES.filter(({ breaks }) => breaks.test(sql)).map(({ what }) => what);

/** Older than the first version that anybody ran beside another: it gave every event an id, row by row. */
const BEFORE_THE_RULES = new Set(["0003-webhooks"]);

test.for(MIGRATIONS.filter(({ name }) => !BEFORE_THE_RULES.has(name)))(
  "$name leaves the version before able to work",
  ({ statements }) => {
    const made = new Set<string>();
    for (const statement of statements) {
      const sql = sqlOf(statement.compile(offline));
      const [, table] = /^\s*CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)/iu.exec(sql) ?? [];
      if (table !== undefined) made.add(table);
      const [, altered] = /^\s*ALTER\s+TABLE\s+(\w+)/iu.exec(sql) ?? [];
      // Nobody knows yet what the same migration has made.
      if (altered === undefined || !made.has(altered)) expect(faultsOf(sql), sql).toEqual([]);
    }
  },
);

test.for([
  "ALTER TABLE dial DROP COLUMN owner",
  "ALTER TABLE dial RENAME COLUMN owner TO holder",
  "ALTER TABLE dial ALTER COLUMN epoch TYPE bigint",
  "ALTER TABLE dial ALTER owner SET NOT NULL",
  "ALTER TABLE dial ADD COLUMN more text NOT NULL",
  "ALTER TABLE dial ADD COLUMN one text, ADD COLUMN more text NOT NULL, ADD COLUMN third text DEFAULT ''",
  "ALTER TABLE dial ADD COLUMN more uuid DEFAULT gen_random_uuid()",
  "LOCK TABLE dial",
  "DELETE FROM dial_event WHERE true",
])("the rules find what is wrong with %s", (sql) => {
  expect(faultsOf(sql)).not.toEqual([]);
});

test.for([
  "ALTER TABLE dial ADD COLUMN more text",
  "ALTER TABLE dial ADD COLUMN looks smallint NOT NULL DEFAULT 0, ADD COLUMN look_at timestamptz",
  "CREATE INDEX dial_live ON dial (workspace_id)",
])("the rules find nothing wrong with %s", (sql) => {
  expect(faultsOf(sql)).toEqual([]);
});

test("migrations have numbers of their own, in order, and each has its file", async () => {
  const names = MIGRATIONS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)].toSorted());
  const folder = new URL("../../../../src/adapters/store/postgres/migrations/", import.meta.url);
  const files = (await readdir(folder)).filter((file) => /^\d/u.test(file)).map((file) => file.replace(/\.ts$/u, ""));
  expect(names).toEqual(files.toSorted());
});
