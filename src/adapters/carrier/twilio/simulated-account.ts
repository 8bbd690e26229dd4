import { SecretString } from "../../../kit/secret-string.ts";
import type { SimulatorOptions } from "../../../ports/carrier-simulator.ts";
import type { Writer } from "./simulated-phone.ts";

/** What differs between the simulated carriers that speak this dialect, and the account that one of them has. */
export type SimulatedAccount = Readonly<{
  writer: Writer;
  id: string;
  password: SecretString;
  /** What callbacks are signed with, and in which header. */
  signingKey: SecretString;
  signatureHeader: string;
  /** Of the REST interface, without a slash at the end. */
  path: string;
  newCallId(): string;
  /** What the service is started with, given the origin of the REST interface. */
  environment(url: string): Readonly<Record<string, string>>;
}>;

/** What the settings leave out is made up. */
export const twilioAccount = ({ settings, deps: { random } }: SimulatorOptions): SimulatedAccount => {
  const hex = () => random.id().replaceAll("-", "");
  const id = settings["TWILIO_ACCOUNT_SID"] ?? `AC${hex()}`;
  const token = new SecretString(settings["TWILIO_AUTH_TOKEN"] ?? random.secret(24));
  return {
    writer: "twilio",
    id,
    password: token,
    signingKey: token,
    signatureHeader: "x-twilio-signature",
    path: `/2010-04-01/Accounts/${id}`,
    newCallId: () => `CA${hex()}`,
    environment: (url) => ({
      TWILIO_ACCOUNT_SID: id,
      TWILIO_AUTH_TOKEN: token.reveal(),
      TWILIO_BASE_URL: url,
    }),
  };
};

/** What the settings leave out is made up. */
export const signalwireAccount = ({ settings, deps: { random } }: SimulatorOptions): SimulatedAccount => {
  const id = settings["SIGNALWIRE_PROJECT_ID"] ?? random.id();
  const password = new SecretString(settings["SIGNALWIRE_API_TOKEN"] ?? random.secret(24));
  const signingKey = new SecretString(settings["SIGNALWIRE_SIGNING_KEY"] ?? random.secret(24));
  return {
    writer: "signalwire",
    id,
    password,
    signingKey,
    signatureHeader: "x-signalwire-signature",
    path: `/api/laml/2010-04-01/Accounts/${id}`,
    newCallId: () => random.id(),
    environment: (url) => ({
      SIGNALWIRE_SPACE: settings["SIGNALWIRE_SPACE"] ?? "simulated.signalwire.com",
      SIGNALWIRE_PROJECT_ID: id,
      SIGNALWIRE_API_TOKEN: password.reveal(),
      SIGNALWIRE_SIGNING_KEY: signingKey.reveal(),
      SIGNALWIRE_BASE_URL: url,
    }),
  };
};
