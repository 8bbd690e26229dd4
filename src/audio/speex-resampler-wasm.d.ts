/** The part of the package's C interface that is used; it ships without types. Pointers are byte offsets into the heap. */
declare module "@echogarden/speex-resampler-wasm/simd" {
  export type SpeexModule = {
    HEAP16: Int16Array;
    HEAP32: Int32Array;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    _speex_resampler_init(channels: number, from: number, to: number, quality: number, error: number): number;
    _speex_resampler_destroy(state: number): void;
    _speex_resampler_get_input_latency(state: number): number;
    _speex_resampler_process_int(
      state: number,
      channel: number,
      input: number,
      inputLength: number,
      output: number,
      outputLength: number,
    ): number;
  };
  const load: () => Promise<SpeexModule>;
  export default load;
}
