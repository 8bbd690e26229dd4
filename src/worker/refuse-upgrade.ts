import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** Answers an upgrade request with a problem instead of a websocket. */
export const refuseUpgrade = (
  socket: Duplex,
  problem: Readonly<{ status: 401 | 403 | 404 | 503; code: string; detail: string }>,
): void => {
  const { status, code, detail } = problem;
  const title = STATUS_CODES[status] ?? "";
  const body = JSON.stringify({ type: "about:blank", title, status, detail, code });
  socket.once("finish", () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${status} ${title}`,
      "Connection: close",
      "Content-Type: application/problem+json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...(status === 401 ? ['WWW-Authenticate: Bearer realm="call-engine"'] : []),
      ...(status === 503 ? ["Retry-After: 1"] : []),
      "",
      body,
    ].join("\r\n"),
  );
};
