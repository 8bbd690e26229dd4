import { callLanguage } from "./call-language.ts";
import type { Draft } from "./draft.ts";
import { finish } from "./ending.ts";
import { startReply } from "./reply-life.ts";
import { turnText } from "./state.ts";

/** An assistant that has not come back with the person by now will not, in milliseconds: phones ring for half of it. */
const SCREENING_MS = 60_000;

/** Once nobody speaks and nothing is on its way: tells what a function answered late, else starts to wait for the caller. */
export const considerIdle = (draft: Draft): void => {
  const { caller, reply, phase, history, lateAnswer, agentPaused, transfer } = draft.state;
  const { idle } = draft.rules;
  if (phase !== "live" || reply !== undefined || caller.speaking || turnText(caller) !== "") return;
  if (agentPaused || transfer?.by === "operator") return;
  if (draft.state.answering.stage === "greeting") return;
  if (lateAnswer) startReply(draft, { type: "dialogue", history }, "function");
  // An assistant that screens calls asks the person meanwhile; whoever speaks now talks to nobody.
  else if (idle.enabled && draft.rules.screened(history)) draft.setTimer("idle", Math.max(idle.afterMs, SCREENING_MS));
  // A menu that is silent plays music or looks something up; asking it whether it is there leads nowhere.
  else if (idle.enabled && draft.rules.farEnd(history) === "human") draft.setTimer("idle", idle.afterMs);
};

/** The caller has been silent for long: say the next idle message, or give up after the last one. */
export const idleElapsed = (draft: Draft): void => {
  const { caller, reply, phase, idleMessages } = draft.state;
  const { idle } = draft.rules;
  if (phase !== "live" || reply !== undefined || caller.speaking) return;
  const messages = draft.rules.idleMessages(callLanguage(draft));
  const message = messages[idleMessages % Math.max(1, messages.length)];
  if (message === undefined || idleMessages >= idle.maxMessages) {
    finish(draft, "idle", "agent");
    return;
  }
  draft.set({ idleMessages: idleMessages + 1 });
  startReply(draft, { type: "text", text: message }, "idle");
};
