import type { SecretString } from "../../../kit/secret-string.ts";

/** What differs between the carriers that speak this dialect, and the account's own words in it. */
export type Dialect = Readonly<{
  /** Such as `https://api.twilio.com/2010-04-01/Accounts/AC…`, without a slash at the end. */
  accountUrl: string;
  user: string;
  password: SecretString;
  /** What callbacks are signed with. */
  signingKey: SecretString;
  /** Headers that may hold the signature, in lower case, preferred ones first. */
  signatureHeaders: readonly string[];
  /** Whether the handshake of a media socket is signed as well. */
  signsMedia: boolean;
  callId: RegExp;
}>;
