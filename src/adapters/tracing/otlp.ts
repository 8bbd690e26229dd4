import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type HrTime,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type IdGenerator,
  type ReadableSpan,
  type SpanExporter,
} from "@opentelemetry/sdk-trace";
import { spanIdOf, traceIdOf } from "../../kit/trace-id.ts";
import { withDeadline, type Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Random } from "../../ports/random.ts";
import { DIAL_SPAN, type Span, type SpanAttributes, type Tracer } from "../../ports/tracer.ts";

export type OtlpTracerOptions = Readonly<{
  /** Where traces are sent by POST, such as `http://collector:4318/v1/traces`. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** What is told of this process with every trace, such as `service.name`. */
  resource: Readonly<Record<string, string>>;
  /** Share of the dials that are traced, 0 to 1; all processes choose the same ones. */
  ratio: number;
  clock: Clock;
  random: Random;
  logger: Logger;
}>;

/** How long the last spans may take to leave when the process stops, in milliseconds. */
const CLOSE_MS = 3_000;

/** A collector may take this long for one batch, in milliseconds, attempts included. */
const EXPORT_MS = 10_000;

/** While the collector is away this is said once in a minute. */
const SAY_AGAIN_MS = 60_000;

/** Sends spans in batches, by OTLP over HTTP with JSON. 2048 may wait; what comes on top, and what nobody takes, is dropped. */
export class OtlpTracer implements Tracer {
  readonly #options: OtlpTracerOptions;
  readonly #ids: GivenIds;
  readonly #provider: TracerProvider;
  readonly #sampler: TraceIdRatioBasedSampler;

  constructor(options: OtlpTracerOptions) {
    this.#options = options;
    this.#ids = new GivenIds(options.random);
    this.#sampler = new TraceIdRatioBasedSampler(options.ratio);
    const exporter = new OTLPTraceExporter({
      url: options.url,
      headers: { ...options.headers },
      timeoutMillis: EXPORT_MS,
      // Batches come seconds apart: a connection that is kept would only be cut by what stands between.
      httpAgentOptions: { keepAlive: false },
    });
    this.#provider = new TracerProvider({
      idGenerator: this.#ids,
      sampler: this.#sampler,
      resource: defaultResource().merge(resourceFromAttributes({ ...options.resource })),
      spanProcessors: [new BatchSpanProcessor({ exporter: telling(exporter, options) })],
    });
  }

  span(span: Span): void {
    const { dialId, name, key, fromMs } = span;
    const traceId = traceIdOf(dialId);
    this.#ids.next = { traceId, spanId: key === undefined ? undefined : spanIdOf(dialId, key) };
    const started = this.#provider
      .getTracer("call-engine")
      .startSpan(
        name,
        { kind: KINDS[span.kind ?? "internal"], startTime: timeOf(fromMs), attributes: attributesOf(dialId, span) },
        key === DIAL_SPAN ? ROOT_CONTEXT : this.#below(traceId, spanIdOf(dialId, span.under ?? DIAL_SPAN)),
      );
    if (span.failed === true) started.setStatus({ code: SpanStatusCode.ERROR });
    started.end(timeOf(Math.max(fromMs, span.untilMs)));
  }

  traceparent(dialId: string, key: string): string {
    const traceId = traceIdOf(dialId);
    return `00-${traceId}-${spanIdOf(dialId, key)}-${this.#isChosen(traceId) ? "01" : "00"}`;
  }

  /** Hands on what waits, for three seconds at most. */
  async close(): Promise<void> {
    const { clock, logger } = this.#options;
    try {
      await withDeadline(clock, CLOSE_MS, "sending the last traces", this.#provider.shutdown());
    } catch {
      logger.warn("the last traces were not sent");
    }
  }

  #below(traceId: string, spanId: string): Context {
    const traceFlags = this.#isChosen(traceId) ? TraceFlags.SAMPLED : TraceFlags.NONE;
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
  }

  #isChosen(traceId: string): boolean {
    return this.#sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
  }
}

/** Ids that are decided elsewhere, each used by the one span that is begun next. */
class GivenIds implements IdGenerator {
  next: Readonly<{ traceId: string; spanId: string | undefined }> = { traceId: "", spanId: undefined };
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  generateTraceId(): string {
    return this.next.traceId;
  }

  generateSpanId(): string {
    return this.next.spanId ?? Buffer.from(this.#random.secret(8), "base64url").toString("hex");
  }
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/** A bare number would be taken for milliseconds since the process began. */
const timeOf = (ms: number): HrTime => {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
};

/** Under which name each is sent; what is not listed here is not sent. */
const NAMES: Readonly<Record<keyof SpanAttributes, string>> = {
  workspaceId: "call_engine.workspace.id",
  agentId: "call_engine.agent.id",
  direction: "call_engine.direction",
  carrier: "call_engine.carrier",
  functionId: "call_engine.function.id",
  event: "call_engine.event",
  outcome: "call_engine.outcome",
  reason: "call_engine.reason",
  result: "call_engine.result",
  endedBy: "call_engine.ended_by",
  status: "http.response.status_code",
  step: "call_engine.step",
  turn: "call_engine.turn",
  interrupted: "call_engine.interrupted",
  speculative: "call_engine.speculative",
  engine: "call_engine.engine",
  part: "call_engine.part",
  insteadOf: "call_engine.instead_of",
};

const attributesOf = (dialId: string, { attributes = {} }: Span): Attributes => {
  const sent: Attributes = { "call_engine.dial.id": dialId };
  for (const [name, value] of Object.entries(attributes)) {
    const known = Object.hasOwn(NAMES, name) ? NAMES[name as keyof SpanAttributes] : undefined;
    if (known !== undefined) sent[known] = value;
  }
  return sent;
};

/** An exporter whose failures are logged, now and then, without what the collector said. */
const telling = (exporter: OTLPTraceExporter, { clock, logger }: OtlpTracerOptions): SpanExporter => {
  let saidAt = Number.NEGATIVE_INFINITY;
  let lost = 0;
  return {
    export(spans: ReadableSpan[], done) {
      exporter.export(spans, (result) => {
        if (result.error !== undefined) {
          lost += spans.length;
          if (clock.monotonic() - saidAt >= SAY_AGAIN_MS) {
            logger.warn("traces were not taken by their collector and are dropped", {
              count: lost,
              reason: result.error.name,
            });
            saidAt = clock.monotonic();
            lost = 0;
          }
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
};
