import { toError } from "../kit/errors.ts";
import type { CreateDial } from "../model/dial.ts";
import { accountOf, type PhoneNumber } from "../model/phone-number.ts";
import { sleep, type Clock } from "../ports/clock.ts";
import type { LiveState } from "../ports/live.ts";
import type { Logger } from "../ports/logger.ts";
import type { Metrics } from "../ports/metrics.ts";
import { type DialQueue, jobIdFor } from "../ports/queue.ts";
import type { Random } from "../ports/random.ts";
import type { DialReferences, DialStore } from "../ports/store.ts";
import { checkInputs } from "./check-inputs.ts";
import { whyNotCallable } from "./customer-url.ts";
import { checkDestination, checkE164, countryOf } from "./destination.ts";
import type { DialTokens } from "./dial-token.ts";
import type { Engines } from "./engines.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { chooseExtractor, chooseFunctions, chooseIvrPrompt, choosePrompt, namesIn } from "./dial-references.ts";
import { planCall } from "./plan-call.ts";
import type { DialTraces } from "./dial-traces.ts";
import { Refusal } from "./refusal.ts";

/** What this deployment lets its customers do. */
export type DialPolicy = Readonly<{
  /** The carrier of each configured account, by the account's id. */
  carriers: ReadonlyMap<string, string>;
  /** Numbers that a carrier keeps for itself, such as those of a simulated one: they reach nobody, so no country applies. */
  isExempt(number: string, carrier: string): boolean;
  /** Whether webhooks may lead into private networks. */
  allowPrivateNetwork: boolean;
}>;

export type CreateDialDeps = Readonly<{
  dials: Pick<DialStore, "create" | "findReferences">;
  queue: Pick<DialQueue, "add">;
  /** The worker of a process that is the only one: answers whether it takes a new dial up at once, which then needs no job. */
  offer?: ((dial: NewlyMade) => boolean) | undefined;
  live: Pick<LiveState, "publish">;
  metrics: Pick<Metrics, "dialCreated">;
  logger: Logger;
  clock: Clock;
  random: Random;
  tokens: DialTokens;
  engines: Engines;
  policy: DialPolicy;
  traces?: DialTraces | undefined;
}>;

/** A dial that waits for its worker since this moment. */
export type NewlyMade = Readonly<{ dialId: string; workspaceId: string }>;

export type CreateDialRequest = Readonly<{
  workspaceId: string;
  body: CreateDial;
  idempotencyKey?: string | undefined;
  /** The agents that the requester may dial, from a browser only; absent for who may do everything. */
  onlyAgents?: readonly string[] | undefined;
}>;

export type CreatedDialResult = Readonly<{
  dialId: string;
  sessionId: string;
  dialToken: string;
  /** The same request had been granted before; nothing new was made. */
  replayed: boolean;
}>;

/**
 * Makes a dial and asks for a worker. The queue is not waited for: a dial whose wake-up is lost is found by the reaper.
 *
 * @throws {Refusal} when the request cannot be granted.
 */
export const createDial = async (deps: CreateDialDeps, request: CreateDialRequest): Promise<CreatedDialResult> => {
  const { workspaceId, body } = request;
  const askedAtMs = deps.clock.now();
  checkPermission(request);
  const read = await deps.dials.findReferences(workspaceId, namesIn(body, request.idempotencyKey));
  const earlier = await answerEarlier(deps, read, body);
  if (earlier !== undefined) return earlier;
  const { agent } = read;
  if (agent === undefined) throw new Refusal("agent_not_found", "There is no agent with this id.");
  checkReferencesThatNeedNoStore(deps.policy, body);
  const ivrPrompt = chooseIvrPrompt(read, body);
  const prompt = choosePrompt(read, agent, body);
  const numbers = checkNumbers(deps.policy, read, body);
  const functions = chooseFunctions(read, agent, prompt.value);
  const extractor = chooseExtractor(read, agent, body);
  const plan = planCall({
    dialId: deps.random.id(),
    workspaceId,
    agent,
    prompt: prompt.value,
    ivrPrompt,
    functions: functions.value,
    extractor: extractor.value,
    ...numbers,
    request: body,
    engines: deps.engines,
    now: deps.clock.now(),
    warnings: [...prompt.warnings, ...functions.warnings, ...extractor.warnings],
  });
  const jobId = jobIdFor(plan.dialId, deps.random);
  const outcome = await deps.dials.create({
    plan,
    sessionId: deps.random.id(),
    ...(plan.direction === "browser" ? {} : { jobId }),
    ...(typeof body.webhookUrl === "string" ? { webhookUrl: body.webhookUrl } : {}),
    ...(request.idempotencyKey === undefined
      ? {}
      : { idempotency: { key: request.idempotencyKey, fingerprint: fingerprintOf(body) } }),
  });
  if (outcome.type === "key-reused") throw keyReused();
  const { dialId, sessionId } = outcome;
  if (outcome.type === "created") {
    deps.logger.info("a dial was created", { dialId, direction: plan.direction });
    deps.metrics.dialCreated(plan.direction);
    deps.traces?.created(plan, askedAtMs);
    deps.live.publish(dialId, { type: "status", status: "queued", systemResultType: null });
    // A browser's dial waits for its visitor, not for a worker.
    if (plan.direction !== "browser" && deps.offer?.({ dialId, workspaceId }) !== true)
      void enqueue(deps, dialId, jobId);
  }
  const dialToken = deps.tokens.mint(dialId, plan.maxDurationMs);
  return { dialId, sessionId, dialToken, replayed: outcome.type === "replayed" };
};

/**
 * The answer to a request that was granted before, though the agent may be gone by now. Twins that come while the first one is
 * under way find nothing here, and meet in the store.
 */
const answerEarlier = async (
  { tokens }: CreateDialDeps,
  { earlier }: DialReferences,
  body: CreateDial,
): Promise<CreatedDialResult | undefined> => {
  if (earlier === undefined) return undefined;
  const { dialId, sessionId, fingerprint, maxDurationMs } = earlier;
  if (fingerprint !== fingerprintOf(body)) throw keyReused();
  return { dialId, sessionId, dialToken: tokens.mint(dialId, maxDurationMs), replayed: true };
};

const keyReused = (): Refusal =>
  new Refusal("idempotency_key_reused", "This Idempotency-Key was used for another body. Send a new key.");

const checkPermission = ({ onlyAgents, body }: CreateDialRequest): void => {
  if (onlyAgents === undefined) return;
  if (body.browserCall !== true)
    throw new Refusal("forbidden", "Public keys may only create browser dials. Use a secret key.");
  if (!onlyAgents.includes(body.callAgentId))
    throw new Refusal("forbidden", "This public key may not dial this agent; its allowedAgentIds name those it may.");
};

const checkReferencesThatNeedNoStore = (policy: DialPolicy, body: CreateDial): void => {
  checkInputs(body.callAgentInput ?? {});
  if (typeof body.webhookUrl === "string") {
    const why = whyNotCallable(body.webhookUrl, policy.allowPrivateNetwork);
    if (why !== undefined) throw new Refusal("webhook_url_not_allowed", `webhookUrl ${why}.`, "/webhookUrl");
  }
};

const checkNumbers = (
  policy: DialPolicy,
  { from, ownNumbers, doNotCall }: DialReferences,
  body: CreateDial,
): Readonly<{ from?: PhoneNumber; toNumber?: string }> => {
  const { toNumber, fromNumberId } = body;
  if (body.browserCall === true) return {};
  for (const [field, value] of Object.entries({ toNumber, fromNumberId }))
    if (typeof value !== "string") throw new Refusal("number_required", `A phone dial needs ${field}.`, `/${field}`);
  if (from === undefined)
    throw new Refusal("unknown_from_number", "There is no phone number with this id.", "/fromNumberId");
  const carrier = accountOf(from);
  if (carrier === undefined || !policy.carriers.has(carrier))
    throw new Refusal("carrier_not_configured", "The carrier of this number is not configured here.", "/fromNumberId");
  const number = toNumber ?? "";
  if (doNotCall) throw new Refusal("do_not_call", "This number is on the workspace's do-not-call list.", "/toNumber");
  if (policy.isExempt(number, carrier)) return { from, toNumber: checkE164(number) };
  const countries = new Set(ownNumbers.map(countryOf).filter((country) => country !== undefined));
  return { from, toNumber: checkDestination(number, { countries }) };
};

/** A queue that was just away has its next connection within two seconds; the reaper takes up to ten to see a dial without a job. */
const AGAIN_AFTER_MS = [500, 1_500] as const;

/** A job that arrives twice is one, since both have one id. */
const enqueue = async (deps: CreateDialDeps, dialId: string, jobId: string): Promise<void> => {
  for (const pause of [...AGAIN_AFTER_MS, undefined]) {
    try {
      await deps.queue.add(dialId, jobId);
      return;
    } catch (error) {
      if (pause === undefined)
        deps.logger.warn("no worker was woken for a dial; the reaper will ask again", {
          dialId,
          error: toError(error),
        });
      else await sleep(deps.clock, pause);
    }
  }
};
