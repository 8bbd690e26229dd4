import type { AudioFormat } from "../../../model/audio.ts";
import type { Voice } from "../../../model/voice.ts";
import type { AdapterDeps, Descriptor } from "../../../ports/descriptor.ts";
import type { SpeechSynthesizer } from "../../../ports/synthesizer.ts";
import type { PieceSpeaker } from "./piece-speaker.ts";
import { vendorVariables } from "./vendor-env.ts";
import { getJson } from "./vendor-http.ts";
import { VendorSynthesizer } from "./vendor-synthesizer.ts";
import { VoiceList } from "./voice-list.ts";

/** The key, and the address without a slash at its end. */
export type VoiceAccess = Readonly<{ apiKey: string; baseUrl: string }>;

/** What tells one vendor of voices from another. */
export type VoiceVendor = Readonly<{
  /** The descriptor's name; voices are called `<name>-<the vendor's id>`. */
  name: string;
  /** What its variables begin with, and its own address, without a slash at the end. */
  prefix: string;
  address: string;
  /** Something small that it gives to nobody without a key. */
  asked: (access: VoiceAccess) => Readonly<{ url: string; headers: Readonly<Record<string, string>> }>;
  speaker: (access: VoiceAccess, deps: AdapterDeps) => PieceSpeaker;
  /** Voices that are offered while the vendor's list is not known, and never was. */
  otherwise?: () => readonly Voice[];
  /** Asks for its list; absent where it has none. */
  list?: (access: VoiceAccess, signal: AbortSignal) => Promise<readonly Voice[]>;
  formatFor: (line: AudioFormat) => AudioFormat;
}>;

/** The descriptor of a vendor whose voices are asked for by key. */
export const vendorVoices = (vendor: VoiceVendor): Descriptor<SpeechSynthesizer> => {
  const { name, prefix, address, asked, speaker, otherwise, list, formatFor } = vendor;
  const variables = vendorVariables(prefix, address);
  return {
    name,
    env: variables.schema,
    available: (env) => Promise.resolve(variables.check(env)),
    check: async (env, _deps, signal) => {
      const { url, headers } = asked(variables.read(env));
      await getJson(name, url, headers, signal);
    },
    create: async (env, deps) => {
      const access = variables.read(env);
      const fetch = list === undefined ? {} : { fetch: (signal: AbortSignal) => list(access, signal) };
      const voices = await VoiceList.open({ name, otherwise: otherwise?.() ?? [], ...fetch }, deps);
      return new VendorSynthesizer({ name, speaker: speaker(access, deps), voices, formatFor });
    },
  };
};
