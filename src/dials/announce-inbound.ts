import { Type, type Static } from "typebox";
import { Value } from "typebox/value";
import type { Clock } from "../ports/clock.ts";
import type { HttpCaller } from "../ports/http-caller.ts";
import type { Logger } from "../ports/logger.ts";
import type { Outbox } from "../ports/outbox.ts";
import type { Random } from "../ports/random.ts";
import { webhookHeaders } from "./sign-webhook.ts";

export type AnnounceDeps = Readonly<{
  http: Pick<HttpCaller, "post">;
  outbox: Pick<Outbox, "secret">;
  clock: Clock;
  random: Pick<Random, "id">;
  logger: Logger;
}>;

/** A call that is about to be answered. */
export type InboundNews = Readonly<{
  workspaceId: string;
  url: string;
  dialId: string;
  sessionId: string;
  numberId: string;
  agentId: string;
  /** Who rings, as the carrier says. */
  from: string;
}>;

/** What a customer may say to a call before it is answered. */
export type InboundWishes = Readonly<{ callAgentInput?: Record<string, unknown>; keywords?: string[] }>;

/** The caller hears it ring meanwhile; who has not answered by then is not waited for, in milliseconds. */
export const INBOUND_REPLY_MS = 3_000;

const MAX_REPLY_BYTES = 262_144;

/** Fields that are not ours are left alone, because the answer may be made for others too. */
const ReplySchema = Type.Object({
  call_agent_input: Type.Optional(Type.Union([Type.Null(), Type.Record(Type.String(), Type.Unknown())])),
  keywords: Type.Optional(
    Type.Union([Type.Null(), Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 })]),
  ),
});

/** Tells a customer of an inbound call and takes what they say to it. Never rejects: whatever goes wrong, the call goes on without. */
export const announceInbound = async (deps: AnnounceDeps, news: InboundNews): Promise<InboundWishes> => {
  const { dialId } = news;
  try {
    const answer = await deps.http.post(await requestOf(deps, news), new AbortController().signal);
    if (answer.type === "answered" && answer.status < 300 && answer.body.length > 0) return wishesIn(answer.body);
    deps.logger.info("an inbound call goes on without a reply", { dialId, outcome: answer.type });
  } catch {
    // What a parser says of a body may quote from it.
    deps.logger.warn("the reply to an inbound call cannot be read, and it goes on without", { dialId });
  }
  return {};
};

const requestOf = async ({ clock, outbox, random }: AnnounceDeps, news: InboundNews) => {
  const id = random.id();
  const body = JSON.stringify({
    event: "dial.inbound",
    payload: {
      dial_session_id: news.sessionId,
      dial_id: news.dialId,
      dest_number_id: news.numberId,
      call_agent_id: news.agentId,
      source_number: news.from,
    },
    id,
    created_at: new Date(clock.now()).toISOString(),
    // Before all that happens to the dial.
    sequence: 0,
  });
  const { secret } = await outbox.secret(news.workspaceId);
  const timestamp = Math.floor(clock.now() / 1000);
  return {
    url: news.url,
    headers: {
      "content-type": "application/json",
      "user-agent": "call-engine",
      ...webhookHeaders({ id, timestamp, body, secrets: [secret] }),
    },
    body,
    timeoutMs: INBOUND_REPLY_MS,
    maxBytes: MAX_REPLY_BYTES,
  };
};

const wishesIn = (body: Uint8Array): InboundWishes => {
  const said: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
  if (!Value.Check(ReplySchema, said)) throw new Error("the reply has another form");
  const { call_agent_input: callAgentInput, keywords }: Static<typeof ReplySchema> = said;
  return { ...(callAgentInput ? { callAgentInput } : {}), ...(keywords ? { keywords } : {}) };
};
