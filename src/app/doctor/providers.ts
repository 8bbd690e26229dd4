import type { AudioFormat } from "../../model/audio.ts";
import type { AdapterDeps, Descriptor } from "../../ports/descriptor.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import type { Transcriber } from "../../ports/transcriber.ts";
import { discover, type DiscoveredPort } from "../../registry.ts";
import { reasonOf, type Check, type Finding } from "./finding.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Slots of which one provider has to run, whatever it is; a turn detector is an extra. */
const PORTS: readonly DiscoveredPort[] = ["vad", "transcriber", "synthesizer", "language-model", "turn-detector"];

/** A check for every provider there is; those that are not configured say what they would need. */
export const providerChecks = async (env: Env, deps: AdapterDeps): Promise<readonly Check[]> => {
  const checks: Check[] = [];
  for (const port of PORTS)
    for (const descriptor of await discover<unknown>(port))
      checks.push({
        what: `${port} ${descriptor.name}`,
        run: (signal) => checkProvider(port, descriptor, env, deps, signal),
      });
  return checks;
};

/** Every slot that none of its providers can fill. */
export const emptySlots = (findings: readonly Finding[]): readonly Finding[] =>
  PORTS.filter((port) => port !== "turn-detector").flatMap((port) => {
    const ofPort = findings.filter(({ what }) => what.startsWith(`${port} `));
    if (ofPort.some(({ state }) => state === "ok" || state === "lesser")) return [];
    return [{ what: port, state: "broken", says: "nothing fills this slot: configure one of the providers above" }];
  });

const checkProvider = async (
  port: DiscoveredPort,
  descriptor: Descriptor<unknown>,
  env: Env,
  deps: AdapterDeps,
  signal: AbortSignal,
): Promise<Omit<Finding, "what">> => {
  const own = variablesOf(descriptor).filter((name) => (env[name]?.trim() ?? "") !== "");
  const available = await descriptor.available(env, deps);
  // Somebody who has set a variable of it wants it.
  if (available !== true) return { state: own.some(isItsOwn) ? "broken" : "off", says: available };
  const garbled = own.find((name) => name.endsWith("_API_KEY") && !isSendable(env[name]?.trim() ?? ""));
  if (garbled !== undefined)
    return { state: "broken", says: `${garbled} has quotation marks, spaces or letters that no key has; copy it anew` };
  const isElsewhere = port === "transcriber" && variablesOf(descriptor).length > 0;
  const ask = descriptor.check ?? (isElsewhere ? listening(descriptor as Descriptor<Transcriber>) : undefined);
  if (ask === undefined) return { state: "ok", says: "can run here; there is nobody to ask" };
  try {
    await ask(env, deps, signal);
    return { state: "ok", says: "answers, and takes the key" };
  } catch (error) {
    return { state: "broken", says: `${reasonOf(error)}; ${adviceFor(error, variablesOf(descriptor), own)}` };
  }
};

/** Has a transcriber that is somewhere else hear a little silence to its end, which is the least that needs its key. */
const listening =
  (descriptor: Descriptor<Transcriber>): NonNullable<Descriptor<Transcriber>["check"]> =>
  async (env, deps, signal) => {
    const transcriber = await descriptor.create(env, deps);
    const answered = Promise.withResolvers<void>();
    const lineFormat: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };
    const stream = transcriber.open(
      { language: "en", keywords: [], lineFormat },
      { transcript: () => undefined, flushed: answered.resolve, failed: answered.reject },
    );
    signal.addEventListener("abort", () => {
      answered.reject(new ProviderError(descriptor.name, "timeout", "gave no answer"));
    });
    try {
      stream.push(new Uint8Array(SILENCE_MS * bytesPerMs(stream.format)).fill(silenceOf(stream.format)));
      stream.finalize();
      await answered.promise;
    } finally {
      stream.close();
      await transcriber.close();
    }
  };

const SILENCE_MS = 200;

const bytesPerMs = ({ encoding, sampleRate }: AudioFormat): number =>
  (sampleRate / 1000) * (encoding === "linear16" ? 2 : 1);

const silenceOf = ({ encoding }: AudioFormat): number => ({ linear16: 0, mulaw: 0xff, alaw: 0xd5 })[encoding];

/** Keys of one vendor serve several slots, and models of one's own need more than a key: an address alone says nothing. */
const isItsOwn = (name: string): boolean => !name.endsWith("_BASE_URL") && !name.endsWith("_API_KEY");

/** Keys go into headers, which take no other characters; quotation marks come from a file that is not read by a shell. */
const isSendable = (key: string): boolean => /^[!#-&(-~]*$/u.test(key);

const variablesOf = ({ env }: Descriptor<unknown>): readonly string[] => {
  const properties: unknown = "properties" in env ? env.properties : undefined;
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
};

/** What to look at; `own` are those of the variables that are set. */
const adviceFor = (error: unknown, variables: readonly string[], own: readonly string[]): string => {
  const named = (pattern: RegExp, otherwise: string) =>
    variables.filter((name) => pattern.test(name)).join(", ") || otherwise;
  // What is no provider's word is about the settings.
  if (!(error instanceof ProviderError)) return `look at ${own.join(", ") || "its settings"}`;
  switch (error.kind) {
    case "auth":
      return `set ${named(/KEY|TOKEN|CREDENTIALS/u, "its key")} to a key that may do this`;
    case "rate-limited":
      return "look at the account's plan and balance";
    case "rejected":
      return `look at ${named(/MODEL|VOICE|URL/u, "its settings")}`;
    case "timeout":
      return "try again later; the provider is slow or overloaded";
    case "unavailable":
      return `look at ${named(/URL|ADDRESS|SERVER/u, "its address")}, the way into the network, and the provider's status page`;
  }
};
