import type { CallPlan } from "../../src/model/call-plan.ts";

/** A plan of a STANDARD prompt; whatever a test is about is given as a change. */
export const planWith = (change: Partial<CallPlan> = {}): CallPlan => ({
  dialId: "dial-1",
  workspaceId: "workspace-1",
  direction: "outbound",
  agent: { id: "agent-1", name: "Front desk", language: "en" },
  prompt: { id: "prompt-1", name: "Prompt", agentType: "STANDARD", prompt: "You answer for {{business}}." },
  inputs: {},
  functions: [],
  language: "en",
  transcriber: { type: "local", keywords: [] },
  voice: { id: "voice-1", options: [], volumeDb: 0 },
  sensitivity: "MEDIUM",
  endpoint: { type: "SEMANTIC", mode: "DEFAULT" },
  idle: { enabled: false, messages: [], afterMs: 10_000, maxMessages: 2 },
  maxDurationMs: 600_000,
  ringTimeoutMs: 45_000,
  warnings: [],
  ...change,
});
