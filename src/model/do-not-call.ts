import { Type, type Static } from "typebox";

const number = Type.String({
  minLength: 1,
  maxLength: 40,
  description: "E.164, such as +12025550123; blanks, dashes, dots and brackets are left out.",
});
const reason = Type.String({ maxLength: 500, description: "Why, for people." });

const EXAMPLE = { number: "+12025550123", reason: "asked by letter" } as const;

/** A number that a workspace does not call. */
export const DoNotCallSchema = Type.Object(
  {
    id: Type.String(),
    number,
    reason: Type.Optional(reason),
    dialId: Type.Optional(Type.String({ description: "The call in which the person asked for it." })),
    createdAt: Type.String({ format: "date-time" }),
  },
  {
    $id: "DoNotCall",
    description: "A number that is not called. Dials to it are refused, and those that wait already are not placed.",
    examples: [{ id: "01988f5e-7c1b-7203-8a31-0d2f9b7e6c11", ...EXAMPLE, createdAt: "2026-11-20T09:30:00.000Z" }],
  },
);
export type DoNotCall = Static<typeof DoNotCallSchema>;

export const CreateDoNotCallSchema = Type.Object(
  { number, reason: Type.Optional(reason) },
  { additionalProperties: false, $id: "CreateDoNotCall", examples: [EXAMPLE] },
);
export type CreateDoNotCall = Static<typeof CreateDoNotCallSchema>;
