import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What a browser is measured over, or with. */
export type Situation = "quiet network" | "rough network" | "microphone as it is" | "microphone as visitors have it";

/** What a microphone hears over and over, a WAV file in the browser's folder. */
export const MICROPHONE_FILE = "microphone.wav";

/** Starts a browser without a window, with an empty profile in `folder`, at `url`. */
export type Browser = Readonly<{
  name: string;
  situations: readonly Situation[];
  start(url: string, folder: string): Promise<ChildProcess>;
}>;

const run = (program: string, args: readonly string[], folder: string, more: Readonly<Record<string, string>> = {}) => {
  const child = spawn(program, args, {
    stdio: "ignore",
    detached: true,
    env: { ...process.env, HOME: folder, ...more },
  });
  const stop = () => killGroup(child);
  process.once("exit", stop);
  child.once("exit", () => process.off("exit", stop));
  return child;
};

/** Each program was started as the leader of a group. */
const killGroup = ({ pid, exitCode }: ChildProcess): void => {
  if (pid !== undefined && exitCode === null) process.kill(-pid, "SIGKILL");
};

const chromium: Browser = {
  name: "chromium",
  situations: ["quiet network", "rough network", "microphone as it is", "microphone as visitors have it"],
  start: async (url, folder) =>
    run(
      process.env["CHROMIUM"] ?? "chromium",
      [
        `--user-data-dir=${join(folder, "chromium")}`,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--autoplay-policy=no-user-gesture-required",
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        `--use-file-for-fake-audio-capture=${join(folder, MICROPHONE_FILE)}`,
        "--allow-loopback-in-peer-connection",
        url,
      ],
      folder,
    ),
};

/** What lets a page without a user speak, hear and connect on this machine. */
const FIREFOX_SETTINGS = {
  "media.navigator.permission.disabled": true,
  "media.navigator.streams.fake": true,
  "media.autoplay.default": 0,
  "media.autoplay.blocking_policy": 0,
  "media.peerconnection.ice.loopback": true,
  "media.peerconnection.ice.obfuscate_host_addresses": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "app.update.enabled": false,
};

/** Its sound stands still without a sound server, so that one is started beside it. */
const firefox: Browser = {
  name: "firefox",
  // It takes no loopback address for a way to anybody, so that no proxy can stand between.
  situations: ["quiet network"],
  start: async (url, folder) => {
    const profile = join(folder, "firefox");
    await mkdir(profile, { recursive: true });
    const lines = Object.entries(FIREFOX_SETTINGS).map(([name, value]) => `user_pref("${name}", ${value});`);
    await writeFile(join(profile, "user.js"), lines.join("\n"));
    const runtime = join(folder, "run");
    await mkdir(runtime, { recursive: true, mode: 0o700 });
    const sound = run(
      "pulseaudio",
      ["-n", "--exit-idle-time=-1", "-L", "module-native-protocol-unix", "-L", "module-null-sink rate=48000"],
      folder,
      { XDG_RUNTIME_DIR: runtime },
    );
    const browser = run(
      process.env["FIREFOX"] ?? "firefox-esr",
      ["--headless", "--no-remote", "--profile", profile, url],
      folder,
      { XDG_RUNTIME_DIR: runtime },
    );
    browser.once("exit", () => killGroup(sound));
    return browser;
  },
};

export const BROWSERS: readonly Browser[] = [chromium, firefox];

/** Ends a browser with all its processes. */
export const end = async (browser: ChildProcess): Promise<void> => {
  if (browser.exitCode !== null || browser.pid === undefined) return;
  const exited = once(browser, "exit");
  killGroup(browser);
  await exited;
};
