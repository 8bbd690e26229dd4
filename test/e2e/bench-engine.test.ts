import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { machineMs } from "../../src/adapters/clock/machine.ts";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { encodeMulaw } from "../../src/audio/g711.ts";
import { sleep, withDeadline } from "../../src/ports/clock.ts";
import { EchoPhone } from "../bench/engine/echo-phone.ts";
import { tone } from "../kit/tones.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const clock = new SystemClock();

type Heard = Readonly<{ event: string; at: number; loud: boolean }>;

/** A carrier's end of a call: sends a frame every 20 ms, voice while `speaking`, and never a mark. */
class Phone {
  readonly heard: Heard[] = [];
  speaking = false;
  lastVoicedAt = 0;
  readonly #ws: WebSocket;
  #timer: { cancel(): void } | undefined;
  #frames = 0;

  constructor(url: string) {
    this.#ws = new WebSocket(url, { perMessageDeflate: false });
    this.#ws.on("message", (data: Buffer) => {
      const { event, media } = JSON.parse(data.toString()) as { event: string; media?: { payload: string } };
      const sound = Buffer.from(media?.payload ?? "", "base64");
      this.heard.push({ event, at: machineMs(), loud: sound.some((byte) => (byte & 0x7f) < 0x50) });
    });
  }

  async start(callSid: string): Promise<void> {
    await once(this.#ws, "open");
    const mediaFormat = { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 };
    this.#send({ event: "connected", protocol: "Call", version: "1.0.0" });
    const start = { streamSid: `MZ${callSid}`, accountSid: "AC1", callSid, tracks: ["inbound"], mediaFormat };
    this.#send({ event: "start", sequenceNumber: "1", streamSid: `MZ${callSid}`, start });
    const voiced = Buffer.from(encodeMulaw(tone(300, 20, 8000))).toString("base64");
    const silent = Buffer.alloc(160, 0xff).toString("base64");
    const from = clock.monotonic();
    const next = () => {
      const timestamp = String(this.#frames * 20);
      const payload = this.speaking ? voiced : silent;
      if (this.speaking) this.lastVoicedAt = machineMs();
      this.#send({ event: "media", streamSid: `MZ${callSid}`, media: { track: "inbound", timestamp, payload } });
      this.#frames += 1;
      this.#timer = clock.setTimer(from + this.#frames * 20 - clock.monotonic(), next);
    };
    next();
  }

  async until(condition: () => boolean, what: string): Promise<void> {
    const polled = async () => {
      while (!condition()) await sleep(clock, 5);
    };
    await withDeadline(clock, 15_000, what, polled());
  }

  close(): void {
    this.#timer?.cancel();
    this.#ws.close();
  }

  #send(message: object): void {
    this.#ws.send(JSON.stringify(message));
  }
}

test("the bench engine answers a scripted call, tells when its providers did what, is interrupted, and leaves nothing", async () => {
  const child = spawn(process.execPath, [MAIN, "bench-engine"], {
    env: { ...process.env, PORT: "0", HOST: "127.0.0.1", DATABASE_URL: "postgres://nobody.invalid/x" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  const [line] = (await withDeadline(
    clock,
    60_000,
    "starting",
    once(createInterface({ input: child.stdout }), "line"),
  )) as [string];
  const media = /media=(\S+)/.exec(line)?.[1] ?? "";
  const base = media.replace("ws://", "http://").replace("/media", "");
  const phone = new Phone(media);
  await phone.start("CA1");
  await sleep(clock, 500);
  expect(phone.heard).toEqual([]);

  phone.speaking = true;
  await sleep(clock, 1000);
  phone.speaking = false;
  await phone.until(() => phone.heard.some(({ loud }) => loud), "hearing an answer");
  const first = phone.heard.find(({ loud }) => loud)!;
  await sleep(clock, 1000);
  phone.speaking = true;
  await phone.until(() => phone.heard.some(({ event }) => event === "clear"), "an interruption");
  await sleep(clock, 500);
  phone.speaking = false;
  const before = phone.heard.length;
  await phone.until(() => phone.heard.slice(before).some(({ loud }) => loud), "hearing the next answer");

  type Noted = readonly [string, string, number];
  const events = (await fetch(`${base}/events`).then((response) => response.json())) as readonly Noted[];
  expect(new Set(events.map(([callId]) => callId))).toEqual(new Set(["CA1"]));
  const at = (name: string) => events.find(([, one]) => one === name)?.[2] ?? Number.NaN;
  const order = ["stt_last_voiced", "stt_final", "llm_request", "llm_sentence_end", "tts_request", "tts_first_audio"];
  const times = order.map(at);
  expect(times.toSorted((a, b) => a - b)).toEqual(times);
  expect(events.filter(([, name]) => name === "stt_final")).toHaveLength(2);
  expect(events.filter(([, name]) => name === "llm_request")).toHaveLength(2);
  const added =
    first.at -
    at("stt_last_voiced") -
    (at("stt_final") - at("stt_last_voiced")) -
    (at("tts_first_audio") - at("tts_request")) -
    (at("llm_sentence_end") - at("llm_request"));
  // A loaded machine and cold code take most of it; how much it is on a quiet one is what `npm run bench` measures.
  expect(added).toBeLessThan(2000);
  // The answer goes on, and so do the events; those that were told are not told again.
  const since = (await fetch(`${base}/events`).then((response) => response.json())) as readonly Noted[];
  const told = new Set(events.map((event) => JSON.stringify(event)));
  expect(since.filter((event) => told.has(JSON.stringify(event)))).toEqual([]);
  const stats = (await fetch(`${base}/stats?gc=1`).then((response) => response.json())) as { pid: number };
  expect(stats.pid).toBe(child.pid);
  const echo = await EchoPhone.open(`${media.slice(0, -"media".length)}echo`, "CA2");
  for (let frame = 0; frame < 5; frame += 1) echo.tick();
  await phone.until(() => echo.owed === 0, "hearing every frame again");
  expect(echo.roundTrips()).toHaveLength(5);
  echo.hangUp();
  phone.close();
  child.kill("SIGTERM");
  expect(await withDeadline(clock, 20_000, "ending", exited)).toEqual([0, null]);
});
