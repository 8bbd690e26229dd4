import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

const listening = async (port: number) => {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
};

/** The first of so many ports in a row on loopback that nobody has; who else looks at the same time may find the same ones. */
export const portsInARow = async (count: number): Promise<number> => {
  for (;;) {
    const first = await listening(0);
    const { port } = first.address() as AddressInfo;
    const rest = Array.from({ length: count - 1 }, (_, index) => listening(port + 1 + index));
    const others = await Promise.allSettled(rest);
    first.close();
    for (const other of others) if (other.status === "fulfilled") other.value.close();
    if (others.every(({ status }) => status === "fulfilled")) return port;
  }
};
