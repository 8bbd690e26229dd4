import { Type, type Static } from "typebox";

export const ErasureCauseSchema = Type.Enum(["dial", "number", "retention"]);
export type ErasureCause = Static<typeof ErasureCauseSchema>;

export const ErasureSchema = Type.Object(
  {
    id: Type.String(),
    cause: Type.Enum(["dial", "number", "retention"], {
      description: "A dial was to be erased, everything of a number was, or the time to keep a dial had passed.",
    }),
    dialId: Type.Optional(Type.String({ description: "The dial; absent where a number was asked for." })),
    dials: Type.Integer({
      description: "How many dials it concerns. Those whose calls go on are erased once they are over.",
    }),
    createdAt: Type.String({ format: "date-time" }),
  },
  { $id: "Erasure", description: "That something was erased, and nothing of what it was." },
);
export type Erasure = Static<typeof ErasureSchema>;

export const CreateErasureSchema = Type.Object(
  { number: Type.String({ minLength: 1, maxLength: 40, description: "E.164." }) },
  { $id: "CreateErasure", additionalProperties: false, examples: [{ number: "+12025550123" }] },
);
