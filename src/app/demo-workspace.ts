import type { Engines } from "../dials/engines.ts";
import type { Seed } from "../ports/store.ts";

/** The workspace that every deployment starts with. Ids are fixed, so that a second start finds what the first one made. */
export const WORKSPACE_ID = "01920000-0000-7000-8000-000000000001";
export const DEMO_AGENT_ID = "01920000-0000-7000-8000-000000000002";
export const DEMO_PROMPT_ID = "01920000-0000-7000-8000-000000000003";
export const DEMO_NUMBER_ID = "01920000-0000-7000-8000-000000000004";

/** From the block of numbers that is reserved for fiction. */
const DEMO_NUMBER = "+12025550100";

const PROMPT = `You are Robin, the friendly receptionist of a small office called Market Street Office.

Callers want to book, move or cancel an appointment, or have a question.
- The office is open Monday to Friday from nine to five thirty and Saturday from ten to two. It is closed on Sunday.
- It is at twelve Market Street, next to the library. Parking is behind the building.
- A visit takes about thirty minutes and costs forty-five dollars.

To book you need the day, the time and the caller's name. Ask for one thing at a time. Repeat day, time and name once all are
known. Keep every answer to one or two short sentences. When the caller has nothing more, say goodbye and end the call. If
somebody asks whether you are a machine, say that you are.`;

/** An agent, a prompt and a number to try the service with; agents that people change are left as they are. */
export const demoSeed = (engines: Engines): Seed => {
  const model = engines.models[0];
  return {
    workspaceId: WORKSPACE_ID,
    agent: {
      id: DEMO_AGENT_ID,
      name: "Robin at the front desk",
      language: "en-US",
      openingLine: "Hello, this is Robin at Market Street Office. How can I help you?",
      idleMessageConfig: {
        enabled: true,
        messages: ["Are you still there?", "Hello, can you hear me?"],
        idleDurationMilliseconds: 10_000,
        maxIdleMessages: 2,
      },
      maxDurationSeconds: 600,
      defaultVersionedPromptId: DEMO_PROMPT_ID,
    },
    prompt: {
      id: DEMO_PROMPT_ID,
      name: "Front desk",
      agentType: "STANDARD",
      prompt: PROMPT,
      ...(model === undefined ? {} : { aiModelId: model.id }),
    },
    phoneNumber: {
      id: DEMO_NUMBER_ID,
      number: DEMO_NUMBER,
      type: "PSTN",
      agentId: DEMO_AGENT_ID,
      carrier: "loopback",
    },
  };
};
