import { Type, type Static } from "typebox";

export const PhoneNumberSchema = Type.Object(
  {
    id: Type.String(),
    number: Type.String({ description: "E.164 for PSTN, the SIP user name for SIP_USERNAME." }),
    type: Type.Enum(["PSTN", "SIP_USERNAME"]),
    agentId: Type.Optional(Type.String()),
    carrier: Type.Optional(Type.String({ description: "The carrier that places this number's calls." })),
    carrierAccountId: Type.Optional(Type.String()),
  },
  { $id: "PhoneNumber" },
);
export type PhoneNumber = Static<typeof PhoneNumberSchema>;
