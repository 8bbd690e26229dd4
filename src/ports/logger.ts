/**
 * One line per event that matters: a static message and fields. Personal data (numbers, transcripts, prompts, tokens, keys)
 * never goes into either; dials are named by their id.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  child(fields: LogFields): Logger;
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined | Error>>;
