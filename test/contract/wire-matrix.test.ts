import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { discover, type DiscoveredPort } from "../../src/registry.ts";

const ADAPTERS = join(import.meta.dirname, "../adapters");

/** Engines of this machine, which have no wire. */
const LOCAL = new Set(["local", "kokoro", "flite", "scripted", "smart-turn"]);

/** Where each adapter with a network behind it runs the battery of its port; each battery holds itself to all of `WIRE_CASES`. */
const BATTERIES: Partial<Record<DiscoveredPort, Readonly<Record<string, string>>>> = {
  transcriber: {
    assemblyai: "transcriber/assemblyai/assemblyai.test.ts",
    deepgram: "transcriber/deepgram/nova.test.ts",
    "deepgram-flux": "transcriber/deepgram/flux.test.ts",
    google: "transcriber/google/google.test.ts",
    openai: "transcriber/openai/openai.test.ts",
    "model-server": "transcriber/model-server/model-server.test.ts",
  },
  synthesizer: {
    cartesia: "synthesizer/vendors.test.ts",
    deepgram: "synthesizer/vendors.test.ts",
    elevenlabs: "synthesizer/vendors.test.ts",
    openai: "synthesizer/vendors.test.ts",
    "model-server": "model-server-wires.test.ts",
  },
  "language-model": {
    anthropic: "language-model/wires.test.ts",
    google: "language-model/wires.test.ts",
    openai: "language-model/wires.test.ts",
    "openai-compatible": "language-model/wires.test.ts",
    "model-server": "model-server-wires.test.ts",
  },
  "turn-detector": { "model-server": "model-server-wires.test.ts" },
};

test.each(Object.entries(BATTERIES) as [DiscoveredPort, Readonly<Record<string, string>>][])(
  "every %s that speaks to somebody is tried with every case of the wire",
  async (port, batteries) => {
    const names = (await discover(port)).map(({ name }) => name).filter((name) => !LOCAL.has(name));
    expect(Object.keys(batteries).toSorted()).toEqual(names.toSorted());
    for (const file of new Set(Object.values(batteries))) {
      const source = await readFile(join(ADAPTERS, file), "utf8");
      expect(source, file).toMatch(/wireCases\(\)|vendor(?:Transcriber|Synthesizer)Contract\(/u);
    }
  },
);
