/** A file that cannot be played; every fault is a sentence that says where it is. */
export class UnusableFile extends Error {
  override readonly name = "UnusableFile";
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
    this.faults = faults;
  }
}
