import { readFile } from "node:fs/promises";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { TOKEN_FRAMES } from "./float-network.ts";

/** Samples per second that the network makes. */
export const SAMPLE_RATE = 24_000;

/** Samples of one frame, in which the network counts the length of its tokens. */
export const FRAME_SAMPLES = 600;

/** What the network makes of tokens: sound between −1 and 1, and for each token the number of its frames. */
export type NetworkSound = Readonly<{ samples: Float32Array; frames: Float32Array }>;

/** One voice: for each number of tokens from 1 to 510, a style of 256 numbers. */
type VoiceStyles = Float32Array;

const STYLE_LENGTH = 256;

/** The rewritten Kokoro network in this thread. */
export class KokoroNetwork {
  readonly #session: InferenceSession;
  readonly #voicePaths: Readonly<Record<string, string>>;
  readonly #styles = new Map<string, VoiceStyles>();

  private constructor(session: InferenceSession, voicePaths: Readonly<Record<string, string>>) {
    this.#session = session;
    this.#voicePaths = voicePaths;
  }

  /** Loads the network; takes about a second and 0.5 GB. */
  static async load(
    networkPath: string,
    voicePaths: Readonly<Record<string, string>>,
    threads: number,
  ): Promise<KokoroNetwork> {
    const session = await InferenceSession.create(networkPath, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // Threads that spin while they wait take the cores from the calls' own work, and are slower whenever a core is busy.
      extra: { session: { intra_op: { allow_spinning: "0" } } },
    });
    return new KokoroNetwork(session, voicePaths);
  }

  /** Speaks tokens, at most 510 besides the padding; blocks the thread for a fraction of the sound's length. */
  async speak(ids: readonly number[], voice: string, speed: number): Promise<NetworkSound> {
    const styles = await this.#stylesOf(voice);
    const row = Math.min(Math.max(ids.length - 2, 0), styles.length / STYLE_LENGTH - 1);
    const style = styles.subarray(row * STYLE_LENGTH, (row + 1) * STYLE_LENGTH);
    const result = await this.#session.run({
      input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]),
      style: new Tensor("float32", style, [1, STYLE_LENGTH]),
      speed: new Tensor("float32", [speed], [1]),
    });
    const samples = result["waveform"]?.data;
    const frames = result[TOKEN_FRAMES]?.data;
    if (!(samples instanceof Float32Array) || !(frames instanceof Float32Array))
      throw new TypeError("the network gave no sound or no token lengths; pull the models again");
    return { samples, frames };
  }

  close(): Promise<void> {
    return this.#session.release();
  }

  async #stylesOf(voice: string): Promise<VoiceStyles> {
    const known = this.#styles.get(voice);
    if (known !== undefined) return known;
    const path = this.#voicePaths[voice];
    if (path === undefined) throw new Error(`the voice ${voice} was not pulled`);
    const file = await readFile(path);
    const styles = new Float32Array(new Uint8Array(file).buffer);
    this.#styles.set(voice, styles);
    return styles;
  }
}
