import assemblyai from "../../../../src/adapters/transcriber/assemblyai/assemblyai.ts";
import { vendorTranscriberContract } from "../../../contract/vendor-transcriber.contract.ts";
import { serveAssembly } from "../../../kit/vendors/assemblyai-vendor.ts";

vendorTranscriberContract({
  descriptor: assemblyai,
  serve: serveAssembly,
  env: (url, key) => ({ ASSEMBLYAI_API_KEY: key, ASSEMBLYAI_BASE_URL: url }),
  english: "en",
});
