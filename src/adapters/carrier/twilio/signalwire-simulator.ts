import type { CarrierSimulator } from "../../../ports/carrier-simulator.ts";
import { signalwireAccount } from "./simulated-account.ts";
import { startNetwork } from "./simulator.ts";

/** SignalWire's interface that is compatible with Twilio's, with ids, signatures and messages of its own, on this machine. */
export const simulator: CarrierSimulator = {
  name: "signalwire",
  start: (options) => startNetwork(options, signalwireAccount(options)),
};
