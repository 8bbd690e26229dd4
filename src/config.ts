import { isIP } from "node:net";
import { resolve } from "node:path";
import { deepFreeze } from "./kit/deep-freeze.ts";
import { SecretString } from "./kit/secret-string.ts";

/** Everything that the environment decides, checked and complete. Durations are in milliseconds. */
export type Config = Readonly<{
  /** 0 takes a free port. */
  port: number;
  host: string;
  /** Origin that carriers, browsers and clients reach us at, without a slash at the end; absent: `http://localhost:<port>`. */
  publicUrl?: string;
  /** Absolute. */
  dataDir: string;
  /** Absolute; absent: the model cache of the user. */
  modelsDir?: string;
  /** Absent: the embedded PostgreSQL. */
  databaseUrl?: SecretString;
  /** Absent: queue and live state without Redis. */
  redisUrl?: SecretString;
  /** Absent: the key in `$DATA_DIR/api-key`, made on first start. */
  apiKey?: SecretString;
  /** Origins whose pages may use dial tokens, such as `https://shop.example.com`. */
  corsOrigins: readonly string[];
  /** Whether URLs that customers give may lead into private networks and need no https. */
  allowPrivateNetwork: boolean;
  /** Absent: the scripted built-in. */
  languageModel?: Readonly<{ baseUrl: string; model: string; apiKey?: SecretString }>;
  /** Names of the engines to prefer; absent: the best that can run here. */
  defaults: Readonly<{
    voiceId?: string;
    transcriber?: string;
    vad?: string;
    /** Models and voices that take over, by id, and transcribers, by name, where an agent names none itself. */
    modelFallbacks: readonly string[];
    transcriberFallbacks: readonly string[];
    voiceFallbacks: readonly string[];
    /** A model that has not begun to answer by then gets the first of those behind it beside it; absent: never. */
    hedgeAfterMs?: number;
  }>;
  limits: Readonly<{
    /** Calls at a time per workspace. */
    concurrency: number;
    /** Requests to the carrier, per workspace and per process. */
    dialsPerSecond: number;
    /** Of the slots and of a workspace's calls, those that are kept free for people who call us. */
    inboundReserve: number;
    /** Age at which a dial that waits is given up. */
    queueMaxAgeMs: number;
    /** API requests per key. */
    requestsPerSecond: number;
    /** Calls that this process holds at a time. */
    workerSlots: number;
  }>;
  /** How many days after their end dials are kept whose agents do not say; absent: for ever. */
  retentionDays?: number;
  /** How browsers reach this machine with sound. */
  webrtc: WebRtcConfig;
  /** How far ahead of real time sound is sent where the far end queues it. */
  paceLeadMs: number;
  /** How long a stopping process lets its calls go on. */
  drainMs: number;
  logLevel: "debug" | "info" | "warn" | "error" | "silent";
  production: boolean;
}>;

export type WebRtcConfig = Readonly<{
  /** STUN and TURN servers that our side asks. */
  iceServers: readonly Readonly<{ urls: string; username?: string; credential?: SecretString }>[];
  /** UDP ports, both ends included; absent: any. */
  ports?: readonly [number, number];
  /** Absent: browsers reach the addresses that the machine knows itself by. */
  publicAddress?: string;
}>;

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment cannot be used; the message lists every mistake, one a line, none of them with a secret's value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(["The environment has mistakes:", ...mistakes.map((mistake) => `  - ${mistake}`)].join("\n"));
    this.mistakes = mistakes;
  }
}

/** Shortest key that is taken from the environment, in characters. */
const SHORTEST_API_KEY = 24;

/**
 * Reads the environment. A variable that is empty counts as absent, because container tools cannot unset one.
 *
 * @throws {ConfigError} with all mistakes at once.
 */
export const readConfig = (env: Environment): Config => {
  const read = new Reader(env);
  const workerSlots = read.integer("WORKER_SLOTS", 10, 1, 10_000);
  const concurrency = read.integer("CONCURRENCY_LIMIT", 100, 1, 100_000);
  const config: Config = {
    port: read.integer("PORT", 8080, 0, 65_535),
    host: read.text("HOST") ?? "0.0.0.0",
    ...optional("publicUrl", read.publicUrl()),
    dataDir: resolve(read.text("DATA_DIR") ?? "data"),
    ...optional("modelsDir", read.path("MODELS_DIR")),
    ...optional("databaseUrl", read.secretUrl("DATABASE_URL", ["postgres:", "postgresql:"])),
    ...optional("redisUrl", read.secretUrl("REDIS_URL", ["redis:", "rediss:"])),
    ...optional("apiKey", read.apiKey()),
    corsOrigins: read.corsOrigins(),
    allowPrivateNetwork: read.allowPrivateNetwork(),
    ...optional("languageModel", read.languageModel()),
    defaults: {
      ...optional("voiceId", read.text("DEFAULT_VOICE")),
      ...optional("transcriber", read.text("DEFAULT_TRANSCRIBER")),
      ...optional("vad", read.text("VAD")),
      modelFallbacks: (read.text("LLM_FALLBACKS") ?? "").split(",").flatMap((id) => id.trim() || []),
      transcriberFallbacks: (read.text("TRANSCRIBER_FALLBACKS") ?? "").split(",").flatMap((id) => id.trim() || []),
      voiceFallbacks: (read.text("VOICE_FALLBACKS") ?? "").split(",").flatMap((id) => id.trim() || []),
      ...(read.text("LLM_HEDGE_MS") === undefined ? {} : { hedgeAfterMs: read.integer("LLM_HEDGE_MS", 0, 100, 4000) }),
    },
    limits: {
      concurrency,
      dialsPerSecond: read.integer("DIALS_PER_SECOND", 10, 1, 10_000),
      inboundReserve: read.integer("INBOUND_RESERVE", 0, 0, Math.min(workerSlots, concurrency) - 1),
      queueMaxAgeMs: read.integer("QUEUE_MAX_AGE_SECONDS", 600, 1, 86_400) * 1000,
      requestsPerSecond: read.integer("RATE_LIMIT_PER_SECOND", 500, 1, 1_000_000),
      workerSlots,
    },
    ...optional("retentionDays", read.optionalInteger("RETENTION_DAYS", 1, 3650)),
    webrtc: {
      iceServers: read.iceServers(),
      ...optional("ports", read.portRange("WEBRTC_PORTS")),
      ...optional("publicAddress", read.address("WEBRTC_PUBLIC_IP")),
    },
    // Carriers that know marks and `clear` take 400 ms without making an interruption slower; beyond 2 s nobody gains.
    paceLeadMs: read.integer("PACE_LEAD_MS", 400, 20, 2000),
    // The longest call by default (10 800 s) and five minutes for its end.
    drainMs: read.integer("DRAIN_SECONDS", 11_100, 0, 86_700) * 1000,
    logLevel: read.choice("LOG_LEVEL", ["debug", "info", "warn", "error", "silent"], "info"),
    production: read.production,
  };
  if (read.mistakes.length > 0) throw new ConfigError(read.mistakes);
  return deepFreeze(config);
};

class Reader {
  readonly mistakes: string[] = [];
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  get production(): boolean {
    return this.text("NODE_ENV") === "production";
  }

  text(name: string): string | undefined {
    const value = this.#env[name]?.trim();
    return value === "" ? undefined : value;
  }

  path(name: string): string | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : resolve(value);
  }

  integer(name: string, otherwise: number, least: number, most: number): number {
    const value = this.text(name);
    if (value === undefined) return otherwise;
    const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    this.mistakes.push(`${name} must be a whole number from ${least} to ${most}, not "${value}"`);
    return otherwise;
  }

  optionalInteger(name: string, least: number, most: number): number | undefined {
    return this.text(name) === undefined ? undefined : this.integer(name, least, least, most);
  }

  choice<T extends string>(name: string, choices: readonly T[], otherwise: T): T {
    const value = this.text(name);
    if (value === undefined) return otherwise;
    const found = choices.find((choice) => choice === value);
    if (found === undefined) this.mistakes.push(`${name} must be one of ${choices.join(", ")}, not "${value}"`);
    return found ?? otherwise;
  }

  /** A URL of one of the protocols; a mistake names the protocols and never the value, which may hold a password. */
  url(name: string, protocols: readonly string[]): URL | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url !== undefined && protocols.includes(url.protocol)) return url;
    this.mistakes.push(`${name} must be a URL that begins with ${protocols.map((one) => `${one}//`).join(" or ")}`);
    return undefined;
  }

  secretUrl(name: string, protocols: readonly string[]): SecretString | undefined {
    const url = this.url(name, protocols);
    return url === undefined ? undefined : new SecretString(url.href);
  }

  publicUrl(): string | undefined {
    const url = this.url("PUBLIC_URL", ["http:", "https:"]);
    if (url === undefined) return undefined;
    if (url.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "")
      this.mistakes.push("PUBLIC_URL must be an origin such as https://calls.example.com, without path, query or user");
    return url.origin;
  }

  corsOrigins(): readonly string[] {
    const given = (this.text("CORS_ORIGINS") ?? "").split(",").map((origin) => origin.trim());
    return given.filter((text) => {
      if (text === "") return false;
      const isOrigin = /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
      if (!isOrigin)
        this.mistakes.push(
          `CORS_ORIGINS must list origins such as https://shop.example.com, by name and without a slash at the end, not "${text}"`,
        );
      return isOrigin;
    });
  }

  apiKey(): SecretString | undefined {
    const value = this.text("API_KEY");
    if (value === undefined) return undefined;
    if (!/^[!-~]+$/.test(value) || value.length < SHORTEST_API_KEY)
      this.mistakes.push(`API_KEY must have at least ${SHORTEST_API_KEY} characters, all of them visible ASCII`);
    return new SecretString(value);
  }

  address(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined || isIP(value) !== 0) return value;
    this.mistakes.push(`${name} must be an IP address such as 203.0.113.7, not "${value}"`);
    return undefined;
  }

  portRange(name: string): readonly [number, number] | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const [from, to] = (/^(\d{1,5})-(\d{1,5})$/.exec(value) ?? []).slice(1).map(Number);
    if (from !== undefined && to !== undefined && from >= 1024 && from < to && to <= 65_535) return [from, to];
    this.mistakes.push(`${name} must be a range of ports from 1024 up such as 40000-40999, not "${value}"`);
    return undefined;
  }

  /** A mistake does not repeat the value, which may hold a password. */
  iceServers(): WebRtcConfig["iceServers"] {
    const name = "WEBRTC_ICE_SERVERS";
    const value = this.text(name);
    if (value === undefined) return [];
    const given = value
      .split(",")
      .map((entry) => /^(stuns?|turns?):(?:([^:@]+):([^@]+)@)?([^@\s]+)$/.exec(entry.trim()));
    if (given.some((parts) => parts === null || (parts[1]?.startsWith("turn") === true) !== (parts[2] !== undefined)))
      this.mistakes.push(
        `${name} must list servers such as stun:stun.example.com:3478 and turn:user:password@turn.example.com:3478, with commas between them`,
      );
    return given.flatMap((parts) => {
      if (parts === null) return [];
      const [, scheme = "", username, password, host = ""] = parts;
      const credential = password === undefined ? undefined : new SecretString(password);
      return [{ urls: `${scheme}:${host}`, ...optional("username", username), ...optional("credential", credential) }];
    });
  }

  allowPrivateNetwork(): boolean {
    const allowed = this.choice("ALLOW_PRIVATE_NETWORK", ["true", "false"], "false") === "true";
    if (allowed && this.production)
      this.mistakes.push(
        "ALLOW_PRIVATE_NETWORK=true is refused when NODE_ENV=production: it opens the internal network",
      );
    return allowed;
  }

  languageModel(): Config["languageModel"] {
    const url = this.url("LLM_BASE_URL", ["http:", "https:"]);
    const model = this.text("LLM_MODEL");
    const apiKey = this.text("LLM_API_KEY");
    if (this.text("LLM_BASE_URL") === undefined) {
      for (const [name, value] of Object.entries({ LLM_MODEL: model, LLM_API_KEY: apiKey }))
        if (value !== undefined) this.mistakes.push(`${name} needs LLM_BASE_URL, such as http://localhost:11434/v1`);
      return undefined;
    }
    if (model === undefined) this.mistakes.push("LLM_MODEL is required with LLM_BASE_URL");
    if (url === undefined || model === undefined) return undefined;
    return {
      baseUrl: url.href.replace(/\/+$/, ""),
      model,
      ...optional("apiKey", apiKey === undefined ? undefined : new SecretString(apiKey)),
    };
  }
}

/** A field that is there only when it has a value. */
const optional = <Name extends string, T>(name: Name, value: T | undefined): Partial<Record<Name, T>> =>
  value === undefined ? {} : ({ [name]: value } as Record<Name, T>);
