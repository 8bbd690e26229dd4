import type { AudioFormat } from "../../../src/model/audio.ts";

/** What the simulated telephone line carries. */
export const LINE_FORMAT: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };
