import { Type, type Static } from "typebox";

export const ModelOptionSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  valueType: Type.Enum(["STRING", "INT", "FLOAT"]),
  default: Type.String(),
  minimum: Type.Optional(Type.Number({ description: "Smallest value of a number." })),
  choices: Type.Optional(
    Type.Array(Type.String(), { description: "All values of a string, where only some are taken." }),
  ),
  maximum: Type.Optional(Type.Number({ description: "Largest value of a number." })),
});
export type ModelOption = Static<typeof ModelOptionSchema>;

export const AiModelSchema = Type.Object(
  { id: Type.String(), name: Type.String(), modelOptions: Type.Array(ModelOptionSchema) },
  { $id: "Model" },
);
