import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { acceptMediaLine, type MediaLineDeps } from "../../adapters/carrier/streaming/media-line.ts";
import { TwilioDialect } from "../../adapters/carrier/twilio/stream-dialect.ts";
import { decodeSamples, encodeSamples } from "../../audio/convert.ts";
import { toError } from "../../kit/errors.ts";
import { WsMediaSocket } from "../../worker/ws-media-socket.ts";

const HANDSHAKE_MS = 3_000;

/**
 * Sends every frame of a media socket back at once: read, put in order, decoded, encoded and written by what does so in calls, with
 * no call behind it. The other end keeps the pace. Never rejects; a socket that does not begin as a call does is closed.
 */
export const echoLine = async (ws: WebSocket, connection: Duplex, deps: MediaLineDeps): Promise<void> => {
  const socket = new WsMediaSocket(ws, connection);
  const patience = new AbortController();
  const timer = deps.clock.setTimer(HANDSHAKE_MS, () => patience.abort());
  try {
    const line = await acceptMediaLine(socket, new TwilioDialect(), deps, patience.signal);
    const { encoding } = line.format;
    line.listen({
      frame: ({ payload }) => line.send(encodeSamples(encoding, decodeSamples(encoding, payload))),
      digit: ignore,
      mark: ignore,
      gone: ignore,
    });
  } catch (error) {
    deps.logger.warn("an echo did not begin", { error: toError(error) });
  } finally {
    timer.cancel();
  }
};

const ignore = (): void => undefined;
