import { parentPort } from "node:worker_threads";
import { toError } from "../../../kit/errors.ts";
import type { WordTiming } from "../../../ports/synthesizer.ts";
import { encodeForLine } from "./line-sound.ts";
import type { FromThread, SpeechRequest, ToThread } from "./protocol.ts";

/** Sound as an engine makes it: mono samples at the engine's own rate, and one timing for each word of the text. */
export type EngineSound = Readonly<{ samples: Int16Array; sampleRate: number; words: readonly WordTiming[] }>;

export type Engine = Readonly<{
  speak(request: SpeechRequest): Promise<EngineSound> | EngineSound;
  close(): Promise<void> | void;
}>;

/**
 * Runs an engine in this worker thread: loads it, says so, then answers one request after another until told to close. A
 * failure to load ends the thread, which its owner sees as the thread's error.
 */
export const serveSpeech = async (load: (note: (message: string) => void) => Promise<Engine>): Promise<void> => {
  const port = parentPort;
  if (port === null) throw new Error("a speech engine runs in a worker thread only");
  const answer = (message: FromThread, transfer: ArrayBuffer[] = []) => {
    port.postMessage(message, transfer);
  };
  const engine = await load((message) => {
    answer({ type: "note", message });
  });
  const speak = async (id: number, request: SpeechRequest) => {
    try {
      const sound = await engine.speak(request);
      const audio = encodeForLine(sound.samples, sound.sampleRate, request.format);
      answer({ type: "spoken", id, speech: { audio, words: sound.words } }, [audio.buffer]);
    } catch (error) {
      answer({ type: "failed", id, error: toError(error) });
    }
  };
  // An engine that is released in the middle of a request crashes the process, so closing waits for what is under way.
  let busy = Promise.resolve();
  port.on("message", (message: ToThread) => {
    if (message.type === "speak") busy = busy.then(() => speak(message.id, message.request));
    else
      void busy
        .then(() => engine.close())
        .finally(() => {
          port.close();
        });
  });
  answer({ type: "ready" });
};
