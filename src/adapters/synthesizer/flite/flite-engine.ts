import { File, OpenFile, PreopenDirectory, WASI } from "@bjorn3/browser_wasi_shim";
import { readWav } from "../../../audio/wav.ts";
import type { Engine } from "../threaded/serve-speech.ts";
import { trimSilence } from "../threaded/silence.ts";
import { wordsOf } from "../threaded/utterances.ts";
import { estimatedWords, type Span } from "../threaded/word-times.ts";

/** What flite says about a sentence: its phones with the moment each ends, in seconds; `pau` is a pause. */
export type Phone = Readonly<{ name: string; startMs: number; endMs: number }>;

/** Flite over a compiled module. Each sentence runs in a fresh instance, because the program ends after one run. */
export const fliteEngine = (module: WebAssembly.Module): Engine => ({
  speak: ({ text, voice, speed }) => {
    const output = new File([]);
    const stdout = runFlite(
      module,
      ["-voice", voice, "-psdur", ...paceOf(speed), "-t", plainText(text), "-o", WAV],
      output,
    );
    const sound = readWav(output.data);
    const phones = phonesOf(stdout);
    const trimmed = trimSilence(sound.samples, sound.sampleRate);
    const words = estimatedWords(wordsOf(text), voicedSpans(phones, trimmed.cutMs));
    return { samples: trimmed.samples, sampleRate: sound.sampleRate, words };
  },
  close: () => undefined,
});

/** Reads `name:end` pairs; a text that flite took as several utterances starts again from zero at each. */
export const phonesOf = (stdout: string): readonly Phone[] => {
  const phones: Phone[] = [];
  let utteranceMs = 0;
  let lastMs = 0;
  for (const [, name = "", end = ""] of stdout.matchAll(/(\w+):(\d+(?:\.\d+)?)/gu)) {
    const endMs = Number(end) * 1000;
    if (utteranceMs + endMs < lastMs) utteranceMs = lastMs;
    phones.push({ name, startMs: lastMs, endMs: utteranceMs + endMs });
    lastMs = utteranceMs + endMs;
  }
  return phones;
};

/** The name of the file that the engine writes, inside its own file system. */
const WAV = "spoken.wav";

const paceOf = (speed: number): readonly string[] =>
  speed === 1 ? [] : ["--setf", `duration_stretch=${(1 / speed).toFixed(3)}`];

/** Flite reads ASCII: accents are taken off, typographic marks become plain ones, and the rest is left out. */
const plainText = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/[‘’]/gu, "'")
    .replaceAll(/[“”]/gu, '"')
    .replaceAll(/[–—]/gu, ",")
    .replaceAll("…", ".")
    .replaceAll(/[^ -~]/gu, "");

const runFlite = (module: WebAssembly.Module, args: readonly string[], output: File): string => {
  const stdout = new File([]);
  const stderr = new File([]);
  const files = new PreopenDirectory("/", new Map([[WAV, output]]));
  const descriptors = [new OpenFile(new File([])), new OpenFile(stdout), new OpenFile(stderr), files];
  // `debug: false` because the shim otherwise logs every file that is opened.
  const wasi = new WASI(["flite", ...args], [], descriptors, { debug: false });
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport });
  const code = wasi.start(instance as Parameters<WASI["start"]>[0]);
  if (code !== 0) throw new Error(`flite ended with code ${code}: ${new TextDecoder().decode(stderr.data)}`);
  return new TextDecoder().decode(stdout.data);
};

/** Stretches between pauses, on the timeline that starts `cutMs` into the sound. */
const voicedSpans = (phones: readonly Phone[], cutMs: number): readonly Span[] => {
  const spans: Span[] = [];
  let open: Span | undefined;
  for (const phone of phones) {
    const startMs = Math.max(0, phone.startMs - cutMs);
    const endMs = Math.max(0, phone.endMs - cutMs);
    if (phone.name === "pau") {
      if (open !== undefined) spans.push(open);
      open = undefined;
    } else open = { startMs: open?.startMs ?? startMs, endMs };
  }
  if (open !== undefined) spans.push(open);
  return spans;
};
