import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Baresip's modules, which Debian keeps apart by architecture nowhere else. */
const MODULES = "/usr/lib/baresip/modules";

type Said = Readonly<{
  event?: boolean;
  type?: string;
  response?: boolean;
  ok?: boolean;
  data?: string;
  param?: string;
  token?: string;
}>;

/** A telephone that nobody here wrote: Debian's baresip, driven over its control connection. */
export class Baresip {
  readonly port: number;
  readonly events: Said[] = [];
  readonly #folder: string;
  readonly #process: ChildProcess;
  readonly #socket: Socket;
  readonly #gone: Promise<unknown>;
  #buffer = Buffer.alloc(0);
  readonly #wake: (() => void)[] = [];
  #tokens = 0;

  private constructor(port: number, folder: string, process: ChildProcess, socket: Socket) {
    this.port = port;
    this.#folder = folder;
    this.#process = process;
    this.#gone = new Promise((resolve) => process.once("exit", resolve));
    this.#socket = socket;
    socket.on("data", (data: Buffer) => this.#read(data));
    socket.on("error", () => undefined);
  }

  /** `speaks`: a WAV file that it plays into every call. `answers`: picks up by itself. */
  static async start(
    given: Readonly<{ port: number; control: number; speaks: Uint8Array; answers: boolean; account?: string }>,
  ): Promise<Baresip> {
    const folder = await mkdtemp(join(tmpdir(), "baresip-"));
    await mkdir(join(folder, "heard"));
    await writeFile(join(folder, "speaks.wav"), given.speaks);
    await writeFile(join(folder, "config"), configOf(folder, given));
    const mode = given.answers ? "auto" : "manual";
    const account = given.account ?? `<sip:phone@127.0.0.1:${given.port}>;regint=0`;
    await writeFile(join(folder, "accounts"), `${account};answermode=${mode};audio_codecs=PCMU/8000/1\n`);
    await writeFile(join(folder, "contacts"), "\n");
    const process = spawn("baresip", ["-f", folder], { stdio: ["ignore", "pipe", "pipe"] });
    await ready(process);
    const socket = connect(given.control, "127.0.0.1");
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
    return new Baresip(given.port, folder, process, socket);
  }

  /** One command of its menu; resolves with what it says. */
  async command(command: string, params = ""): Promise<Said> {
    this.#tokens += 1;
    const token = `t${this.#tokens}`;
    const text = JSON.stringify({ command, params, token });
    this.#socket.write(`${Buffer.byteLength(text)}:${text},`);
    return this.until((said) => said.token === token);
  }

  /** The first event of a type; the test's own deadline ends the wait. */
  event(type: string): Promise<Said> {
    return this.until((said) => said.type === type);
  }

  async until(wanted: (said: Said) => boolean): Promise<Said> {
    for (;;) {
      const found = this.events.find((each) => wanted(each));
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  /** The recording of what it heard; complete once the call is over. */
  async heard(): Promise<Uint8Array> {
    const folder = join(this.#folder, "heard");
    const file = (await readdir(folder)).find((name) => name.endsWith("-dec.wav"));
    if (file === undefined) throw new Error("baresip recorded nothing");
    return readFile(join(folder, file));
  }

  async close(): Promise<void> {
    this.#socket.destroy();
    this.#process.kill("SIGKILL");
    await this.#gone;
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Netstrings of JSON. */
  #read(data: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, data]);
    for (;;) {
      const colon = this.#buffer.indexOf(":");
      const length = Number(this.#buffer.subarray(0, Math.max(0, colon)).toString());
      if (colon === -1 || this.#buffer.length < colon + length + 2) break;
      this.events.push(JSON.parse(this.#buffer.subarray(colon + 1, colon + 1 + length).toString()) as Said);
      this.#buffer = this.#buffer.subarray(colon + length + 2);
    }
    for (const wake of this.#wake.splice(0)) wake();
  }
}

const ready = (process: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = "";
    const read = (data: Buffer) => {
      said += data.toString();
      if (said.includes("baresip is ready")) resolve();
    };
    process.stdout?.on("data", read);
    process.stderr?.on("data", read);
    process.once("error", reject);
    process.once("exit", () => reject(new Error(`baresip did not start: ${said.slice(-400)}`)));
  });

const configOf = (folder: string, { port, control }: Readonly<{ port: number; control: number }>): string => {
  if (!existsSync(MODULES)) throw new Error("baresip's modules are missing: install the package baresip-core");
  return [
    `module_path ${MODULES}`,
    `sip_listen 127.0.0.1:${port}`,
    "net_interface 127.0.0.1",
    `audio_source aufile,${join(folder, "speaks.wav")}`,
    "audio_player aubridge,nowhere",
    "audio_alert aubridge,nowhere",
    "ausrc_srate 8000",
    "auplay_srate 8000",
    "ausrc_channels 1",
    "auplay_channels 1",
    ...["g711", "aufile", "sndfile", "aubridge", "ctrl_tcp"].map((name) => `module ${name}.so`),
    "module_app account.so",
    "module_app menu.so",
    `ctrl_tcp_listen 127.0.0.1:${control}`,
    `snd_path ${join(folder, "heard")}`,
    "jitter_buffer_delay 1-5",
    "",
  ].join("\n");
};
