import { speakWith } from "./loopback.ts";
import type { CarrierFaults, CarrierSimulator, RunningSimulator } from "../ports/carrier-simulator.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import type { SpeechSynthesizer } from "../ports/synthesizer.ts";
import { createProviders, discoverSimulators } from "../registry.ts";

/** There is no simulator of this carrier; the message lists those that there are. */
export class UnknownSimulator extends Error {
  override readonly name = "UnknownSimulator";
}

export type SimulationOptions = Readonly<{ carrier: string; port: number; host: string; faults: CarrierFaults }>;

/** Starts a simulated carrier, whose people speak with the plain voice that needs no model where it can run. */
export const startSimulator = async (
  deps: AdapterDeps,
  env: Readonly<Record<string, string | undefined>>,
  { carrier, ...options }: SimulationOptions,
): Promise<RunningSimulator> => {
  const known = await discoverSimulators();
  const chosen: CarrierSimulator | undefined = known.find(({ name }) => name === carrier);
  if (chosen === undefined)
    throw new UnknownSimulator(`Name one of these carriers: ${known.map(({ name }) => name).join(", ")}.`);
  const wanted = (name: string) => name === "flite";
  const { running } = await createProviders<SpeechSynthesizer>("synthesizer", [], env, deps, wanted);
  const voice = running[0]?.made;
  const simulator = await chosen
    .start({ ...options, settings: env, deps, speak: voice && speakWith(deps, voice) })
    .catch(async (error: unknown) => {
      // Its thread would keep the process alive that has nothing to do.
      await voice?.close();
      throw error;
    });
  return {
    url: simulator.url,
    environment: simulator.environment,
    get placed() {
      return simulator.placed;
    },
    ring: (call) => simulator.ring(call),
    close: async () => {
      await simulator.close();
      await voice?.close();
    },
  };
};
