import { Type } from "typebox";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { VoiceActivityDetector } from "../../../ports/vad.ts";
import { SileroDetector } from "./detector.ts";

const MODEL = "silero-v6.onnx";

/** Silero v6, a small recurrent network: no missed and no false turns at 10 dB of noise over telephone sound. */
export default {
  name: "silero",
  env: Type.Object({}),
  available: async (_env, { modelFiles }) =>
    (await modelFiles.find(MODEL)) !== undefined ||
    `the voice activity detector "silero" needs ${MODEL}; get it with: bin/call-engine models pull`,
  create: async (_env, { modelFiles, clock }) => {
    const modelPath = await modelFiles.find(MODEL);
    if (modelPath === undefined) throw new Error(`${MODEL} is not there; get it with: bin/call-engine models pull`);
    const detector = new SileroDetector(modelPath, clock);
    await detector.start();
    return detector;
  },
} satisfies Descriptor<VoiceActivityDetector>;
