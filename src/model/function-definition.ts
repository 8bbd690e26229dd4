import { Type, type Static } from "typebox";
import { LifecycleMessagesSchema } from "./agent.ts";

const shared = {
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  lifecycleMessages: Type.Optional(LifecycleMessagesSchema),
};

/** A capability that an agent can invoke; `type` tells the two variants apart. */
export const FunctionDefinitionSchema = Type.Object(
  {
    ...shared,
    type: Type.Enum(["transfer", "api"]),
    allowedNumbers: Type.Array(Type.Object({ number: Type.String() }, { additionalProperties: false })),
    apiPath: Type.Optional(Type.String()),
    headers: Type.Optional(
      Type.Array(Type.Object({ key: Type.String(), value: Type.String() }, { additionalProperties: false })),
    ),
    inputJsonSchema: Type.Optional(Type.String()),
  },
  { $id: "Function" },
);
export type FunctionDefinition = Static<typeof FunctionDefinitionSchema>;
