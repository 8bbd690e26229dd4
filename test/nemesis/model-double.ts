import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answer } from "../adapters/language-model/completions-server.ts";

/** A language model that agrees with everything at once. */
export type ModelDouble = Readonly<{ url: string; close(): Promise<void> }>;

export const serveModel = async (): Promise<ModelDouble> => {
  const { chunks } = answer("All right.");
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const chunk of chunks) if (typeof chunk === "string") response.write(chunk);
      response.end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
