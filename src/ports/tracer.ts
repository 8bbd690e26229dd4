/** What a span may tell: ids, counts and words of a small set. Never numbers of people, text that was said, addresses or keys. */
export type SpanAttributes = Readonly<
  Partial<{
    workspaceId: string;
    agentId: string;
    direction: string;
    carrier: string;
    functionId: string;
    event: string;
    outcome: string;
    reason: string;
    result: string;
    endedBy: string;
    status: number;
    step: number;
    turn: number;
    interrupted: boolean;
    speculative: boolean;
    engine: string;
    part: string;
    insteadOf: string;
  }>
>;

/** A stretch of work on a dial, told when it is over. Times are in milliseconds since 1970, with fractions. */
export type Span = Readonly<{
  dialId: string;
  /** One of few names, such as `turn`. */
  name: string;
  /** Names the span within its dial, so that others can lie below it, also before it is over; absent: none does. */
  key?: string;
  /** Key of the span that it is part of; absent: {@link DIAL_SPAN}. */
  under?: string;
  /** Whether it serves somebody's request, or makes one; absent: neither. */
  kind?: "server" | "client";
  fromMs: number;
  untilMs: number;
  failed?: boolean;
  attributes?: SpanAttributes;
}>;

/** Key of the first span of every dial, below which all others lie. */
export const DIAL_SPAN = "dial";

/** Takes spans and hands them to whoever keeps traces. Calls return at once and never throw; what cannot be handed on is dropped. */
export interface Tracer {
  span(span: Span): void;
  /** Value of the header `traceparent` (W3C Trace Context) for a request that the span `key` of a dial makes. */
  traceparent(dialId: string, key: string): string;
}
