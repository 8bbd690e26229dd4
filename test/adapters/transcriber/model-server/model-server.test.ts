import modelServer from "../../../../src/adapters/transcriber/model-server/model-server.ts";
import { vendorTranscriberContract } from "../../../contract/vendor-transcriber.contract.ts";
import { serveModelVendor } from "../../../kit/vendors/model-vendor.ts";

vendorTranscriberContract({
  descriptor: modelServer,
  serve: serveModelVendor,
  env: (url, key) => ({ MODEL_SERVER_URL: url, MODEL_SERVER_TOKEN: key }),
  english: "en-US",
  described: true,
});
