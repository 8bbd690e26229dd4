import type { CarrierDescriptor } from "../../../ports/carrier.ts";
import { checkAccount } from "./check-account.ts";
import { SipAccount } from "./sip-account.ts";
import { readSettings, SipSettingsSchema } from "./settings.ts";

/** The carrier `sip`, found by the registry: any trunk that speaks SIP over UDP or TCP with G.711. */
const descriptor: CarrierDescriptor = {
  name: "sip",
  settings: SipSettingsSchema,
  listens: true,
  create: (account, deps) => new SipAccount(account.id, readSettings(account), deps),
  check: (account, deps, signal) => checkAccount(readSettings(account), deps, signal),
};

export default descriptor;
