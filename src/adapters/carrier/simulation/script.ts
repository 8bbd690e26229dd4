/** Something that a simulated person does when its time has come; at most one of the first four. */
export type CallerLine = Readonly<
  (
    | { samples: Int16Array; sampleRate: number }
    | { text: string }
    | { /** Pressed one after another, 200 ms each. */ digits: string }
    | { hangUp: true }
  ) & {
    /** Done this long after the line before (or the answer), whatever the agent does. */
    afterMs?: number;
    /** Done as soon as the agent has spoken this long since the line before: an interruption. */
    interruptAfterMs?: number;
  }
>;

/** How a simulated person takes turns. Durations in milliseconds; `Infinity` for never. */
export type CallerManner = Readonly<{
  /** The agent is done when it has been silent this long after having spoken. */
  turnQuietMs: number;
  /** The first line is said after this much silence even when the agent never greets. */
  unopenedMs: number;
  /** A line that gets no answer for this long is followed by the next one. */
  unansweredMs: number;
  /** After the answer to the last line and this much quiet, the person hangs up. */
  goodbyeQuietMs: number;
  /** After the last line, without an answer, the person hangs up this much later. */
  goodbyeUnansweredMs: number;
  /** The person hangs up when the call is this old; when absent, 30 s a line more than all lines last. */
  longestMs?: number;
}>;

export type CallerScript = Readonly<{
  lines: readonly CallerLine[];
  manner?: Partial<CallerManner>;
  /** Begins again after the last line. */
  repeat?: true;
  /** An automated menu that answers in place of the person and connects to them by a key. */
  menu?: PhoneMenu;
}>;

/** Texts of an automated menu, and the key that leads to the person. */
export type PhoneMenu = Readonly<{ offer: string; wrong: string; connecting: string; key: string }>;

/** Sound of a text, mono. */
export type Speak = (text: string) => Promise<Readonly<{ samples: Int16Array; sampleRate: number }>>;

export const USUAL_MANNER: CallerManner = Object.freeze({
  turnQuietMs: 700,
  unopenedMs: 4000,
  unansweredMs: 8000,
  goodbyeQuietMs: 2500,
  goodbyeUnansweredMs: 15_000,
});

/** Lines of text as a person says them in a conversation. */
export const textScript = (texts: readonly string[]): CallerScript => ({ lines: texts.map((text) => ({ text })) });

/** Whether somebody must be there to speak the script's texts. */
export const needsVoice = (script: CallerScript): boolean =>
  script.menu !== undefined || script.lines.some((line) => "text" in line);
