import { connect } from "node:net";

/** A response as it came over the wire. */
export type RawResponse = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

/**
 * Sends bytes to a server on loopback, reads until it closes, and answers the first response; `undefined` when there was none.
 * The request must ask for `Connection: close`, or be one after which the server closes by itself.
 */
export const rawRequest = (port: number, bytes: string | Uint8Array): Promise<RawResponse | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: "127.0.0.1" });
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", (error: Error & { code?: string }) => {
      // A server that refuses early may close while we still write.
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
    });
    socket.on("close", () => {
      resolve(parse(Buffer.concat(chunks).toString("latin1")));
    });
    socket.end(bytes);
  });

const parse = (text: string): RawResponse | undefined => {
  const split = text.indexOf("\r\n\r\n");
  if (split === -1) return undefined;
  const [first = "", ...lines] = text.slice(0, split).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(first.split(" ")[1]), headers, body: text.slice(split + 4) };
};
