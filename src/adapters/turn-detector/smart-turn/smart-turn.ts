import { access } from "node:fs/promises";
import { Type } from "typebox";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { TurnDetector } from "../../../ports/turn-detector.ts";
import { SmartTurnDetector } from "./detector.ts";

/** Smart Turn v3 (BSD-2), an encoder of Whisper's that hears whether a turn is over. The operator brings its ONNX file. */
export default {
  name: "smart-turn",
  env: Type.Object({ SMART_TURN_MODEL: Type.Optional(Type.String()) }),
  available: async ({ SMART_TURN_MODEL: path = "" }) => {
    if (path === "") return "the turn detector needs SMART_TURN_MODEL, the path of a Smart Turn v3 ONNX file";
    const there = await access(path).then(
      () => true,
      () => false,
    );
    return there || `SMART_TURN_MODEL is ${path}, which cannot be read`;
  },
  create: async ({ SMART_TURN_MODEL: path = "" }, { clock }) => {
    const detector = new SmartTurnDetector(path, clock);
    try {
      await detector.start();
    } catch (error) {
      await detector.close();
      throw error;
    }
    return detector;
  },
} satisfies Descriptor<TurnDetector, Readonly<{ SMART_TURN_MODEL?: string }>>;
