import { Type, type Static } from "typebox";

/** A sound that a customer has uploaded, without the sound itself. */
export const AudioSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    durationMs: Type.Integer(),
    sampleRate: Type.Integer({ description: "Samples a second, as uploaded; channels are mixed into one." }),
    createdAt: Type.String({ format: "date-time" }),
  },
  {
    $id: "Audio",
    description: "An uploaded sound.",
    examples: [
      {
        id: "01988f5e-7c1a-7d02-9f7a-4cbb1d1f3a55",
        name: "Office",
        durationMs: 30_000,
        sampleRate: 16_000,
        createdAt: "2026-01-05T09:00:00.000Z",
      },
    ],
  },
);
export type Audio = Static<typeof AudioSchema>;

/** The sound of an upload: one channel, 16 bits. */
export type AudioSound = Readonly<{ samples: Int16Array; sampleRate: number }>;
