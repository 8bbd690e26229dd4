import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";

/** A websocket server that does what a test says with each connection. */
export type PlainSocket = Readonly<{ url: string; asked: URL[]; close(): Promise<void> }>;

export const servePlainly = async (
  connected: (socket: WebSocket, request: IncomingMessage) => void,
  options: Readonly<{ autoPong?: boolean }> = {},
): Promise<PlainSocket> => {
  const asked: URL[] = [];
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", ...options });
  await new Promise((resolve) => server.on("listening", resolve));
  server.on("connection", (socket, request) => {
    asked.push(new URL(request.url ?? "/", "http://loopback"));
    connected(socket, request);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
