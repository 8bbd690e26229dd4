import { ServerCredentials, status, type Server } from "@grpc/grpc-js";
import type { ScriptedVendor, VendorRecord } from "./scripted-vendor.ts";

/** What a refusal by HTTP's status is over gRPC. */
export const CODE_OF = {
  401: status.UNAUTHENTICATED,
  429: status.RESOURCE_EXHAUSTED,
  500: status.INTERNAL,
  503: status.UNAVAILABLE,
} as const;

/** Puts a vendor's services on a free port of loopback. */
export const startVendor = async (server: Server, scheme: string, record: VendorRecord): Promise<ScriptedVendor> => {
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    record,
    close: () => {
      server.forceShutdown();
      return Promise.resolve();
    },
  };
};
