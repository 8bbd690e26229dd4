import { callerFromEnv, createLoopback } from "../adapters/carrier/twilio/loopback.ts";
import type { Loopback } from "../adapters/carrier/twilio/loopback-network.ts";
import type { CallerScript, Speak } from "../adapters/carrier/simulation/script.ts";
import { decodeLinear16 } from "../audio/linear16.ts";
import { Scope } from "../kit/scope.ts";
import type { AudioFormat } from "../model/audio.ts";
import { withDeadline } from "../ports/clock.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import type { SpeechSynthesizer, SpokenChunk } from "../ports/synthesizer.ts";

/** The name of the simulated carrier, and of its only account. */
export const LOOPBACK = "loopback";

/** The people at the other end of the loopback network do not speak with the agent's voice. */
const CALLER_ENGINE = "flite";

const CALLER_FORMAT: AudioFormat = { encoding: "linear16", sampleRate: 16_000 };

/** The simulated network, whose people speak with the plain voice that needs no model. */
export const openLoopback = async (
  deps: AdapterDeps,
  env: Readonly<Record<string, string | undefined>>,
  synthesizers: readonly SpeechSynthesizer[],
  options: Readonly<{ caller?: CallerScript | undefined; keepSound?: boolean | undefined }>,
): Promise<Loopback> => {
  const voice = synthesizers.find(({ name }) => name === CALLER_ENGINE) ?? synthesizers.at(-1);
  const caller = options.caller ?? (await callerFromEnv(env));
  return createLoopback({
    deps,
    speak: voice === undefined ? undefined : speakWith(deps, voice),
    caller: () => caller,
    keepSound: options.keepSound ?? false,
  });
};

/** The slowest engine speaks a long line within this time. */
const SPEAK_MS = 30_000;

/** A voice for simulated people. */
export const speakWith =
  (deps: AdapterDeps, synthesizer: SpeechSynthesizer): Speak =>
  async (text) => {
    const [voice] = synthesizer.voices;
    const settings = { voiceId: voice?.id ?? "", language: "en-US", options: {} };
    const scope = new Scope("a line of a caller");
    try {
      const sound = synthesizer.synthesize(once(text), settings, CALLER_FORMAT, scope.signal);
      const bytes = await withDeadline(deps.clock, SPEAK_MS, "speaking a caller's line", gather(sound));
      return { samples: decodeLinear16(bytes), sampleRate: synthesizer.formatFor(CALLER_FORMAT).sampleRate };
    } finally {
      await scope.close();
    }
  };

const gather = async (sound: AsyncIterable<SpokenChunk>): Promise<Uint8Array> => {
  const parts: Uint8Array[] = [];
  for await (const { audio } of sound) parts.push(audio);
  return Buffer.concat(parts);
};

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
