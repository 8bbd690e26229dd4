import google from "../../../../src/adapters/transcriber/google/google.ts";
import { vendorTranscriberContract } from "../../../contract/vendor-transcriber.contract.ts";
import { serveGoogle } from "../../../kit/vendors/google-vendor.ts";

vendorTranscriberContract({
  descriptor: google,
  serve: serveGoogle,
  env: (url, key) => ({
    GOOGLE_SPEECH_PROJECT: "a-project",
    GOOGLE_SPEECH_API_KEY: key,
    GOOGLE_SPEECH_BASE_URL: url,
  }),
  english: "en-US",
  perStretch: true,
});
