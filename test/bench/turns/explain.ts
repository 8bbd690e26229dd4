import { expectedAnswer } from "../../../src/endpointing/expected-answer.ts";
import { SEMANTIC_POLICY } from "../../../src/endpointing/endpoint-policy.ts";
import { semanticStrategy } from "../../../src/endpointing/semantic-strategy.ts";
import type { Observation } from "./observe.ts";

/** Prints every silence with what DEFAULT made of it; meant for the tuning set. */
export const explain = (set: readonly Observation[]): void => {
  const strategy = semanticStrategy(SEMANTIC_POLICY.DEFAULT);
  for (const { kind, asked, stops, endMs, spoken } of set) {
    console.log(`# ${kind}: ${spoken}`);
    for (const { text, prosody, lastVoicedMs, resumedMs } of stops) {
      const ruling = strategy.rule({ text, prosody, expected: expectedAnswer(asked) });
      const pauseMs = resumedMs === undefined ? undefined : resumedMs - lastVoicedMs;
      const wrong = pauseMs === undefined ? ruling.waitMs > 450 : ruling.waitMs < pauseMs;
      const melody = [prosody.endPitch, prosody.pitchSlope, prosody.endEnergyDb, prosody.lengthening].map(
        (value) => value?.toFixed(1) ?? "-",
      );
      console.log(
        `${wrong ? "✗" : " "} ${pauseMs === undefined ? "end" : `${pauseMs} ms`} wait ${Math.round(ruling.waitMs)} p ${ruling.probability?.toFixed(2)} ${ruling.form} [${melody.join(" ")}] off ${Math.round(lastVoicedMs - endMs)} ${JSON.stringify(text)}`,
      );
    }
  }
};
