import { Type, type Static } from "typebox";

/** One provider took over from another in the middle of a call. */
export const TakeoverSchema = Type.Object({
  part: Type.Enum(["transcriber", "model", "synthesizer"], { description: "What the providers are there for." }),
  from: Type.String({ description: "The provider that failed, was late, or was known to be down." }),
  to: Type.String({ description: "The provider that went on." }),
  why: Type.Enum(["failed", "late", "down"], {
    description:
      "`failed`: it gave an error or broke off. `late`: its deadline passed. `down`: it had kept failing, also in other calls, and " +
      "was not asked.",
  }),
});
export type Takeover = Static<typeof TakeoverSchema>;
