import { resolve } from "node:path";
import { inspect } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ConfigError, readConfig } from "../src/config.ts";

const mistakesOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
  return [];
};

test("an empty environment is complete", () => {
  expect(readConfig({})).toEqual({
    port: 8080,
    host: "0.0.0.0",
    dataDir: resolve("data"),
    corsOrigins: [],
    allowPrivateNetwork: false,
    defaults: { modelFallbacks: [], transcriberFallbacks: [], voiceFallbacks: [] },
    limits: {
      concurrency: 100,
      dialsPerSecond: 10,
      inboundReserve: 0,
      queueMaxAgeMs: 600_000,
      requestsPerSecond: 500,
      workerSlots: 10,
    },
    webrtc: { iceServers: [] },
    paceLeadMs: 400,
    drainMs: 11_100_000,
    logLevel: "info",
    production: false,
  });
});

test("every variable arrives where it belongs", () => {
  const config = readConfig({
    PORT: "0",
    HOST: "127.0.0.1",
    PUBLIC_URL: "https://calls.example.com/",
    DATA_DIR: "/var/lib/calls",
    MODELS_DIR: "models",
    DATABASE_URL: "postgres://calls:hidden@db/calls",
    REDIS_URL: "redis://cache:6379",
    API_KEY: "k".repeat(24),
    CORS_ORIGINS: "https://shop.example.com, http://localhost:5173,",
    ALLOW_PRIVATE_NETWORK: "true",
    LLM_BASE_URL: "http://localhost:11434/v1/",
    LLM_MODEL: "llama",
    LLM_API_KEY: "sk-model",
    LLM_FALLBACKS: "small, large,",
    TRANSCRIBER_FALLBACKS: "assemblyai,local",
    VOICE_FALLBACKS: "kokoro-af_bella, flite-rms",
    DEFAULT_VOICE: "kokoro:af_heart",
    DEFAULT_TRANSCRIBER: "local",
    VAD: "silero",
    CONCURRENCY_LIMIT: "7",
    DIALS_PER_SECOND: "3",
    QUEUE_MAX_AGE_SECONDS: "60",
    RATE_LIMIT_PER_SECOND: "50",
    WORKER_SLOTS: "4",
    WEBRTC_PORTS: "40000-40999",
    WEBRTC_PUBLIC_IP: "203.0.113.7",
    WEBRTC_ICE_SERVERS: "stun:stun.example.com:3478, turn:user:hidden@turn.example.com:3478?transport=tcp",
    PACE_LEAD_MS: "200",
    DRAIN_SECONDS: "5",
    LOG_LEVEL: "debug",
    NODE_ENV: "development",
  });
  expect(config).toMatchObject({
    port: 0,
    host: "127.0.0.1",
    publicUrl: "https://calls.example.com",
    dataDir: "/var/lib/calls",
    modelsDir: resolve("models"),
    corsOrigins: ["https://shop.example.com", "http://localhost:5173"],
    allowPrivateNetwork: true,
    languageModel: { baseUrl: "http://localhost:11434/v1", model: "llama" },
    webrtc: {
      ports: [40_000, 40_999],
      publicAddress: "203.0.113.7",
      iceServers: [
        { urls: "stun:stun.example.com:3478" },
        { urls: "turn:turn.example.com:3478?transport=tcp", username: "user" },
      ],
    },
    defaults: {
      voiceId: "kokoro:af_heart",
      transcriber: "local",
      vad: "silero",
      modelFallbacks: ["small", "large"],
      transcriberFallbacks: ["assemblyai", "local"],
      voiceFallbacks: ["kokoro-af_bella", "flite-rms"],
    },
    limits: {
      concurrency: 7,
      dialsPerSecond: 3,
      inboundReserve: 0,
      queueMaxAgeMs: 60_000,
      requestsPerSecond: 50,
      workerSlots: 4,
    },
    paceLeadMs: 200,
    drainMs: 5000,
    logLevel: "debug",
  });
  expect(config.apiKey?.reveal()).toBe("k".repeat(24));
  expect(config.databaseUrl?.reveal()).toBe("postgres://calls:hidden@db/calls");
  expect(config.redisUrl?.reveal()).toBe("redis://cache:6379");
  expect(config.languageModel?.apiKey?.reveal()).toBe("sk-model");
});

test("all mistakes are told at once", () => {
  const mistakes = mistakesOf({
    PORT: "80a",
    PUBLIC_URL: "https://calls.example.com/api",
    DATABASE_URL: "mysql://root:hidden@db",
    REDIS_URL: "localhost",
    API_KEY: "short",
    ALLOW_PRIVATE_NETWORK: "true",
    NODE_ENV: "production",
    LLM_BASE_URL: "http://localhost:11434/v1",
    CONCURRENCY_LIMIT: "0",
    PACE_LEAD_MS: "-1",
    LOG_LEVEL: "loud",
  });
  expect(mistakes.map((mistake) => mistake.split(" ")[0])).toEqual([
    "CONCURRENCY_LIMIT",
    "PORT",
    "PUBLIC_URL",
    "DATABASE_URL",
    "REDIS_URL",
    "API_KEY",
    "ALLOW_PRIVATE_NETWORK=true",
    "LLM_MODEL",
    "PACE_LEAD_MS",
    "LOG_LEVEL",
  ]);
  expect(mistakes.join(" ")).not.toContain("hidden");
});

test("settings of WebRTC that nothing could be made of are mistakes", () => {
  const wrong = { WEBRTC_PORTS: "50000-40000", WEBRTC_PUBLIC_IP: "calls.example.com" };
  expect(mistakesOf(wrong).map((mistake) => mistake.split(" ")[0])).toEqual(["WEBRTC_PORTS", "WEBRTC_PUBLIC_IP"]);
  for (const servers of [
    "turn:turn.example.com",
    "stun:user:hidden@stun.example.com",
    "https://example.com",
    "stun:",
  ]) {
    const mistakes = mistakesOf({ WEBRTC_ICE_SERVERS: servers });
    expect(mistakes, servers).toEqual([expect.stringMatching(/^WEBRTC_ICE_SERVERS must list servers/)]);
    expect(mistakes.join(" ")).not.toContain("hidden");
  }
});

test("pages are let in by the name of their origin, never all of them", () => {
  for (const wrong of [
    "*",
    "https://*.example.com",
    "https://a.example/",
    "shop.example.com",
    "null",
    "ftp://a.example",
  ])
    expect(mistakesOf({ CORS_ORIGINS: `https://b.example,${wrong}` }), wrong).toEqual([
      expect.stringMatching(/^CORS_ORIGINS must list origins/),
    ]);
});

test("a model without an endpoint is a mistake, not a scripted agent by surprise", () => {
  expect(mistakesOf({ LLM_MODEL: "llama", LLM_API_KEY: "sk-model" })).toEqual([
    expect.stringMatching(/^LLM_MODEL needs LLM_BASE_URL/),
    expect.stringMatching(/^LLM_API_KEY needs LLM_BASE_URL/),
  ]);
});

test("empty variables count as absent", () => {
  expect(readConfig({ PORT: "", API_KEY: " ", LLM_BASE_URL: "" })).toEqual(readConfig({}));
});

test("secrets do not show when the configuration is printed", () => {
  const config = readConfig({ API_KEY: "visible-nowhere-012345678", DATABASE_URL: "postgres://u:hidden@db/calls" });
  const printed = `${JSON.stringify(config)} ${inspect(config, { depth: 9, showHidden: true })} ${String(config.apiKey)}`;
  expect(printed).not.toMatch(/visible-nowhere|hidden/);
  expect(printed).toContain("[secret]");
});

test("the configuration cannot be changed, at any depth", () => {
  const config = readConfig({});
  expect(Object.isFrozen(config) && Object.isFrozen(config.limits) && Object.isFrozen(config.defaults)).toBe(true);
});

test("whatever the environment holds, it is read or refused with reasons", () => {
  const names = ["PORT", "PUBLIC_URL", "DATABASE_URL", "API_KEY", "LLM_BASE_URL", "LLM_MODEL", "DRAIN_SECONDS", "VAD"];
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), fc.string()), (env) => {
      try {
        expect(readConfig(env).port).toBeGreaterThanOrEqual(0);
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
        expect((error as ConfigError).mistakes.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: 500 },
  );
});
