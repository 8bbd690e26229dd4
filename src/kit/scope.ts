/** The scope that work belonged to was closed. */
export class ScopeClosed extends Error {
  override readonly name = "ScopeClosed";
}

/**
 * A tree of lifetimes: closing a scope closes what was opened under it, youngest first, and aborts its signal.
 *
 * Signals are linked by hand instead of by `AbortSignal.any`, which keeps about 1.2 kB per composite alive for as long as the
 * longest-lived of its sources; a worker that combined its shutdown signal per call and per turn would bleed.
 */
export class Scope {
  readonly name: string;
  readonly #controller = new AbortController();
  readonly #releasers: (() => void | Promise<void>)[] = [];
  readonly #children = new Set<Scope>();
  readonly #parent: Scope | undefined;
  #closing: Promise<void> | undefined;

  constructor(name: string, parent?: Scope) {
    this.name = name;
    this.#parent = parent;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get closed(): boolean {
    return this.#closing !== undefined;
  }

  /** A scope that ends with this one at the latest. A child of a closed scope is born closed. */
  child(name: string): Scope {
    const child = new Scope(name, this);
    if (this.closed) void child.close();
    else this.#children.add(child);
    return child;
  }

  /** Runs when the scope closes, in reverse order; at once when it is closed already. */
  onClose(release: () => void | Promise<void>): void {
    if (this.closed)
      void Promise.resolve()
        .then(release)
        .catch(() => undefined);
    else this.#releasers.push(release);
  }

  /**
   * Aborts the signal, closes the children and runs the releasers, each even if others fail. Idempotent: the same promise is
   * returned. Rejects with an `AggregateError` when releasers failed.
   */
  close(reason: unknown = new ScopeClosed(this.name)): Promise<void> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  async #close(reason: unknown): Promise<void> {
    this.#controller.abort(reason);
    const failures: unknown[] = [];
    const attempt = async (work: () => void | Promise<void>) => {
      try {
        await work();
      } catch (error) {
        failures.push(error);
      }
    };
    for (const child of [...this.#children].toReversed()) await attempt(() => child.close(reason));
    for (const release of this.#releasers.splice(0).toReversed()) await attempt(release);
    // Not earlier: a parent that closes meanwhile has to wait for this one.
    if (this.#parent !== undefined) this.#parent.#children.delete(this);
    if (failures.length > 0) throw new AggregateError(failures, `closing ${this.name} failed`);
  }
}
