import { describe, expect, test } from "vitest";
import { ModelFolder } from "../../../src/adapters/model-files/model-folder.ts";
import { modelFolders } from "../../../src/adapters/model-files/folders.ts";
import kokoro from "../../../src/adapters/synthesizer/kokoro/kokoro.ts";
import { synthesizerContract } from "../../contract/synthesizer.contract.ts";
import { adapterDeps } from "./adapter-deps.ts";

const deps = adapterDeps({ modelFiles: new ModelFolder(modelFolders(process.env)) });
const pulled = await kokoro.available({}, deps);

test("kokoro says what is missing when nothing was pulled", async () => {
  expect(await kokoro.available({}, adapterDeps())).toMatch(
    /kokoro-q8\.onnx is not here; run `call-engine models pull`/u,
  );
  await expect(kokoro.create({}, adapterDeps())).rejects.toThrow(/call-engine models pull/u);
});

// Without the pulled weights there is nothing to hold to the contract; the report counts the suite as skipped.
describe.skipIf(pulled !== true)("with the pulled weights", () => {
  synthesizerContract("kokoro", { make: () => kokoro.create({}, deps), threads: 1 });
});
