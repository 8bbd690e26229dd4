import { expect, test } from "vitest";
import flite from "../../../src/adapters/synthesizer/flite/flite.ts";
import { phonesOf } from "../../../src/adapters/synthesizer/flite/flite-engine.ts";
import { synthesizerContract } from "../../contract/synthesizer.contract.ts";
import { adapterDeps } from "../../kit/adapter-deps.ts";

synthesizerContract("flite", { make: () => flite.create({}, adapterDeps()), threads: 1 });

test("flite's phones are read with their pauses, and a second utterance goes on where the first ended", () => {
  expect(
    phonesOf("pau:0.100 hh:0.200 ay:0.350 pau:0.500 \npau:0.050 b:0.150 \n").map((phone) => [
      phone.name,
      Math.round(phone.endMs),
    ]),
  ).toEqual([
    ["pau", 100],
    ["hh", 200],
    ["ay", 350],
    ["pau", 500],
    ["pau", 550],
    ["b", 650],
  ]);
});
