/** What the project says of its own accord, in one language. */
export type OwnWords = Readonly<{
  goodbye: string;
  /** Words that ask for a moment and promise nothing: they are said before anybody knows what the answer is. */
  fillers: readonly string[];
  /** While a function takes its time, one after the other. */
  waiting: readonly [string, string];
  /** Before somebody is connected elsewhere. */
  connecting: string;
  notConnected: string;
  /** To whom somebody is connected, where the model says nothing of the call. */
  callComes: string;
  /** After a silence. */
  stillThere: string;
  /** Functions were called again and again, and nothing came of it. */
  gaveUp: string;
  /** The agent cannot go on; `trouble` ends the call, `troubleConnecting` connects with somebody. */
  trouble: string;
  troubleConnecting: string;
  /** The call has to end. */
  mustEnd: string;
}>;
