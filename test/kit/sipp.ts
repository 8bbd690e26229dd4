import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One step of what the other side does. */
export type Step =
  | Readonly<{ expect: string; optional?: true }>
  | Readonly<{ expectAnswer: number; optional?: true }>
  /** An answer to the last request. */
  | Readonly<{ answer: string; headers?: readonly string[]; sound?: true }>
  /** A request within the call; `{tag}` of us and them is filled in. */
  | Readonly<{ ask: string }>
  | Readonly<{ pauseMs: number }>;

/** What SIPp, which nobody here wrote, found: whether everything went by its scenario. */
export type Verdict = Readonly<{ ok: boolean; said: string }>;

/** Runs one scenario on `port` of 127.0.0.1 for one call; resolves when it is over. */
export const runSipp = async (port: number, steps: readonly Step[]): Promise<Verdict> => {
  const folder = await mkdtemp(join(tmpdir(), "sipp-"));
  try {
    const file = join(folder, "scenario.xml");
    await writeFile(file, scenarioOf(steps));
    return await run(folder, ["-sf", file, "-p", String(port), "-m", "1"]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Has SIPp ring somebody for a number of calls, all at once, and hang up a little after the answer. */
export const ringWithSipp = async (
  target: number,
  own: number,
  given: Readonly<{ transport: "udp" | "tcp"; calls: number }>,
): Promise<Verdict> => {
  const folder = await mkdtemp(join(tmpdir(), "sipp-"));
  const calls = String(given.calls);
  const load = ["-r", calls, "-l", calls, "-m", calls, "-d", "300", "-t", given.transport === "udp" ? "u1" : "t1"];
  try {
    return await run(folder, ["-sn", "uac", `127.0.0.1:${target}`, "-p", String(own), ...load]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const run = async (folder: string, what: readonly string[]): Promise<Verdict> => {
  const options = [...what, "-i", "127.0.0.1", "-nostdin", "-timeout", "20s", "-timeout_error"];
  const sipp = spawn("sipp", options, {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, TERM: "dumb" },
  });
  let said = "";
  sipp.stdout.on("data", (data: Buffer) => (said = (said + data.toString()).slice(-4000)));
  sipp.stderr.on("data", (data: Buffer) => (said = (said + data.toString()).slice(-4000)));
  const code = await new Promise<number | null>((resolve, reject) => {
    sipp.once("error", (cause) =>
      reject(new Error("sipp is not installed: install the package sip-tester", { cause })),
    );
    sipp.once("exit", resolve);
  });
  return { ok: code === 0, said };
};

const scenarioOf = (steps: readonly Step[]): string =>
  `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<scenario name="called">\n${steps.map(elementOf).join("\n")}\n<Reference variables="contact,uri,from,to"/>\n</scenario>\n`;

const elementOf = (step: Step): string => {
  if ("pauseMs" in step) return `<pause milliseconds="${step.pauseMs}"/>`;
  const optional = "optional" in step ? ' optional="true"' : "";
  if ("expect" in step)
    return `<recv request="${step.expect}"${optional}>${step.expect === "INVITE" ? KEEP : ""}</recv>`;
  if ("expectAnswer" in step) return `<recv response="${step.expectAnswer}"${optional}/>`;
  return `<send${"answer" in step && Number(step.answer.slice(0, 3)) >= 200 ? ' retrans="500"' : ""}><![CDATA[\n\n${messageOf(step)}\n]]></send>`;
};

/** What a request of the called side needs to know of the INVITE. */
const KEEP = `<action>
<ereg regexp="<(sip:[^>]*)>" search_in="hdr" header="Contact:" check_it="true" assign_to="contact,uri"/>
<ereg regexp=".*" search_in="hdr" header="From:" check_it="true" assign_to="from"/>
<ereg regexp=".*" search_in="hdr" header="To:" check_it="true" assign_to="to"/>
</action>`
  .replaceAll("<(", "&lt;(")
  .replaceAll(')>"', ')&gt;"')
  .replaceAll("[^>]", "[^&gt;]");

const messageOf = (step: Extract<Step, { answer: string } | { ask: string }>): string => {
  if ("ask" in step)
    return [
      `${step.ask} [$uri] SIP/2.0`,
      "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]",
      "From:[$to];tag=sipp[call_number]",
      "To:[$from]",
      "Call-ID: [call_id]",
      `CSeq: 1 ${step.ask}`,
      "Contact: <sip:[local_ip]:[local_port]>",
      "Max-Forwards: 70",
      "Content-Length: 0",
      "",
      "",
    ].join("\n");
  const head = [
    `SIP/2.0 ${step.answer}`,
    "[last_Via:]",
    "[last_From:]",
    // A CANCEL has its own, without a tag of ours.
    "[last_To:];tag=sipp[call_number]",
    "[last_Call-ID:]",
    "[last_CSeq:]",
    "Contact: <sip:[local_ip]:[local_port]>",
    ...(step.headers ?? []),
  ];
  if (step.sound === undefined) return [...head, "Content-Length: 0", "", ""].join("\n");
  return [
    ...head,
    "Content-Type: application/sdp",
    "Content-Length: [len]",
    "",
    "v=0",
    "o=sipp 1 1 IN IP4 [local_ip]",
    "s=-",
    "c=IN IP4 [media_ip]",
    "t=0 0",
    "m=audio [media_port] RTP/AVP 0",
    "a=rtpmap:0 PCMU/8000",
    "",
  ].join("\n");
};
