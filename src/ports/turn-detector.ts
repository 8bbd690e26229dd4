/** Tells by the sound alone whether a turn is over. Inference runs off the event loop's thread. */
export interface TurnDetector {
  readonly name: string;
  /** How much sound it looks at, in milliseconds; more is cut off at the front. */
  readonly windowMs: number;
  /**
   * That the turn is over, 0 to 1. `samples` are the turn so far, 16 kHz mono, up to where the voice ended; copied before the call
   * returns. Rejects when the network failed or too many others wait: the turn is then judged without it.
   */
  judge(samples: Int16Array): Promise<number>;
  close(): Promise<void>;
}
