import { CarrierHttpClient } from "../adapters/http/carrier-http-client.ts";
import { toError } from "../kit/errors.ts";
import type { Carrier } from "../ports/carrier.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import type { SpeechSynthesizer } from "../ports/synthesizer.ts";
import { discoverCarriers } from "../registry.ts";
import type { CallerScript } from "../adapters/carrier/simulation/script.ts";
import { readAccounts, type KnownAccount } from "./accounts.ts";
import { openLoopback } from "./loopback.ts";

export type OpenCarriers = Readonly<{
  /** By the ids of their accounts. */
  accounts: ReadonlyMap<string, Carrier>;
  /** The carrier of each account, by the account's id. */
  names: ReadonlyMap<string, string>;
  /** Accounts whose network is on this machine, so that their numbers reach nobody. */
  simulated: ReadonlySet<string>;
  close(): Promise<void>;
}>;

/** Every account that the operator has given, and the simulated carrier, which needs none. */
export const openCarriers = async (
  deps: AdapterDeps,
  env: Readonly<Record<string, string | undefined>>,
  synthesizers: readonly SpeechSynthesizer[],
  options: Readonly<{ caller?: CallerScript | undefined }>,
): Promise<OpenCarriers> => {
  const known = await readAccounts(await discoverCarriers(), env);
  const http = new CarrierHttpClient({ clock: deps.clock });
  const loopback = await openLoopback(deps, env, synthesizers, options);
  const accounts = new Map<string, Carrier>([[loopback.name, loopback]]);
  const names = new Map([[loopback.name, loopback.name]]);
  for (const { descriptor, account } of known) {
    accounts.set(account.id, descriptor.create(account, { ...deps, http }));
    names.set(account.id, descriptor.name);
  }
  return {
    accounts,
    names,
    simulated: new Set([loopback.name, ...known.filter(isSimulated).map(({ account }) => account.id)]),
    close: async () => {
      for (const carrier of accounts.values())
        await carrier.close().catch((error: unknown) => {
          deps.logger.warn("a carrier was not closed", { provider: carrier.name, error: toError(error) });
        });
      await http.close();
    },
  };
};

/** Whether a base URL among the settings leads to this machine. */
const isSimulated = ({ account }: KnownAccount): boolean =>
  Object.entries(account.settings).some(
    ([name, value]) => name.endsWith("_BASE_URL") && URL.canParse(value) && LOCAL.has(new URL(value).hostname),
  );

const LOCAL: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
