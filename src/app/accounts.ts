import { readFile, stat } from "node:fs/promises";
import { Type, type TSchema } from "typebox";
import { Value } from "typebox/value";
import { ConfigError } from "../config.ts";
import { toError } from "../kit/errors.ts";
import type { CarrierAccount, CarrierDescriptor } from "../ports/carrier.ts";
import { LOOPBACK } from "./loopback.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** An account together with the adapter that it is an account of. */
export type KnownAccount = Readonly<{ descriptor: CarrierDescriptor; account: CarrierAccount }>;

/**
 * The carrier accounts of this deployment: one for each carrier whose variables are set, and those of the file that `ACCOUNTS_FILE` names.
 *
 * @throws {ConfigError} with every mistake, none of them with a value of a setting.
 */
export const readAccounts = async (
  descriptors: readonly CarrierDescriptor[],
  env: Env,
): Promise<readonly KnownAccount[]> => {
  const reader = new AccountReader(descriptors);
  for (const descriptor of descriptors) reader.fromEnvironment(descriptor, env);
  const path = env["ACCOUNTS_FILE"]?.trim();
  if (path !== undefined && path !== "") await reader.fromFile(path);
  if (reader.mistakes.length > 0) throw new ConfigError(reader.mistakes);
  return reader.accounts;
};

/** Ids are part of URLs, and the token in a URL names the account that it was made for. */
const ID = /^[a-z][a-z0-9-]{0,63}$/;

/** A few hundred accounts. */
const MOST_FILE_BYTES = 1024 * 1024;

const FileSchema = Type.Object(
  {
    accounts: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          carrier: Type.String(),
          settings: Type.Record(Type.String(), Type.String()),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

class AccountReader {
  readonly accounts: KnownAccount[] = [];
  readonly mistakes: string[] = [];
  readonly #descriptors: readonly CarrierDescriptor[];

  constructor(descriptors: readonly CarrierDescriptor[]) {
    this.#descriptors = descriptors;
  }

  /** An account whose required variables are all absent is not wanted; one with some of them is a mistake. */
  fromEnvironment(descriptor: CarrierDescriptor, env: Env): void {
    const given = Object.keys(descriptor.settings.properties).flatMap((name) => {
      const value = env[name]?.trim();
      return value === undefined || value === "" ? [] : [[name, value] as const];
    });
    const required = requiredOf(descriptor);
    if (!given.some(([name]) => required.includes(name))) return;
    this.#add(descriptor, { id: descriptor.name, settings: Object.fromEntries(given) }, "");
  }

  async fromFile(path: string): Promise<void> {
    const content = await this.#read(path);
    if (content === undefined) return;
    if (!Value.Check(FileSchema, content)) {
      for (const { instancePath, message } of Value.Errors(FileSchema, content))
        this.mistakes.push(`ACCOUNTS_FILE ${instancePath === "" ? "as a whole" : instancePath}: ${message}`);
      return;
    }
    for (const [index, { id, carrier, settings }] of content.accounts.entries()) {
      const where = `ACCOUNTS_FILE /accounts/${index}: `;
      const descriptor = this.#descriptors.find(({ name }) => name === carrier);
      if (descriptor === undefined) {
        const known = this.#descriptors.map(({ name }) => name).join(", ");
        this.mistakes.push(`${where}carrier must be one of ${known}, not "${carrier}"`);
      } else this.#add(descriptor, { id, settings }, where);
    }
  }

  async #read(path: string): Promise<unknown> {
    try {
      if ((await stat(path)).size > MOST_FILE_BYTES) throw new Error("it is larger than a megabyte");
      return JSON.parse(await readFile(path, "utf8"));
    } catch (error) {
      // What a JSON parser says of a file may quote from it.
      const why = error instanceof SyntaxError ? "it is not JSON" : toError(error).message;
      this.mistakes.push(`ACCOUNTS_FILE ${path} cannot be read: ${why}`);
      return undefined;
    }
  }

  #add(descriptor: CarrierDescriptor, account: CarrierAccount, where: string): void {
    const before = this.mistakes.length;
    this.#checkId(descriptor, account.id, where);
    const { properties } = descriptor.settings;
    for (const name of requiredOf(descriptor))
      if ((account.settings[name] ?? "") === "")
        this.mistakes.push(`${where}${name} is required for an account of ${descriptor.name}`);
    for (const [name, value] of Object.entries(account.settings)) {
      const schema = properties[name];
      if (schema === undefined) this.mistakes.push(`${where}${descriptor.name} has no setting ${name}`);
      else if (value !== "" && !Value.Check(schema, value)) this.mistakes.push(`${where}${name} ${describe(schema)}`);
    }
    if (this.mistakes.length === before) this.accounts.push({ descriptor, account });
  }

  #checkId(descriptor: CarrierDescriptor, id: string, where: string): void {
    if (!ID.test(id))
      this.mistakes.push(`${where}id must be lower-case letters, digits and dashes, at most 64, not "${id}"`);
    if (this.accounts.some(({ account }) => account.id === id))
      this.mistakes.push(`${where}two accounts have the id "${id}"; one of them may come from the environment`);
    const carrier = this.#descriptors.find(({ name }) => name === id);
    if (id === LOOPBACK || (carrier !== undefined && carrier !== descriptor))
      this.mistakes.push(`${where}the id "${id}" is the name of another carrier`);
  }
}

const requiredOf = ({ settings }: CarrierDescriptor): readonly string[] => settings.required;

const describe = (schema: TSchema): string =>
  "description" in schema && typeof schema.description === "string" ? `must be ${schema.description}` : "is malformed";
