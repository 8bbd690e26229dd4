import type { Store } from "../../src/ports/store.ts";
import { KEY, OTHER_KEY } from "./api-rig.ts";
import { hashOf } from "../../src/catalogue/api-key.ts";
import { testAgent, testExtractor, testFunction, testPhoneNumber, testPlan, testPrompt } from "./dial-plans.ts";

/** Every kind of thing that has an id, by the word before the id in a path. */
export const KINDS = [
  "agents",
  "versioned_prompts",
  "extractors",
  "functions",
  "phone_numbers",
  "audio",
  "api_keys",
  "do_not_call",
  "dials",
  "recordings",
  "webhook_deliveries",
] as const;
export type Kind = (typeof KINDS)[number];

/** The id of a workspace's one thing of a kind. */
export const idIn = (workspaceId: string, kind: Kind): string => `${workspaceId}-${kind}`;

/** Fills the workspaces `w1` and `w2` of an API rig with one thing of every kind; their keys are `KEY` and `OTHER_KEY`. */
export const fillWorkspaces = async ({ catalogue, dials }: Pick<Store, "catalogue" | "dials">): Promise<void> => {
  for (const [workspaceId, key] of [
    ["w1", KEY],
    ["w2", OTHER_KEY],
  ] as const) {
    const id = (kind: Kind) => idIn(workspaceId, kind);
    await catalogue.putApiKey({ workspaceId, sha256: hashOf(key), kind: "secret", label: "test" });
    const agent = testAgent(id("agents"));
    await catalogue.addAgent(workspaceId, agent);
    await catalogue.addPrompt(workspaceId, agent.id, testPrompt(id("versioned_prompts")));
    await catalogue.addExtractor(workspaceId, agent.id, testExtractor(id("extractors")));
    await catalogue.addFunction(workspaceId, testFunction(id("functions")));
    await catalogue.addPhoneNumber(workspaceId, { ...testPhoneNumber(id("phone_numbers")), number: "+12025550166" });
    const sound = { samples: Int16Array.of(1, -1), sampleRate: 8000 };
    await catalogue.addAudio(workspaceId, { id: id("audio"), name: "office", ...sound }, 10);
    const sha256 = `hash-of-${workspaceId}`;
    await catalogue.addApiKey(workspaceId, { id: id("api_keys"), name: "spare", type: "secret", sha256 });
    await catalogue.addDoNotCall(workspaceId, { id: id("do_not_call"), number: "+12025550177" });
    const plan = testPlan({ dialId: id("dials"), workspaceId, agent, toNumber: `+1202555${workspaceId.slice(1)}000` });
    await dials.create({ plan, sessionId: `session-of-${workspaceId}` });
    const recording = { id: id("recordings"), channels: 2, durationMs: 1, startedAt: "2026-01-05T09:00:00.000Z" };
    await dials.saveRecording(id("dials"), recording);
  }
};
