import { toError } from "../../../kit/errors.ts";
import type { Voice } from "../../../model/voice.ts";
import { withDeadline, type Timer } from "../../../ports/clock.ts";
import type { AdapterDeps } from "../../../ports/descriptor.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import { readVoices, voiceFile, writeVoices } from "./voice-file.ts";

/** The whole list, all its pages, has to be here within this; a start waits for it, calls never do. */
const FETCH_MS = 5000;

/** Voices that were made or taken away meanwhile are known after this long at the latest. */
const REFRESH_MS = 10 * 60_000;

/** Where the list could not be had, it is asked for again after this. */
const RETRY_MS = 30_000;

/** Accounts have some hundred voices; more than this are not taken in. */
const MOST_VOICES = 2000;

export type VoiceListOptions = Readonly<{
  /** The descriptor's name. */
  name: string;
  /** What is offered while the vendor's list is not known, and never was. */
  otherwise: readonly Voice[];
  /** Asks the vendor; absent where the vendor has no list to ask for. */
  fetch?: (signal: AbortSignal) => Promise<readonly Voice[]>;
}>;

type Deps = Pick<AdapterDeps, "clock" | "logger" | "metrics" | "dataDir">;

/**
 * A vendor's voices, fetched when it starts and again from time to time; what was known stays until something newer is, from one run to
 * the next.
 */
export class VoiceList {
  readonly #options: VoiceListOptions;
  readonly #deps: Deps;
  #voices: readonly Voice[];
  #timer: Timer | undefined;
  readonly #closing = new AbortController();

  private constructor(options: VoiceListOptions, deps: Deps) {
    this.#options = options;
    this.#deps = deps;
    this.#voices = options.otherwise;
  }

  /**
   * Fetches the list. A vendor that cannot be reached now is asked again later.
   *
   * @throws {ProviderError} `auth`, when the vendor refuses the key: nothing will work with it.
   */
  static async open(options: VoiceListOptions, deps: Deps): Promise<VoiceList> {
    const list = new VoiceList(options, deps);
    if (options.fetch !== undefined) await list.#refresh(options.fetch, "first");
    return list;
  }

  get voices(): readonly Voice[] {
    return this.#voices;
  }

  close(): void {
    this.#closing.abort();
    this.#timer?.cancel();
  }

  async #refresh(fetch: NonNullable<VoiceListOptions["fetch"]>, when: "first" | "later"): Promise<void> {
    const { clock, logger, metrics, dataDir } = this.#deps;
    const { name } = this.#options;
    const file = voiceFile(dataDir, name);
    const attempt = new AbortController();
    let nextMs = REFRESH_MS;
    try {
      const voices = await withDeadline(clock, FETCH_MS, `the list of ${name}'s voices`, fetch(attempt.signal));
      this.#voices = voices.slice(0, MOST_VOICES);
      const kept = writeVoices(file, this.#voices).catch((error: unknown) => {
        logger.warn("the voices of a provider could not be kept", { provider: name, error: toError(error) });
      });
      if (when === "first") await kept;
    } catch (error) {
      if (when === "first" && error instanceof ProviderError && error.kind === "auth") throw error;
      logger.warn("the voices of a provider could not be listed", { provider: name, error: toError(error) });
      metrics.providerError("synthesizer", name);
      nextMs = RETRY_MS;
      const kept = when === "first" ? await readVoices(file) : [];
      if (kept.length > 0) this.#voices = kept;
    } finally {
      attempt.abort();
    }
    if (!this.#closing.signal.aborted) this.#timer = clock.setTimer(nextMs, () => void this.#refresh(fetch, "later"));
  }
}
