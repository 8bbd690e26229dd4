import { Type, type Static } from "typebox";

const strict = { additionalProperties: false } as const;

export const ExtractorFieldSchema = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: "^(?!__proto__$)",
      description: "The name of the value in the dial's `aiResult`.",
    }),
    type: Type.Enum(["text", "int", "float", "bool", "json"]),
    nullable: Type.Optional(Type.Boolean({ description: "Whether the call may leave it open." })),
    description: Type.Optional(Type.String({ maxLength: 2000, description: "What to look for, in plain words." })),
  },
  strict,
);
export type ExtractorField = Static<typeof ExtractorFieldSchema>;

const extractorFields = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  fields: Type.Array(ExtractorFieldSchema, { minItems: 1, maxItems: 100 }),
};

const EXAMPLE = {
  name: "Booking",
  fields: [
    { name: "booked", type: "bool", description: "Whether an appointment was made." },
    { name: "day", type: "text", nullable: true, description: "The day of the appointment, ISO 8601." },
  ],
} as const;

export const ExtractorSchema = Type.Object(
  { id: Type.String(), ...extractorFields },
  {
    $id: "Extractor",
    description: "Which values to take from a finished call.",
    examples: [{ id: "01988f5e-7c1b-7a04-8f1d-2b6c9e4d7a33", ...EXAMPLE }],
  },
);
export type Extractor = Static<typeof ExtractorSchema>;

export const CreateExtractorSchema = Type.Object(extractorFields, {
  ...strict,
  $id: "CreateExtractor",
  examples: [EXAMPLE],
});
export type CreateExtractor = Static<typeof CreateExtractorSchema>;

export const UpdateExtractorSchema = Type.Partial(CreateExtractorSchema, { ...strict, $id: "UpdateExtractor" });
export type UpdateExtractor = Static<typeof UpdateExtractorSchema>;
