import { Type } from "typebox";
import { SecretString } from "../../../kit/secret-string.ts";
import type { CarrierDescriptor } from "../../../ports/carrier.ts";
import { RestCarrier } from "./rest-carrier.ts";

/** Accounts at Twilio. */
const descriptor: CarrierDescriptor = {
  name: "twilio",
  settings: Type.Object({
    TWILIO_ACCOUNT_SID: Type.String({
      pattern: "^AC[0-9a-fA-F]{32}$",
      description: "AC and 32 hexadecimal digits, as the console shows it",
    }),
    TWILIO_AUTH_TOKEN: Type.String({ minLength: 8, description: "the account's auth token" }),
    TWILIO_BASE_URL: Type.Optional(
      Type.String({ pattern: "^https?://[^?#]+$", description: "a URL such as https://api.twilio.com" }),
    ),
  }),
  create: ({ id, settings }, deps) => {
    const sid = settings["TWILIO_ACCOUNT_SID"] ?? "";
    const token = new SecretString(settings["TWILIO_AUTH_TOKEN"] ?? "");
    const base = (settings["TWILIO_BASE_URL"] ?? "https://api.twilio.com").replace(/\/+$/, "");
    return new RestCarrier(id, deps, {
      accountUrl: `${base}/2010-04-01/Accounts/${sid}`,
      user: sid,
      password: token,
      signingKey: token,
      signatureHeaders: ["x-twilio-signature"],
      signsMedia: true,
      callId: /^CA[0-9a-fA-F]{32}$/,
    });
  },
};

export default descriptor;
