import { status } from "@grpc/grpc-js";
import type { CallHandle } from "../../call/call.ts";
import { whyNeverRung } from "../../dials/destination.ts";
import type { Worker } from "../worker.ts";
import { ControlRefusal } from "./control-refusal.ts";

/** Longest text that an operator may let the agent say, in characters. */
const LONGEST_TEXT = 2000;

const E164 = /^\+[1-9]\d{6,14}$/;

/** The calls of this process, as operators see and direct them. */
export class LocalCalls {
  readonly #worker: Pick<Worker, "runs">;

  constructor(worker: Pick<Worker, "runs">) {
    this.#worker = worker;
  }

  get size(): number {
    return this.#worker.runs.size;
  }

  has(dialId: string): boolean {
    return this.#worker.runs.has(dialId);
  }

  /** `process` is the name of this one. */
  list(process: string) {
    return [...this.#worker.runs.values()].map(({ dialId, connected, held }) => ({
      dialId,
      process,
      connected,
      agentPaused: held?.agentPaused ?? false,
      heldSinceMs: Math.round(held?.since ?? 0),
      direction: held?.claim.plan.direction ?? "",
    }));
  }

  /** @throws {ControlRefusal} as all of these do, for a call that is not there, is not ready, or an order that is not allowed. */
  say(dialId: string, text: string): void {
    if (text.trim() === "" || text.length > LONGEST_TEXT)
      throw new ControlRefusal(status.INVALID_ARGUMENT, `text must have 1 to ${LONGEST_TEXT} characters`);
    this.#call(dialId).order({ type: "say", text });
  }

  transfer(dialId: string, to: string): void {
    if (!E164.test(to)) throw new ControlRefusal(status.INVALID_ARGUMENT, "to must be a number such as +14155550100");
    const never = whyNeverRung(to);
    if (never !== undefined) throw new ControlRefusal(status.INVALID_ARGUMENT, never);
    if (this.#held(dialId).carrier.transfer === undefined)
      throw new ControlRefusal(status.FAILED_PRECONDITION, "calls of this carrier cannot be transferred");
    this.#call(dialId).order({ type: "transfer", to });
  }

  pause(dialId: string, paused: boolean): void {
    this.#call(dialId).order({ type: "pause", paused });
    this.#held(dialId).agentPaused = paused;
  }

  hangUp(dialId: string): void {
    this.#held(dialId).inbox.put({ type: "command", command: { type: "hang-up", endReason: "operator_hangup" } });
  }

  #held(dialId: string) {
    const held = this.#worker.runs.get(dialId)?.held;
    if (held === undefined) throw new ControlRefusal(status.NOT_FOUND, "no process holds this call now");
    return held;
  }

  #call(dialId: string): CallHandle {
    const { call } = this.#held(dialId);
    if (call === undefined) throw new ControlRefusal(status.FAILED_PRECONDITION, "nobody is on the line yet");
    return call;
  }
}
