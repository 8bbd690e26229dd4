import { toError } from "../kit/errors.ts";
import { ANNOUNCED_MS, type CallRegistry, type ProcessAddress } from "../ports/call-registry.ts";
import { withDeadline, type Clock, type Timer } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";

const ANNOUNCE_MS = ANNOUNCED_MS / 3;
const WITHDRAW_MS = 1000;

export type PresenceParts = Readonly<{ clock: Clock; logger: Logger; registry: CallRegistry; self: ProcessAddress }>;

/** Keeps the registry told of this process and its calls. A registry that is away misses nothing that the next round does not tell. */
export class Presence {
  readonly #parts: PresenceParts;
  readonly #dialIds = new Set<string>();
  #timer: Timer | undefined;
  #stopped = false;

  constructor(parts: PresenceParts) {
    this.#parts = parts;
  }

  /** Begins to announce, also where orders are taken; resolves when that was tried once. */
  async start(controlUrl?: string): Promise<void> {
    const { clock, registry, self } = this.#parts;
    const address = controlUrl === undefined ? self : { ...self, controlUrl };
    await this.#try("announcing this process", registry.announce(address, [...this.#dialIds]));
    if (!this.#stopped) this.#timer = clock.setTimer(ANNOUNCE_MS, () => void this.start(controlUrl));
  }

  holds(dialId: string): void {
    this.#dialIds.add(dialId);
    void this.#try("announcing a call", this.#parts.registry.hold(this.#parts.self, dialId));
  }

  left(dialId: string): void {
    this.#dialIds.delete(dialId);
    void this.#try("releasing a call", this.#parts.registry.release(this.#parts.self, dialId));
  }

  /** Tells that this process is going, for a second at most. */
  async stop(): Promise<void> {
    const { clock, registry, self } = this.#parts;
    this.#stopped = true;
    this.#timer?.cancel();
    const withdrawn = withDeadline(clock, WITHDRAW_MS, "withdrawing a process", registry.withdraw(self));
    await this.#try("withdrawing this process", withdrawn);
  }

  async #try(what: string, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#parts.logger.warn("the registry of calls was not told", { what, error: toError(error) });
    }
  }
}
