import nova from "../../../../src/adapters/transcriber/deepgram/nova.ts";
import { vendorTranscriberContract } from "../../../contract/vendor-transcriber.contract.ts";
import { serveNova } from "../../../kit/vendors/deepgram-vendors.ts";

vendorTranscriberContract({
  descriptor: nova,
  serve: serveNova,
  env: (url, key) => ({ DEEPGRAM_API_KEY: key, DEEPGRAM_BASE_URL: url }),
  english: "en-US",
});
