import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "typebox";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readAccounts } from "../../src/app/accounts.ts";
import { ConfigError } from "../../src/config.ts";
import type { CarrierDescriptor } from "../../src/ports/carrier.ts";

const carrierCalled = (name: string): CarrierDescriptor => ({
  name,
  settings: Type.Object({
    [`${name.toUpperCase()}_ID`]: Type.String({ pattern: "^AC", description: "an id that begins with AC" }),
    [`${name.toUpperCase()}_TOKEN`]: Type.String({ minLength: 4 }),
    [`${name.toUpperCase()}_BASE_URL`]: Type.Optional(Type.String()),
  }),
  create: () => {
    throw new Error("no account is opened here");
  },
});
const DESCRIPTORS = [carrierCalled("acme"), carrierCalled("zeta")];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "accounts-"));
});
afterEach(() => rm(folder, { recursive: true }));

const read = async (content: unknown, env: Readonly<Record<string, string>> = {}) => {
  const path = join(folder, "accounts.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  const accounts = await readAccounts(DESCRIPTORS, { ACCOUNTS_FILE: path, ...env });
  return accounts.map(({ descriptor, account }) => [descriptor.name, account.id, account.settings]);
};
const mistakes = async (content: unknown, env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> => {
  try {
    await read(content, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
  return [];
};
const ACME = { ACME_ID: "AC1", ACME_TOKEN: "very-secret" };

test("without variables and without a file there is no account", async () => {
  expect(await readAccounts(DESCRIPTORS, { ACME_BASE_URL: "http://localhost:1", ZETA_ID: " " })).toEqual([]);
});

test("the environment has one account of a carrier, the file as many as it lists", async () => {
  const file = {
    accounts: [
      { id: "acme-de", carrier: "acme", settings: ACME },
      { id: "zeta", carrier: "zeta", settings: { ZETA_ID: "AC2", ZETA_TOKEN: "hush" } },
    ],
  };
  expect(await read(file, { ...ACME, ACME_BASE_URL: "http://localhost:1" })).toEqual([
    ["acme", "acme", { ...ACME, ACME_BASE_URL: "http://localhost:1" }],
    ["acme", "acme-de", ACME],
    ["zeta", "zeta", { ZETA_ID: "AC2", ZETA_TOKEN: "hush" }],
  ]);
});

test("every mistake is told at once, and none of them tells a setting's value", async () => {
  const found = await mistakes(
    {
      accounts: [
        {
          id: "Acme 1",
          carrier: "acme",
          settings: { ACME_ID: "wrong-id", ACME_TOKEN: "abc", ACME_COLOUR: "red-secret" },
        },
        { id: "zeta", carrier: "acme", settings: { ACME_ID: "AC1" } },
        { id: "acme", carrier: "acme", settings: ACME },
        { id: "loopback", carrier: "nobody", settings: {} },
      ],
    },
    ACME,
  );
  expect(found).toEqual([
    'ACCOUNTS_FILE /accounts/0: id must be lower-case letters, digits and dashes, at most 64, not "Acme 1"',
    "ACCOUNTS_FILE /accounts/0: ACME_ID must be an id that begins with AC",
    "ACCOUNTS_FILE /accounts/0: ACME_TOKEN is malformed",
    "ACCOUNTS_FILE /accounts/0: acme has no setting ACME_COLOUR",
    'ACCOUNTS_FILE /accounts/1: the id "zeta" is the name of another carrier',
    "ACCOUNTS_FILE /accounts/1: ACME_TOKEN is required for an account of acme",
    'ACCOUNTS_FILE /accounts/2: two accounts have the id "acme"; one of them may come from the environment',
    'ACCOUNTS_FILE /accounts/3: carrier must be one of acme, zeta, not "nobody"',
  ]);
});

test("half an account in the environment is a mistake", async () => {
  expect(await mistakes({ accounts: [] }, { ACME_ID: "AC1" })).toEqual([
    "ACME_TOKEN is required for an account of acme",
  ]);
});

test.each([
  ["{", "is not JSON"],
  [[], "as a whole"],
  [{ accounts: [{ id: "a", carrier: "acme", settings: {}, extra: 1 }] }, "/accounts/0"],
  [{ accounts: [{ id: "a", carrier: "acme", settings: { ACME_ID: 7 } }] }, "/accounts/0/settings/ACME_ID"],
])("a file of another form is refused: %j", async (content, told) => {
  const found = await mistakes(content);
  expect(found).not.toEqual([]);
  expect(found.join("\n")).toContain(told);
});

test("a file that is not there is a mistake", async () => {
  await expect(readAccounts(DESCRIPTORS, { ACCOUNTS_FILE: join(folder, "none.json") })).rejects.toThrow(
    /cannot be read/u,
  );
});
