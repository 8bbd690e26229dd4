import plivo from "../../../../src/adapters/carrier/plivo/plivo.ts";
import { simulator } from "../../../../src/adapters/carrier/plivo/simulator.ts";
import { simulatedCarrier } from "../simulation/simulator-suite.ts";

simulatedCarrier(simulator, plivo, "Event=Hangup");
