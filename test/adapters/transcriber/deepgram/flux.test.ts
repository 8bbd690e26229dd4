import flux from "../../../../src/adapters/transcriber/deepgram/flux.ts";
import { vendorTranscriberContract } from "../../../contract/vendor-transcriber.contract.ts";
import { serveFlux } from "../../../kit/vendors/deepgram-vendors.ts";

vendorTranscriberContract({
  descriptor: flux,
  serve: serveFlux,
  env: (url, key) => ({ DEEPGRAM_API_KEY: key, DEEPGRAM_BASE_URL: url }),
  english: "",
});
