import type { CarrierDescriptor } from "../../../ports/carrier.ts";
import { SipAccount } from "./sip-account.ts";
import { readSettings, SipSettingsSchema } from "./settings.ts";

/** The carrier `sip`, found by the registry: any trunk that speaks SIP over UDP or TCP with G.711. */
const descriptor: CarrierDescriptor = {
  name: "sip",
  settings: SipSettingsSchema,
  create: (account, deps) => new SipAccount(account.id, readSettings(account), deps),
};

export default descriptor;
