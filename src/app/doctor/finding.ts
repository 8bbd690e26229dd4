import { toError } from "../../kit/errors.ts";
import { withDeadline, type Clock } from "../../ports/clock.ts";

/** What a check found, in one line: what it looked at, and what is wrong and how to mend it. */
export type Finding = Readonly<{
  /**
   * `ok`; `broken`: calls will fail; `lesser`: the service runs, worse than it could; `off`: not configured, which may be meant.
   */
  state: "ok" | "broken" | "lesser" | "off";
  what: string;
  says: string;
}>;

/** One thing to look at. */
export type Check = Readonly<{
  what: string;
  /** What is found; whatever it throws is a finding too: broken, with the error's words. */
  run(signal: AbortSignal): Promise<Omit<Finding, "what">>;
}>;

/** Longer than any healthy service takes to say that it is there, in milliseconds. */
export const CHECK_MS = 10_000;

/** Runs one check within its deadline; never rejects. */
export const examine = async ({ what, run }: Check, clock: Clock): Promise<Finding> => {
  const controller = new AbortController();
  try {
    return { what, ...(await withDeadline(clock, CHECK_MS, "an answer", run(controller.signal))) };
  } catch (error) {
    return { what, state: "broken", says: reasonOf(error) };
  } finally {
    controller.abort();
  }
};

/** An error's words and those of its causes; the network's own reason is usually the last. */
export const reasonOf = (thrown: unknown): string => {
  const { message, cause } = toError(thrown);
  const code = typeof thrown === "object" && thrown !== null && "code" in thrown ? String(thrown.code) : "";
  const said = message === "" ? code : message;
  return (cause === undefined ? said : `${said} (${reasonOf(cause)})`).replaceAll(/\s+/gu, " ");
};

/** How much of an error's words is printed, in UTF-16 units. */
const LONGEST_LINE = 400;

/** The values of variables that may be secrets, so that no line shows one, whatever a vendor's server answered with. */
export const redactor = (env: Readonly<Record<string, string | undefined>>): ((line: string) => string) => {
  const secrets = Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const inUrl = URL.canParse(value) ? new URL(value).password : "";
    const whole = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/u.test(name) ? value.trim() : "";
    return [inUrl, decodeURIComponent(inUrl), whole].filter((secret) => secret.length >= SHORTEST_SECRET);
  });
  return (line) => {
    let shown = line;
    for (const secret of secrets) shown = shown.replaceAll(secret, "[secret]");
    return shown.slice(0, LONGEST_LINE);
  };
};

/** Shorter values are words that may be meant otherwise. */
const SHORTEST_SECRET = 6;
