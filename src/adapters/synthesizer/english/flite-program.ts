import { File, OpenFile, PreopenDirectory, WASI } from "@bjorn3/browser_wasi_shim";

/** What a run of flite gave: what it printed, and the WAV file that it wrote. */
export type FliteRun = Readonly<{ printed: string; wav: Uint8Array }>;

/** The name of the file that the program writes, inside its own file system. */
const WAV = "spoken.wav";

/**
 * Runs the flite program once, in a fresh instance of its compiled module (it ends after one run), with a file system in
 * memory. Takes 20 to 50 ms even for one word, and blocks its thread. Throws when the program fails.
 */
export const runFlite = (module: WebAssembly.Module, options: readonly string[], text: string): FliteRun => {
  const output = new File([]);
  const stdout = new File([]);
  const stderr = new File([]);
  const files = new PreopenDirectory("/", new Map([[WAV, output]]));
  const descriptors = [new OpenFile(new File([])), new OpenFile(stdout), new OpenFile(stderr), files];
  // `debug: false` because the shim otherwise logs every file that is opened.
  const wasi = new WASI(["flite", ...options, "-t", plainText(text), "-o", WAV], [], descriptors, { debug: false });
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport });
  const code = wasi.start(instance as Parameters<WASI["start"]>[0]);
  if (code !== 0) throw new Error(`flite ended with code ${code}: ${new TextDecoder().decode(stderr.data)}`);
  return { printed: new TextDecoder().decode(stdout.data), wav: output.data };
};

/** Flite reads ASCII: accents are taken off, typographic marks become plain ones, and the rest is left out. */
const plainText = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/[‘’]/gu, "'")
    .replaceAll(/[“”]/gu, '"')
    .replaceAll(/[–—]/gu, ",")
    .replaceAll("…", ".")
    .replaceAll(/[^ -~]/gu, "");
