import { readFileSync } from "node:fs";
import { Type, type Static } from "typebox";
import { Value } from "typebox/value";
import { ConfigError } from "../../config.ts";
import { deepFreeze } from "../../kit/deep-freeze.ts";

const Ms = (value: number) => Type.Integer({ minimum: 0, maximum: 60_000, default: value });
const Positive = (value: number) => Type.Integer({ minimum: 1, maximum: 60_000, default: value });

/** How the providers of a measurement behave; durations in milliseconds. */
const ScenarioSchema = Type.Object({
  /** From the last voiced frame to the final transcript. */
  sttFinalMs: Ms(300),
  sttInterimEveryMs: Positive(300),
  /** From the request to the first token, and from one to the next. */
  llmTtftMs: Ms(200),
  llmTokenMs: Ms(12),
  /** From the request to the first sound. */
  ttsTtfbMs: Ms(120),
  /** Length of a chunk of sound, and the time from one to the next. */
  ttsChunkMs: Positive(100),
  ttsChunkEveryMs: Ms(30),
  /** Length of the sound of a letter. */
  ttsMsPerChar: Positive(30),
  ttsRate: Type.Enum([8000, 16_000, 24_000], { default: 16_000 }),
  sttRate: Type.Enum([8000, 16_000], { default: 16_000 }),
  /** Speech that commits an interruption. */
  vadStartMs: Positive(60),
  /** Silence after which a turn may be over; the longer of this and `endpointMs` is waited for. */
  vadStopMs: Ms(200),
  endpointMs: Ms(250),
  /** Mean absolute amplitude, of 32 768, above which sound is voice. */
  energyThreshold: Type.Number({ minimum: 0, maximum: 32_767, default: 500 }),
  reply: Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), {
    minItems: 1,
    maxItems: 20,
    default: [
      "Thank you, I can help with that.",
      "We have an opening on Tuesday at ten in the morning, and another one on Thursday at three in the afternoon.",
    ],
  }),
  transcript: Type.String({
    minLength: 1,
    maxLength: 2000,
    default: "I would like to book an appointment for next week please.",
  }),
});

export type Scenario = Static<typeof ScenarioSchema>;

/**
 * The scenario of the file that `SCENARIO` names, with defaults for what it leaves out; keys that it has besides are those of other
 * engines and are passed over.
 *
 * @throws {ConfigError} when the file cannot be read or a value cannot be used.
 */
export const readScenario = (path: string | undefined): Scenario => {
  const scenario = Value.Clean(ScenarioSchema, Value.Default(ScenarioSchema, path === undefined ? {} : parsed(path)));
  if (Value.Check(ScenarioSchema, scenario)) return deepFreeze(scenario);
  const mistakes = [...Value.Errors(ScenarioSchema, scenario)].map(
    ({ instancePath, message }) => `SCENARIO: ${instancePath || "/"} ${message}`,
  );
  throw new ConfigError(mistakes);
};

const parsed = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new ConfigError([
      `SCENARIO must name a JSON file: ${error instanceof Error ? error.message : String(error)}`,
    ]);
  }
};
