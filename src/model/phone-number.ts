import { Type, type Static } from "typebox";
import { Nullable } from "./nullable.ts";

const strict = { additionalProperties: false } as const;
const Id = Type.String({ maxLength: 200 });

const number = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "E.164 for PSTN, the SIP user name for SIP_USERNAME.",
});
const type = Type.Enum(["PSTN", "SIP_USERNAME"]);
const carrier = Type.String({ maxLength: 100, description: "The carrier that places this number's calls." });
const carrierAccountId = Type.String({
  maxLength: 100,
  description:
    "Which of this deployment's accounts at that carrier places them; the one of the environment when absent.",
});

const webhookUrl = Type.String({
  maxLength: 2000,
  description: "Is told when somebody rings this number (`dial.inbound`), and what becomes of the call.",
});

const EXAMPLE = { number: "+12025550100", type: "PSTN", carrier: "loopback" } as const;

export const PhoneNumberSchema = Type.Object(
  {
    id: Type.String(),
    number,
    type,
    agentId: Type.Optional(Id),
    carrier: Type.Optional(carrier),
    carrierAccountId: Type.Optional(carrierAccountId),
    webhookUrl: Type.Optional(webhookUrl),
  },
  {
    $id: "PhoneNumber",
    description: "A number that calls are placed from, and that its agent answers when somebody rings it.",
    examples: [{ id: "01988f5e-7c1b-7203-8a31-0d2f9b7e6c10", ...EXAMPLE }],
  },
);
export type PhoneNumber = Static<typeof PhoneNumberSchema>;

/** `type` is PSTN, and `carrier` the only one that is configured, unless they are given. */
export const CreatePhoneNumberSchema = Type.Object(
  {
    number,
    type: Type.Optional(type),
    agentId: Type.Optional(Id),
    carrier: Type.Optional(carrier),
    carrierAccountId: Type.Optional(carrierAccountId),
    webhookUrl: Type.Optional(webhookUrl),
  },
  { ...strict, $id: "CreatePhoneNumber", examples: [EXAMPLE] },
);
export type CreatePhoneNumber = Static<typeof CreatePhoneNumberSchema>;

/** The number itself stays: another one is imported. */
export const UpdatePhoneNumberSchema = Type.Object(
  {
    agentId: Type.Optional(Nullable(Id)),
    carrier: Type.Optional(carrier),
    carrierAccountId: Type.Optional(Nullable(carrierAccountId)),
    webhookUrl: Type.Optional(Nullable(webhookUrl)),
  },
  { ...strict, $id: "UpdatePhoneNumber", examples: [{ agentId: null }] },
);
export type UpdatePhoneNumber = Static<typeof UpdatePhoneNumberSchema>;

/** The account that places a number's calls, by its id: the one that it names, else the one of the environment, called as its carrier. */
export const accountOf = (number: Pick<PhoneNumber, "carrier" | "carrierAccountId">): string | undefined =>
  number.carrierAccountId ?? number.carrier;
