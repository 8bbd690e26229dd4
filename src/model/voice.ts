import { Type, type Static } from "typebox";
import { ModelOptionSchema } from "./ai-model.ts";

export const VoiceSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    voiceType: Type.String({ description: "The provider, or the model type of a hosted voice." }),
    voiceTier: Type.Enum(["STANDARD", "PREMIUM"]),
    description: Type.String(),
    languages: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "What it speaks, as BCP 47 tags; a tag without a region stands for all of them. Absent: all that its provider speaks.",
      }),
    ),
    voiceOptions: Type.Optional(Type.Array(ModelOptionSchema)),
  },
  { $id: "Voice" },
);
export type Voice = Static<typeof VoiceSchema>;
