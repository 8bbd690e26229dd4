import { simulator } from "../../../../src/adapters/carrier/telnyx/simulator.ts";
import telnyx from "../../../../src/adapters/carrier/telnyx/telnyx.ts";
import { simulatedCarrier } from "../simulation/simulator-suite.ts";

simulatedCarrier(simulator, telnyx, '"call.hangup"');
