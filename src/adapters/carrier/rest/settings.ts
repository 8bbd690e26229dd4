import { Type } from "typebox";

/** The setting of a carrier's REST address: an origin without a slash at its end. */
export const BaseUrlSchema = Type.Optional(
  Type.String({
    pattern: "^https?://[^\\s/]+$",
    description: "an origin such as https://api.example.com, without a slash at the end",
  }),
);

/** A setting that the adapter cannot do without; the registry has checked that it is there. */
export const settingOf = (settings: Readonly<Record<string, string>>, name: string): string => settings[name] ?? "";
