import { Type } from "typebox";
import { SecretString } from "../../../kit/secret-string.ts";
import type { CarrierDescriptor } from "../../../ports/carrier.ts";
import { RestCarrier } from "./rest-carrier.ts";

/** Accounts at SignalWire, by its interface that is compatible with Twilio's. */
const descriptor: CarrierDescriptor = {
  name: "signalwire",
  settings: Type.Object({
    SIGNALWIRE_SPACE: Type.String({
      pattern: "^[a-z0-9.-]+$",
      description: "the host of the space, such as example.signalwire.com",
    }),
    SIGNALWIRE_PROJECT_ID: Type.String({ pattern: "^[0-9a-fA-F-]{36}$", description: "the project's id, a UUID" }),
    SIGNALWIRE_API_TOKEN: Type.String({ minLength: 8, description: "an API token that may place calls" }),
    SIGNALWIRE_SIGNING_KEY: Type.String({ minLength: 8, description: "the project's signing key" }),
    SIGNALWIRE_BASE_URL: Type.Optional(
      Type.String({ pattern: "^https?://[^?#]+$", description: "a URL such as https://example.signalwire.com" }),
    ),
  }),
  create: ({ id, settings }, deps) => {
    const project = settings["SIGNALWIRE_PROJECT_ID"] ?? "";
    const base = (settings["SIGNALWIRE_BASE_URL"] ?? `https://${settings["SIGNALWIRE_SPACE"]}`).replace(/\/+$/, "");
    return new RestCarrier(id, deps, {
      accountUrl: `${base}/api/laml/2010-04-01/Accounts/${project}`,
      user: project,
      password: new SecretString(settings["SIGNALWIRE_API_TOKEN"] ?? ""),
      signingKey: new SecretString(settings["SIGNALWIRE_SIGNING_KEY"] ?? ""),
      signatureHeaders: ["x-signalwire-signature", "x-twilio-signature"],
      // Nothing is said of a signature on the media handshake: the token in its path is what authorizes it.
      signsMedia: false,
      callId: /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/,
    });
  },
};

export default descriptor;
