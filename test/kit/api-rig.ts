import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyInstance, InjectOptions } from "fastify";
import { createServer } from "../../src/api/server.ts";
import type { ListeningCarrier, Readiness, ServerDeps } from "../../src/api/deps.ts";
import type { HttpCaller } from "../../src/ports/http-caller.ts";
import type { Engines } from "../../src/dials/engines.ts";
import type { LanguageModel } from "../../src/ports/language-model.ts";
import { outcomeOf, type CallEnd } from "../../src/model/call-end.ts";
import type { Voice } from "../../src/model/voice.ts";
import type { Carrier } from "../../src/ports/carrier.ts";
import type { LiveEvent } from "../../src/model/live-event.ts";
import type { CallCommand, LiveEntry, MediaTicket } from "../../src/ports/live.ts";
import type { LogFields, Logger } from "../../src/ports/logger.ts";
import type { Metrics } from "../../src/ports/metrics.ts";
import { NotConverted } from "../../src/ports/sound-converter.ts";
import { MemoryStore } from "./memory-store.ts";
import { SeededRandom } from "./seeded-random.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** The key that the rig's workspace `w1` was given; `w2` has one of its own. */
export const KEY = "sk_test_0123456789abcdefghij";
export const OTHER_KEY = "sk_other_0123456789abcdefghij";
export const PUBLIC_KEY = "pk_test_0123456789abcdefghij";

const voice = (id: string, more: Partial<Voice> = {}): Voice => ({
  id,
  name: `Voice ${id}`,
  voiceType: "local",
  voiceTier: "STANDARD",
  description: "A voice.",
  ...more,
});

export const ENGINES: Engines = {
  transcribers: [{ name: "local", supports: (language) => language.startsWith("en") }],
  knownTranscribers: ["deepgram", "openai", "local"],
  synthesizers: [
    {
      voices: [
        voice("anna", {
          voiceOptions: [
            { id: "speed", name: "Speed", valueType: "FLOAT", default: "1" },
            { id: "seed", name: "Seed", valueType: "INT", default: "0" },
          ],
        }),
        voice("bert", { voiceType: "other" }),
      ],
      supports: (language) => language.startsWith("en"),
    },
  ],
  models: [
    { id: "scripted", name: "Scripted", modelOptions: [] },
    {
      id: "tuned",
      name: "Tuned",
      modelOptions: [
        { id: "temperature", name: "Temperature", valueType: "FLOAT", default: "1" },
        { id: "seed", name: "Seed", valueType: "INT", default: "0" },
        { id: "style", name: "Style", valueType: "STRING", default: "" },
      ],
    },
  ],
};

/** Live state in memory: what was published, and what was commanded. */
class FakeLive {
  readonly published: Readonly<{ dialId: string; event: LiveEvent }>[] = [];
  readonly commands: Readonly<{ dialId: string; command: CallCommand }>[] = [];
  readonly forgotten: string[] = [];
  /** Whether somebody holds the calls that are commanded. */
  listening = true;
  readonly #waiting = new Set<() => void>();

  readonly tickets = new Map<string, MediaTicket>();

  async issueTicket(token: string, ticket: MediaTicket): Promise<void> {
    this.tickets.set(token, ticket);
  }

  publish(dialId: string, event: LiveEvent): void {
    this.published.push({ dialId, event });
    for (const wake of this.#waiting) wake();
  }

  async *follow(dialId: string, afterId: string | undefined, signal: AbortSignal): AsyncGenerator<LiveEntry> {
    let next = afterId === undefined ? 0 : Number(afterId);
    while (!signal.aborted) {
      const entry = this.published[next];
      if (entry === undefined) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            this.#waiting.delete(wake);
            signal.removeEventListener("abort", wake);
            resolve();
          };
          this.#waiting.add(wake);
          signal.addEventListener("abort", wake);
        });
        continue;
      }
      next += 1;
      if (entry.dialId !== dialId) continue;
      yield { id: String(next), event: entry.event };
      if (entry.event.type === "status" && entry.event.systemResultType !== null) return;
    }
  }

  get followers(): number {
    return this.#waiting.size;
  }

  async forget(dialId: string): Promise<void> {
    this.forgotten.push(dialId);
  }

  async command(dialId: string, command: CallCommand): Promise<boolean> {
    this.commands.push({ dialId, command });
    return this.listening;
  }

  async isHeard(_dialId: string): Promise<boolean> {
    return this.listening;
  }
}

/** Counts what was counted, and nothing else. */
const fakeMetrics = (seen: { created: string[]; ended: CallEnd[]; requests: string[] }): Metrics => {
  const nothing = () => undefined;
  return {
    dialCreated: (direction) => seen.created.push(direction),
    dialEnded: (end) => seen.ended.push(end),
    httpRequest: (method, route, status) => seen.requests.push(`${method} ${route} ${status}`),
    expose: async () => ({ contentType: "text/plain; version=0.0.4", body: "call_engine_up 1\n" }),
    callStarted: nothing,
    callEnded: nothing,
    stage: nothing,
    stageAdded: nothing,
    turnEnded: nothing,
    leasesLapsed: nothing,
    bargeIn: nothing,
    providerError: nothing,
    framesDropped: nothing,
    framesLate: nothing,
  };
};

const fakeLogger = (lines: string[]): Logger => {
  const write = (message: string, fields?: LogFields) =>
    lines.push(
      `${message} ${JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? value.stack : value))}`,
    );
  return { debug: write, info: write, warn: write, error: write, child: () => fakeLogger(lines) };
};

/** Stands in for a language model, and says so. */
const noModel: LanguageModel = {
  name: "scripted",
  scripted: true,
  models: [],
  async *generate() {
    yield { type: "done" };
  },
  close: async () => undefined,
};

/** `store` takes the place of the one in memory; whoever gives it has put agents, numbers and the key there. */
export type ApiRigOptions = Partial<
  Pick<ServerDeps, "engines" | "models" | "requestsPerSecond" | "corsOrigins" | "store" | "random" | "sounds" | "offer">
> &
  Readonly<{
    queue?: (dialId: string) => Promise<string>;
    allowPrivateNetwork?: boolean;
    accounts?: ReadonlyMap<string, string>;
  }>;

/** The API on a store in memory, with virtual time, and one agent that can be dialled. */
export class ApiRig {
  readonly clock = new VirtualClock();
  readonly random = new SeededRandom(7);
  readonly memory = new MemoryStore(this.clock);
  readonly live = new FakeLive();
  readonly seen = { created: [] as string[], ended: [] as CallEnd[], requests: [] as string[] };
  readonly log: string[] = [];
  /** The dials that jobs were made for, and the jobs' own ids. */
  readonly jobs: string[] = [];
  readonly jobIds: string[] = [];
  readonly reported: string[] = [];
  readonly sounds = new Map<string, Buffer>();
  recorderAway = false;
  /** Where sounds lie, if not here. */
  soundAddress: string | undefined;
  readiness: Readiness = { draining: false, notReady: [] };
  /** What the carrier `loopback` makes of a callback. */
  readCallback: Carrier["readCallback"] = () => undefined;
  /** The carrier `loopback` as the API sees it; a test gives it what it needs. */
  readonly carrier: { -readonly [Part in keyof ListeningCarrier]: ListeningCarrier[Part] } = {
    name: "loopback",
    readCallback: (id, request) => this.readCallback(id, request),
  };
  /** What customers' servers answer. */
  post: HttpCaller["post"] = async () => ({ type: "refused", why: "nobody is called here" });
  readonly app: FastifyInstance;
  readonly deps: ServerDeps;

  constructor(options: ApiRigOptions = {}) {
    this.deps = {
      store: options.store ?? this.memory.store,
      live: this.live,
      queue: {
        add: async (dialId, jobId = `job-${this.jobs.length}`) => {
          this.jobs.push(dialId);
          this.jobIds.push(jobId);
          return options.queue?.(dialId) ?? jobId;
        },
      },
      recorder: {
        remove: async (dialId) => {
          if (this.recorderAway) throw new Error("the recorder is away");
          for (const key of this.sounds.keys()) if (key.startsWith(`${dialId}/`)) this.sounds.delete(key);
        },
        read: async (dialId, recordingId) => {
          const sound = this.sounds.get(`${dialId}/${recordingId}`);
          return (
            sound && {
              contentType: "audio/wav",
              bytes: sound.length,
              ...(this.soundAddress === undefined ? {} : { address: this.soundAddress }),
              stream: (range) => Readable.from([sound.subarray(range?.start ?? 0, (range?.end ?? sound.length) + 1)]),
            }
          );
        },
      },
      offer: options.offer,
      sounds: options.sounds ?? {
        convert: async () => {
          throw new NotConverted("unreadable", "nothing is converted here");
        },
      },
      http: { post: (request, signal) => this.post(request, signal) },
      carriers: new Map([["loopback", this.carrier]]),
      engines: options.engines ?? ENGINES,
      models: options.models ?? (() => ({ model: noModel, modelId: "scripted" })),
      policy: {
        carriers: options.accounts ?? new Map([["loopback", "loopback"]]),
        isExempt: (number, carrier) => carrier === "loopback" && number.startsWith("+1202555"),
        allowPrivateNetwork: options.allowPrivateNetwork ?? false,
      },
      deploymentSecret: "a-deployment-secret-of-32-bytes-",
      publicUrl: () => "https://calls.test",
      onReport: (dialId) => {
        this.reported.push(dialId);
      },
      requestsPerSecond: options.requestsPerSecond ?? 1_000_000,
      corsOrigins: options.corsOrigins ?? [],
      readiness: () => this.readiness,
      clock: this.clock,
      random: options.random ?? this.random,
      logger: fakeLogger(this.log),
      metrics: fakeMetrics(this.seen),
    };
    this.#seed();
    this.app = createServer(this.deps);
  }

  /** A request with the rig's key unless it says otherwise. */
  async request(
    method: InjectOptions["method"],
    url: string,
    more: Readonly<{ body?: unknown; key?: string | null; headers?: Record<string, string> }> = {},
  ) {
    const key = more.key === undefined ? KEY : more.key;
    return this.app.inject({
      method,
      url,
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...more.headers },
      ...(more.body === undefined ? {} : { payload: more.body as object }),
    } as InjectOptions);
  }

  /** A dial that was created over the API; `dialToken`, `sessionId`, `dialId`. */
  async dial(more: Readonly<Record<string, unknown>> = {}) {
    const response = await this.request("POST", "/api/dials", { body: { ...PHONE_DIAL, ...more } });
    if (response.statusCode !== 201) throw new Error(response.body);
    return response.json<{ dialToken: string; sessionId: string; dialId: string }>();
  }

  /** Brings a dial to its end, as a worker does. */
  async finish(dialId: string, end: CallEnd): Promise<void> {
    await this.memory.store.dials.end(dialId, { evidence: 2, type: "observed", end });
    this.live.publish(dialId, { type: "status", ...outcomeOf(end.reason) });
  }

  async close(): Promise<void> {
    await this.app.close();
  }

  #seed(): void {
    const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
    const createdAt = new Date(this.clock.now()).toISOString();
    for (const [id, workspaceId, type, key] of [
      ["k1", "w1", "secret", KEY],
      ["k2", "w2", "secret", OTHER_KEY],
      ["k3", "w1", "public", PUBLIC_KEY],
    ] as const) {
      const allowed = type === "public" ? { allowedAgentIds: ["a1"] } : {};
      const item = { id, name: id, type, createdAt, sha256: sha256(key), ...allowed };
      this.memory.records.keys.push({ workspaceId, createdAt, item });
    }
    this.memory.addAgent("w1", { id: "a1", name: "Anna", language: "en" });
    this.memory.addPrompt("w1", "a1", {
      id: "p1",
      name: "First",
      agentType: "STANDARD",
      prompt: "You are Anna.",
      aiModelId: "scripted",
    });
    this.memory.addPhoneNumber("w1", { id: "n1", number: "+12025550100", type: "PSTN", carrier: "loopback" });
    this.memory.addAgent("w2", { id: "a2", name: "Other", language: "en" });
    this.memory.addPhoneNumber("w2", { id: "n2", number: "+442079460000", type: "PSTN", carrier: "loopback" });
  }
}

/** The smallest body of a dial that is granted. */
export const PHONE_DIAL = { callAgentId: "a1", toNumber: "+12025550123", fromNumberId: "n1" } as const;
