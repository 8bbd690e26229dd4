import type { Agent } from "../../src/model/agent.ts";
import type { CallPlan } from "../../src/model/call-plan.ts";
import type { Extractor } from "../../src/model/extractor.ts";
import type { FunctionDefinition } from "../../src/model/function-definition.ts";
import type { PhoneNumber } from "../../src/model/phone-number.ts";
import type { VersionedPrompt } from "../../src/model/versioned-prompt.ts";

export const testAgent = (id = "agent-1"): Agent => ({ id, name: "Front desk", language: "en-US" });

export const testPrompt = (id = "prompt-1"): VersionedPrompt => ({
  id,
  name: "First",
  agentType: "STANDARD",
  prompt: "You answer the phone.",
});

export const testPhoneNumber = (id = "number-1"): PhoneNumber => ({
  id,
  number: "+12025550100",
  type: "PSTN",
  carrier: "loopback",
});

export const testFunction = (id = "function-1"): FunctionDefinition => ({
  id,
  name: "transfer",
  description: "To a person.",
  type: "transfer",
  allowedNumbers: [{ number: "+12025550199" }],
});

export const testExtractor = (id = "extractor-1"): Extractor => ({
  id,
  name: "Booking",
  fields: [{ name: "booked", type: "bool" }],
});

/** A plan for a phone dial; whatever a test is about is given in `parts`. */
export const testPlan = (parts: Partial<CallPlan> & Readonly<{ dialId: string }>): CallPlan => ({
  workspaceId: "workspace-1",
  direction: "outbound",
  toNumber: "+12025550123",
  fromNumber: "+12025550100",
  fromNumberId: "number-1",
  carrier: "loopback",
  agent: testAgent(),
  prompt: testPrompt(),
  inputs: {},
  functions: [],
  language: "en-US",
  transcriber: { type: "local", keywords: [] },
  voice: { id: "voice-1", options: [], volumeDb: 0 },
  sensitivity: "MEDIUM",
  endpoint: { type: "SEMANTIC", mode: "DEFAULT" },
  idle: { enabled: false, messages: [], afterMs: 10_000, maxMessages: 0 },
  maxDurationMs: 600_000,
  ringTimeoutMs: 45_000,
  warnings: [],
  ...parts,
});
