import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Clock, Timer } from "../ports/clock.ts";

/** Event streams end at once and no handler takes longer than its store's deadlines; who reads this slowly is not waited for. */
const LONGEST_MS = 10_000;

/**
 * Lets `close` end as soon as all requests are answered. By itself it closes connections that have been used and are idle, and waits for
 * those on which nothing was ever asked, such as the spare ones that clients and balancers keep open, for as long as they like. Whatever
 * is still open after ten seconds is cut.
 */
export const closeConnections = (app: FastifyInstance, clock: Clock): void => {
  const unused = new Set<Socket>();
  let closing = false;
  let limit: Timer | undefined;
  app.server.on("connection", (socket: Socket) => {
    if (closing) socket.destroy();
    else unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  for (const event of ["request", "upgrade"])
    app.server.on(event, ({ socket }: { socket: Socket }) => {
      unused.delete(socket);
    });
  app.addHook("preClose", async () => {
    closing = true;
    for (const socket of unused) socket.destroy();
    limit = clock.setTimer(LONGEST_MS, () => {
      app.server.closeAllConnections();
    });
  });
  app.addHook("onClose", async () => {
    limit?.cancel();
  });
};
