import { generateKeyPairSync } from "node:crypto";
import { simulator } from "../../../../src/adapters/carrier/vonage/simulator.ts";
import vonage from "../../../../src/adapters/carrier/vonage/vonage.ts";
import { simulatedCarrier } from "../simulation/simulator-suite.ts";

/** One for all tests, since making one takes long. */
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ format: "pem", type: "pkcs8" }).toString();

simulatedCarrier(simulator, vonage, '"status":"ringing"', { VONAGE_PRIVATE_KEY: pem });
