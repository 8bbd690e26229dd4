/**
 * Keeps ONNX Runtime from noting down and sending what it is used for, which its releases do unless they are told not to: a device
 * id and a queue of events under the user's home, and a log for each process. The library reads the variable when it is loaded,
 * from the process and not from a worker thread's copy, so this is called before the first thread that loads it is started.
 */
export const forbidOnnxTelemetry = (): void => {
  // oxlint-disable-next-line node/no-process-env -- it is the library that reads it
  process.env["ORT_DISABLE_TELEMETRY"] = "1";
};
