type Item = Readonly<{ samples: Int16Array }> | Readonly<{ mark: string }>;

export type PlayQueueOptions = Readonly<{
  sampleRate: number;
  /** Sound that must be there before an empty queue begins to play, in milliseconds; a shorter utterance plays after as long a wait. */
  startMs: number;
  /** More than this is never kept, in milliseconds. */
  mostMs: number;
  /** What is left of a queue that has grown too long, in milliseconds. */
  targetMs: number;
}>;

/**
 * Sound of the agent on its way to the loudspeaker, with marks between the pieces. The service sends no more than its lead, so the queue
 * is short; after a stall of page or network it may hold old sound, and then the oldest is dropped until the target is reached, since a
 * backlog that is played out as it is never shrinks again.
 */
export class PlayQueue {
  readonly #options: PlayQueueOptions;
  #items: Item[] = [];
  #at = 0;
  #queued = 0;
  #playing = false;
  #waited = 0;
  #underruns = 0;
  #dropped = 0;

  constructor(options: PlayQueueOptions) {
    this.#options = options;
  }

  /** Sound that waits, in milliseconds. */
  get queuedMs(): number {
    return (this.#queued / this.#options.sampleRate) * 1000;
  }

  /** How often sound ran out in the middle of an utterance, and how much was dropped in milliseconds. */
  get troubles(): Readonly<{ underruns: number; droppedMs: number }> {
    return { underruns: this.#underruns, droppedMs: (this.#dropped / this.#options.sampleRate) * 1000 };
  }

  /** Answers the marks that were dropped with the sound before them, which count as played. */
  add(samples: Int16Array): readonly string[] {
    if (samples.length > 0) this.#items.push({ samples });
    this.#queued += samples.length;
    return this.queuedMs > this.#options.mostMs ? this.#trim() : [];
  }

  /** A mark behind all sound so far. */
  mark(name: string): void {
    this.#items.push({ mark: name });
  }

  /** Forgets everything, marks too. */
  clear(): void {
    this.#items = [];
    this.#at = 0;
    this.#queued = 0;
    this.#playing = false;
    this.#waited = 0;
  }

  /** Fills `output` (−1 to 1) with what comes next, silence where there is nothing; answers the marks that were reached. */
  fill(output: Float32Array): readonly string[] {
    output.fill(0);
    const marks: string[] = [];
    if (!this.#mayPlay(output.length)) return marks;
    let filled = 0;
    for (let item = this.#items[0]; item !== undefined; item = this.#items[0]) {
      if ("mark" in item) {
        marks.push(item.mark);
        this.#items.shift();
        continue;
      }
      if (filled === output.length) break;
      const count = Math.min(output.length - filled, item.samples.length - this.#at);
      for (let index = 0; index < count; index++)
        output[filled + index] = (item.samples[this.#at + index] as number) / 32_768;
      filled += count;
      this.#at += count;
      this.#queued -= count;
      if (this.#at < item.samples.length) break;
      this.#at = 0;
      this.#items.shift();
    }
    if (filled < output.length) {
      // Behind a mark the utterance may be over; without one, more was to come.
      if (filled > 0 && marks.length === 0) this.#underruns += 1;
      this.#playing = false;
    }
    return marks;
  }

  #mayPlay(samples: number): boolean {
    if (this.#items.length === 0) return false;
    const { startMs, sampleRate } = this.#options;
    this.#waited += samples;
    if (!this.#playing && this.queuedMs < startMs && (this.#waited / sampleRate) * 1000 < 2 * startMs) return false;
    this.#playing = true;
    this.#waited = 0;
    return true;
  }

  #trim(): readonly string[] {
    const marks: string[] = [];
    const target = (this.#options.targetMs * this.#options.sampleRate) / 1000;
    for (let item = this.#items[0]; item !== undefined; item = this.#items[0]) {
      if ("mark" in item) marks.push(item.mark);
      else if (this.#queued <= target) break;
      else {
        const left = item.samples.length - this.#at;
        this.#at = 0;
        this.#queued -= left;
        this.#dropped += left;
      }
      this.#items.shift();
    }
    return marks;
  }
}
