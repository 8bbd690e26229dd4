/** What a workspace may have going on at once, across all processes. */
export type WorkspaceLimits = Readonly<{
  /** Dials that are placed and not over. */
  concurrency: number;
  /** Of these, those that are kept free for people who call us. */
  reserve: number;
  /** Dials that are placed per second, evenly spaced. */
  perSecond: number;
}>;

/** A dial stays QUEUED because its workspace is at a limit, or another one of it is next; it may be asked for again in `waitMs`. */
export class HeldBack extends Error {
  override readonly name = "HeldBack";
  readonly waitMs: number;

  constructor(waitMs: number) {
    super(`the dial waits for its workspace's limits; claim it again in ${waitMs} ms`);
    this.waitMs = waitMs;
  }
}
