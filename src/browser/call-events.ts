import type { LiveEvent } from "../client/operations.ts";

type Of<Type extends LiveEvent["type"]> = Extract<LiveEvent, Readonly<{ type: Type }>>;

/** `connecting`: on the way in. `reconnecting`: the connection broke, and the call waits a few seconds. `ended`: for good. */
export type CallState = "connecting" | "connected" | "reconnecting" | "ended";

/** Why a call did not come about or broke; `code` is one of the service's, or one of the page's own side. */
export type CallProblem = Readonly<{
  code: "microphone_refused" | "unreachable" | "lost" | (string & Record<never, never>);
  message: string;
}>;

/** What a call tells, by event. */
export type CallEvents = Readonly<{
  state: CallState;
  status: Of<"status">["status"];
  /** An entry of the transcript, told again when it grows or is cut; entries of one speaker with one `startTimeMs` are the same. */
  transcript: Of<"transcript">["entry"];
  /** What the visitor seems to be saying. */
  interim: string;
  /** What a turn of the agent cost, stage by stage. */
  turn: Of<"turn">["turn"];
  /** Whether the call is being recorded, whenever that changes. */
  recording: Of<"recording">["state"];
  /** Peaks since the last time, 0 to 1, some ten times a second. */
  levels: Readonly<{ microphone: number; agent: number }>;
  /** How sound travels, once it does. */
  media: "webrtc" | "socket";
  problem: CallProblem;
  /** The last event. `status` is absent when the end could not be learned. */
  ended: Readonly<{ status?: string; systemResultType?: string | null }>;
}>;

/** Handlers by event; a handler that throws harms nobody but itself. */
export class Listeners {
  readonly #handlers = new Map<string, Set<(value: never) => void>>();

  on<Name extends keyof CallEvents>(name: Name, handler: (value: CallEvents[Name]) => void): () => void {
    const handlers = this.#handlers.get(name) ?? new Set();
    this.#handlers.set(name, handlers);
    handlers.add(handler);
    return () => handlers.delete(handler);
  }

  emit<Name extends keyof CallEvents>(name: Name, value: CallEvents[Name]): void {
    for (const handler of this.#handlers.get(name) ?? []) {
      try {
        (handler as (value: CallEvents[Name]) => void)(value);
      } catch (error) {
        reportError(error);
      }
    }
  }
}
