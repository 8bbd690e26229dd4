import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** What a carrier's server answers; `lost` takes the request and breaks the connection. */
export type StandInAnswer =
  | Readonly<{ status: number; body: string; headers?: Readonly<Record<string, string>> }>
  | "lost";

export type StandInRequest = Readonly<{ method: string; url: string; headers: Record<string, unknown>; body: string }>;

/** A server in a carrier's place that answers as it is told, and remembers what it was asked. */
export class CarrierStandIn {
  readonly requests: StandInRequest[] = [];
  /** Answers to come, in order; the last one stands for all that follow. */
  answers: StandInAnswer[] = [{ status: 500, body: "" }];
  readonly #server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      this.requests.push({ method, url, headers, body: Buffer.concat(parts).toString("utf8") });
      const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
      if (answer === undefined || answer === "lost") request.socket.destroy();
      else
        response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers }).end(answer.body);
    });
  });

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** From here on nobody is at its address. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}
