import { toError } from "../kit/errors.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { CreateDial } from "../model/dial.ts";
import type { InboundCall } from "../ports/carrier.ts";
import type { LiveState } from "../ports/live.ts";
import type { Metrics } from "../ports/metrics.ts";
import { jobIdFor, type DialQueue } from "../ports/queue.ts";
import type { Random } from "../ports/random.ts";
import type { AnsweringNumber, DialReferences, DialStore } from "../ports/store.ts";
import { announceInbound, type AnnounceDeps, type InboundWishes } from "./announce-inbound.ts";
import { checkInputs } from "./check-inputs.ts";
import { chooseExtractor, chooseFunctions, choosePrompt, namesIn } from "./dial-references.ts";
import type { DialTraces } from "./dial-traces.ts";
import type { Engines } from "./engines.ts";
import { planCall } from "./plan-call.ts";
import { Refusal } from "./refusal.ts";

export type InboundDialDeps = Omit<AnnounceDeps, "random"> &
  Readonly<{
    dials: Pick<DialStore, "findReferences" | "create" | "revise" | "enqueued">;
    live: Pick<LiveState, "publish">;
    queue: Pick<DialQueue, "add">;
    metrics: Pick<Metrics, "dialCreated">;
    random: Random;
    engines: Engines;
    traces?: DialTraces | undefined;
  }>;

/** Somebody who rings, and the number that they ring. */
export type Arrival = Readonly<{ account: string; call: InboundCall; answering: AnsweringNumber }>;

/**
 * The dial of an inbound call, made unless the same call has one. `undefined` when the number has no agent that could hold a call; the
 * log says why. The customer is told before any worker is, and has three seconds to give the call its inputs.
 */
export const inboundDial = async (deps: InboundDialDeps, arrival: Arrival): Promise<string | undefined> => {
  const { workspaceId, number } = arrival.answering;
  const rangAtMs = deps.clock.now();
  const key = `inbound:${arrival.account}:${arrival.call.callId}`;
  if (number.agentId === undefined) return undefined;
  const request: CreateDial = { callAgentId: number.agentId };
  const read = await deps.dials.findReferences(workspaceId, namesIn(request, key));
  if (read.earlier !== undefined) return read.earlier.dialId;
  const dialId = deps.random.id();
  const sessionId = deps.random.id();
  const plan = planFor(deps, arrival, read, request, dialId);
  if (plan === undefined) return undefined;
  const outcome = await deps.dials.create({
    plan,
    sessionId,
    ...(number.webhookUrl === undefined ? {} : { webhookUrl: number.webhookUrl }),
    idempotency: { key, fingerprint: "inbound" },
  });
  if (outcome.type === "key-reused") return undefined;
  if (outcome.type === "replayed") return outcome.dialId;
  deps.logger.info("a dial was created", { dialId, direction: plan.direction });
  deps.metrics.dialCreated(plan.direction);
  deps.traces?.created(plan, rangAtMs);
  deps.live.publish(dialId, { type: "status", status: "queued", systemResultType: null });
  const wishes = await wishesFor(deps, arrival, { dialId, sessionId, agentId: number.agentId });
  const revised = planFor(deps, arrival, read, { ...request, ...wishes }, dialId);
  if (revised !== undefined) await deps.dials.revise(revised);
  await wake(deps, dialId);
  return dialId;
};

const wishesFor = async (
  deps: InboundDialDeps,
  { answering: { workspaceId, number }, call }: Arrival,
  dial: Readonly<{ dialId: string; sessionId: string; agentId: string }>,
): Promise<InboundWishes> => {
  const { webhookUrl: url } = number;
  if (url === undefined) return {};
  const wishes = await announceInbound(deps, { workspaceId, url, ...dial, numberId: number.id, from: call.from });
  try {
    checkInputs(wishes.callAgentInput ?? {});
    return wishes;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    deps.logger.warn("the inputs for an inbound call are too long, and it goes on without", { dialId: dial.dialId });
    return {};
  }
};

const planFor = (
  deps: InboundDialDeps,
  { account, call, answering: { workspaceId, number } }: Arrival,
  read: DialReferences,
  request: CreateDial,
  dialId: string,
): CallPlan | undefined => {
  const { agent } = read;
  try {
    if (agent === undefined) throw new Refusal("unknown_agent", "The number's agent does not exist.");
    const prompt = choosePrompt(read, agent, request);
    const functions = chooseFunctions(read, agent, prompt.value);
    const extractor = chooseExtractor(read, agent, request);
    return planCall({
      dialId,
      workspaceId,
      agent,
      prompt: prompt.value,
      functions: functions.value,
      extractor: extractor.value,
      inbound: { account, callId: call.callId, from: call.from, to: number.number },
      request,
      engines: deps.engines,
      warnings: [...prompt.warnings, ...functions.warnings, ...extractor.warnings],
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    deps.logger.warn("a number's agent cannot answer", { workspaceId, code: error.code });
    return undefined;
  }
};

const wake = async ({ dials, logger, queue, random }: InboundDialDeps, dialId: string): Promise<void> => {
  try {
    const jobId = jobIdFor(dialId, random);
    await dials.enqueued(dialId, jobId);
    await queue.add(dialId, jobId, "front");
  } catch (error) {
    logger.warn("no worker was woken for a dial; the reaper will ask again", { dialId, error: toError(error) });
  }
};
