import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as a collector got it. Times are milliseconds since 1970. */
export type ReceivedSpan = Readonly<{
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: number;
  fromMs: number;
  untilMs: number;
  failed: boolean;
  attributes: Readonly<Record<string, unknown>>;
  resource: Readonly<Record<string, unknown>>;
}>;

type Attribute = Readonly<{ key: string; value: Readonly<Record<string, unknown>> }>;

type Export = Readonly<{
  resourceSpans: readonly Readonly<{
    resource: Readonly<{ attributes: readonly Attribute[] }>;
    scopeSpans: readonly Readonly<{ spans: readonly Wire[] }>[];
  }>[];
}>;

type Wire = Readonly<{
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status?: Readonly<{ code?: number }>;
  attributes: readonly Attribute[];
}>;

/** A collector on loopback that speaks OTLP over HTTP with JSON, and keeps what it got. */
export class TraceReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** Everything as it came, for whoever looks for what must not be in it. */
  text = "";
  readonly headers: Record<string, unknown>[] = [];
  /** The status that it answers with. */
  answer = 200;
  requests = 0;
  readonly #server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      this.requests += 1;
      this.headers.push(request.headers);
      const body = Buffer.concat(parts).toString();
      this.text += body;
      if (this.answer === 200) this.#take(JSON.parse(body) as Export);
      response.writeHead(this.answer, { "content-type": "application/json" }).end("{}");
      this.#server.emit("taken");
    });
  });

  static async start(): Promise<TraceReceiver> {
    const receiver = new TraceReceiver();
    receiver.#server.listen(0, "127.0.0.1");
    await once(receiver.#server, "listening");
    return receiver;
  }

  /** What `OTEL_EXPORTER_OTLP_ENDPOINT` is to be. */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves with the next export. */
  async taken(): Promise<void> {
    await once(this.#server, "taken");
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
  }

  #take({ resourceSpans }: Export): void {
    for (const { resource, scopeSpans } of resourceSpans)
      for (const { spans } of scopeSpans)
        for (const span of spans)
          this.spans.push({
            traceId: span.traceId,
            spanId: span.spanId,
            parentSpanId: span.parentSpanId,
            name: span.name,
            kind: span.kind,
            fromMs: Number(BigInt(span.startTimeUnixNano) / 1000n) / 1000,
            untilMs: Number(BigInt(span.endTimeUnixNano) / 1000n) / 1000,
            failed: span.status?.code === 2,
            attributes: valuesOf(span.attributes),
            resource: valuesOf(resource.attributes),
          });
  }
}

const valuesOf = (attributes: readonly Attribute[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
