/** A slot that nothing can fill, or a choice that does not exist; the message says what to do. */
export class EnginesUnavailable extends Error {
  override readonly name = "EnginesUnavailable";
}
