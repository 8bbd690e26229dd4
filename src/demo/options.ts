import { parseArgs } from "node:util";

export const HELP = `Usage: bin/demo [options]

Starts the whole service on free ports, places a call to a simulated phone, and prints the conversation while it happens.

  --caller FILE   a WAV file is the caller's voice; pauses in it become turns
  --say TEXT      what the caller says, one line; may be given several times
  --json          print one JSON object {dial, turns, recording, models} on standard output, all else on standard error
  --keep          keep the data folder and say where it is
  --help          show this
`;

export type DemoOptions = Readonly<{
  caller: string | undefined;
  say: readonly string[];
  json: boolean;
  keep: boolean;
  help: boolean;
}>;

/** The command line makes no sense; the message says why. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Reads the flags; throws {@link UsageError}. */
export const readOptions = (args: readonly string[]): DemoOptions => {
  const { caller, say, json, keep, help } = parse(args);
  if (caller !== undefined && say.length > 0) throw new UsageError("--caller and --say exclude each other");
  if (say.some((line) => line.trim() === "")) throw new UsageError("--say wants some text");
  return { caller, say, json, keep, help };
};

const parse = (args: readonly string[]) => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        caller: { type: "string" },
        say: { type: "string", multiple: true, default: [] },
        json: { type: "boolean", default: false },
        keep: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    return { ...values, caller: values.caller };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};
