import openai from "../../../../src/adapters/transcriber/openai/openai.ts";
import { vendorTranscriberContract } from "../../../contract/vendor-transcriber.contract.ts";
import { serveRealtime } from "../../../kit/vendors/openai-vendor.ts";

vendorTranscriberContract({
  descriptor: openai,
  serve: serveRealtime,
  env: (url, key) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: url }),
  english: "en",
});
