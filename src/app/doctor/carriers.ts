import { CarrierHttpClient } from "../../adapters/http/carrier-http-client.ts";
import { ConfigError } from "../../config.ts";
import type { AdapterDeps } from "../../ports/descriptor.ts";
import { discoverCarriers } from "../../registry.ts";
import { readAccounts, type KnownAccount } from "../accounts.ts";
import { reasonOf, type Check, type Finding } from "./finding.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A check for each carrier account, or one that says that there are none. */
export const carrierChecks = async (env: Env, deps: AdapterDeps): Promise<readonly Check[]> => {
  try {
    const accounts = await readAccounts(await discoverCarriers(), env);
    if (accounts.length === 0) return [saying("off", "no account is configured; docs/carriers.md tells how")];
    return accounts.map((known) => ({
      what: `carrier ${known.account.id}`,
      run: (signal) => checkAccount(known, deps, signal),
    }));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.mistakes.map((mistake) => saying("broken", mistake));
  }
};

const saying = (state: Finding["state"], says: string): Check => ({
  what: "carrier",
  run: () => Promise.resolve({ state, says }),
});

/** Looks for a call that nobody has made: whoever may ask is told that there is none. */
const checkAccount = async (
  { descriptor, account }: KnownAccount,
  deps: AdapterDeps,
  signal: AbortSignal,
): Promise<Omit<Finding, "what">> => {
  const http = new CarrierHttpClient({ clock: deps.clock });
  const carrier = descriptor.create(account, { ...deps, http });
  try {
    if (descriptor.check === undefined) await carrier.lookUp({ dialId: NO_CALL, callId: NO_CALL }, signal);
    else await descriptor.check(account, { ...deps, http }, signal);
    return { state: "ok", says: "answers, and knows the account" };
  } catch (error) {
    const status = statusOf(error);
    if (status === 401 || status === 403)
      return {
        state: "broken",
        says: `refuses the account (${status}); look at ${descriptor.settings.required.join(", ")}`,
      };
    // It knows us, and does not like the id of a call that does not exist.
    if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429)
      return { state: "ok", says: "answers, and knows the account" };
    return {
      state: "broken",
      says: `${reasonOf(error)}; look at the way into the network and the carrier's status page`,
    };
  } finally {
    await carrier.close().catch(() => undefined);
    await http.close();
  }
};

/** A UUID in shape, which most carriers' ids are. */
const NO_CALL = "00000000-0000-4000-8000-000000000000";

const statusOf = (error: unknown): number | undefined =>
  typeof error === "object" && error !== null && "status" in error && typeof error.status === "number"
    ? error.status
    : undefined;
