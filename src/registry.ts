import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { toError } from "./kit/errors.ts";
import type { CarrierDescriptor } from "./ports/carrier.ts";
import type { CarrierSimulator } from "./ports/carrier-simulator.ts";
import type { AdapterDeps, Descriptor } from "./ports/descriptor.ts";

/** Ports whose providers are found by their folder; a new provider is a new file there and nothing else. */
export type DiscoveredPort = "vad" | "turn-detector" | "transcriber" | "synthesizer" | "language-model";

/** Two providers of one port cannot share a name, because a customer chooses by it. */
export class DuplicateProvider extends Error {
  override readonly name = "DuplicateProvider";
}

/**
 * The descriptors of a port: the default exports under `adapters/<port>`, two folders deep. Files without a default export are
 * parts of a provider and are not loaded; some of them run only inside a worker thread.
 */
export const discover = <Made>(port: DiscoveredPort): Promise<readonly Descriptor<Made>[]> =>
  exportsOf<Descriptor<Made>>(port);

/** The carriers that accounts can be at, found as {@link discover} finds providers. */
export const discoverCarriers = (): Promise<readonly CarrierDescriptor[]> => exportsOf<CarrierDescriptor>("carrier");

/** The carriers that can be simulated on this machine: the export `simulator` of `adapters/carrier/<carrier>/[<other>-]simulator.ts`. */
export const discoverSimulators = async (): Promise<readonly CarrierSimulator[]> => {
  const folder = fileURLToPath(new URL("adapters/carrier", import.meta.url));
  const files = (await readdir(folder, { recursive: true })).filter((file) =>
    /^[^/]+\/(?:[a-z]+-)?simulator\.ts$/.test(file),
  );
  const modules = files
    .toSorted()
    .map(
      (file) => import(pathToFileURL(join(folder, file)).href) as Promise<Readonly<{ simulator: CarrierSimulator }>>,
    );
  return (await Promise.all(modules)).map(({ simulator }) => simulator);
};

const exportsOf = async <Found extends Readonly<{ name: string }>>(port: string): Promise<readonly Found[]> => {
  const folder = fileURLToPath(new URL(`adapters/${port}`, import.meta.url));
  const files = (await readdir(folder, { recursive: true })).filter((file) => /^[^/]+(\/[^/]+)?\.ts$/.test(file));
  const descriptors: Found[] = [];
  for (const file of files.toSorted()) {
    const path = join(folder, file);
    if (!/^export default/m.test(await readFile(path, "utf8"))) continue;
    const module = (await import(pathToFileURL(path).href)) as Readonly<{ default: Found }>;
    if (descriptors.some(({ name }) => name === module.default.name))
      throw new DuplicateProvider(`two providers of ${port} are called ${module.default.name}`);
    descriptors.push(module.default);
  }
  return descriptors;
};

/** The providers of a port that run here, preferred ones first, and why each other one does not, in one sentence. */
export type Providers<Made> = Readonly<{
  running: readonly Readonly<{ name: string; made: Made }>[];
  missing: readonly Readonly<{ name: string; reason: string }>[];
}>;

/**
 * Creates every provider of a port that can run here and is wanted. One that fails to start is treated as one that cannot run.
 */
export const createProviders = async <Made>(
  port: DiscoveredPort,
  preference: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  deps: AdapterDeps,
  wanted: (name: string) => boolean = () => true,
): Promise<Providers<Made>> => {
  const rank = (name: string) => (preference.includes(name) ? preference.indexOf(name) : preference.length);
  const descriptors = (await discover<Made>(port))
    .filter(({ name }) => wanted(name))
    .toSorted((a, b) => rank(a.name) - rank(b.name));
  const running: { name: string; made: Made }[] = [];
  const missing: { name: string; reason: string }[] = [];
  for (const { name, available, create } of descriptors) {
    try {
      const answer = await available(env, deps);
      if (answer === true) running.push({ name, made: await create(env, deps) });
      else missing.push({ name, reason: answer });
    } catch (error) {
      deps.logger.warn("a provider did not start", { port, provider: name, error: toError(error) });
      missing.push({ name, reason: toError(error).message });
    }
  }
  return { running, missing };
};
