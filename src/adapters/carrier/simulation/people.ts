import type { SimulatorOptions } from "../../../ports/carrier-simulator.ts";
import { withDeadline } from "../../../ports/clock.ts";
import type { Caller } from "./caller.ts";
import { prepareFarEnd } from "./menu.ts";
import { USUAL_CALLER, loopbackNumber, type LoopbackNumber } from "./numbers.ts";
import { needsVoice, type CallerScript, type Speak } from "./script.ts";

/** Whoever is at the far end of a number: what the network does, and the person who answers. */
export type FarEnd = Readonly<{ number: LoopbackNumber; caller: Promise<Caller> }>;

/**
 * The people of a simulated network. Without a voice, those who would speak text are silent; `undefined` for a number that nobody
 * has.
 */
export const farEndOf = (
  to: string,
  { deps: { clock }, speak, hears }: Pick<SimulatorOptions, "deps" | "speak" | "hears">,
): FarEnd | undefined => {
  const number = loopbackNumber(to);
  if (number === undefined) return undefined;
  const script = number.caller === "conversation" ? USUAL_CALLER : number.caller;
  const lines = number.outcome === "answer" ? audible(script, speak) : SILENT;
  const caller = withDeadline(clock, VOICE_MS, "making a caller's voice", prepareFarEnd(lines, speak));
  return { number, caller: hears === undefined ? caller : overheard(caller, (heard) => hears(to, heard)) };
};

/** The same caller, of whom somebody else is told what they hear. */
const overheard = async (making: Promise<Caller>, hears: (heard: Int16Array) => void): Promise<Caller> => {
  const caller = await making;
  return {
    next: (heard) => {
      hears(heard);
      return caller.next(heard);
    },
  };
};

const SILENT: CallerScript = { lines: [] };

const audible = (script: CallerScript, speak: Speak | undefined): CallerScript => {
  if (speak !== undefined || !needsVoice(script)) return script;
  const { menu: _menu, ...rest } = script;
  return { ...rest, lines: script.lines.filter((line) => !("text" in line)) };
};

const VOICE_MS = 30_000;
