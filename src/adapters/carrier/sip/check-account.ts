import type { CarrierDeps, CarrierHost } from "../../../ports/carrier.ts";
import type { SipSettings } from "./settings.ts";
import { SipAccount } from "./sip-account.ts";

/** The trunk refuses the account; `status` is its answer. */
export class TrunkRefused extends Error {
  override readonly name = "TrunkRefused";
  readonly status: number;
  constructor(status: number) {
    super(`the trunk refuses the account (${status})`);
    this.status = status;
  }
}

/**
 * Asks the trunk whether it is there and knows the user, from a port of its own, so that a service may run beside it. Nobody is rung and
 * nothing registered.
 *
 * @throws {TrunkRefused} for 401, 403 and 407; and when the trunk cannot be reached or does not answer.
 */
export const checkAccount = async (settings: SipSettings, deps: CarrierDeps, signal: AbortSignal): Promise<void> => {
  const elsewhere = { ...settings, listen: { ...settings.listen, port: 0 }, registers: false };
  const account = new SipAccount("check", elsewhere, deps);
  try {
    await account.listen(NOBODY);
    const status = await account.probe(settings.registers, signal);
    if (REFUSALS.has(status)) throw new TrunkRefused(status);
  } finally {
    await account.close();
  }
};

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 407]);

const NOBODY: CarrierHost = { line: () => undefined, report: () => undefined, ring: () => undefined };
