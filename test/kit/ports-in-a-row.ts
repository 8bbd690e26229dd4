import { once } from "node:events";
import { createServer } from "node:net";

/** Above what services have, and below what systems give to connections and to whoever asks for any port: Linux begins those at 32768. */
const LOWEST = 16_384;
const PLACES = 16_000;

const listening = async (port: number) => {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
};

/** The first of so many ports in a row on loopback that nobody has; processes begin to look at different ones. */
export const portsInARow = async (count: number): Promise<number> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = LOWEST + ((process.pid * 31 + tries * count) % PLACES);
    const row = Array.from({ length: count }, (_, index) => listening(port + index));
    const found = await Promise.allSettled(row);
    for (const one of found) if (one.status === "fulfilled") one.value.close();
    if (found.every(({ status }) => status === "fulfilled")) return port;
  }
  throw new Error(`nowhere are ${count} ports in a row free`);
};
