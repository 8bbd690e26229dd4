import { createBrowserCall, type BrowserCall, type BrowserCallOptions, type CallState } from "../browser-call.ts";
import { every, now } from "../page-time.ts";
import { element } from "./elements.ts";
import { TranscriptView } from "./transcript-view.ts";

const STATES: Record<CallState, string> = {
  connecting: "Connecting…",
  connected: "Connected",
  reconnecting: "The connection broke; trying again…",
  ended: "The call is over",
};

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "0", "#"];

/** One call on the page: what there is to see of it and to do in it. */
export class CallView {
  readonly #section = element("call", HTMLElement);
  readonly #status = element("status", HTMLElement);
  readonly #clock = element("clock", HTMLElement);
  readonly #interim = element("interim", HTMLElement);
  readonly #problem = element("problem", HTMLElement);
  readonly #mute = element("mute", HTMLButtonElement);
  readonly #hangUp = element("hang-up", HTMLButtonElement);
  readonly #again = element("again", HTMLButtonElement);
  readonly #keypad = element("keypad", HTMLElement);
  readonly #transcript = new TranscriptView(element("transcript", HTMLOListElement));
  #call: BrowserCall | undefined;
  #latencies: number[] = [];
  #stopClock: (() => void) | undefined;

  /** `left`: the visitor wants another call. */
  constructor(left: () => void) {
    this.#hangUp.onclick = () => this.#call?.hangUp();
    this.#again.onclick = left;
    this.#mute.onclick = () => {
      const muted = this.#call?.muted !== true;
      this.#call?.mute(muted);
      this.#showMuted(muted);
    };
    for (const key of KEYS) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = key;
      button.onclick = () => this.#call?.digits(key);
      this.#keypad.append(button);
    }
  }

  async begin(options: BrowserCallOptions): Promise<void> {
    this.#reset();
    const call = createBrowserCall(options);
    this.#call = call;
    call.on("state", (state) => this.#showState(state));
    call.on("transcript", (entry) => {
      if (entry.speaker === "HUMAN") this.#interim.textContent = "";
      this.#transcript.show(entry);
    });
    call.on("interim", (text) => (this.#interim.textContent = text));
    call.on("turn", ({ heardMs, index }) => {
      if (index > 0 && heardMs !== undefined) this.#showLatency(heardMs);
    });
    call.on("levels", ({ microphone, agent }) => {
      element("level-microphone", HTMLMeterElement).value = microphone;
      element("level-agent", HTMLMeterElement).value = agent;
    });
    call.on("media", (media) => {
      element("sound", HTMLElement).textContent = media === "webrtc" ? "WebRTC" : "Socket";
    });
    call.on("problem", ({ message }) => (this.#problem.textContent = message));
    call.on("ended", ({ status }) => this.#showEnd(status));
    await call.start();
  }

  hide(): void {
    this.#section.hidden = true;
    this.#problem.textContent = "";
  }

  #reset(): void {
    this.#section.hidden = false;
    this.#transcript.clear();
    this.#latencies = [];
    for (const id of ["latency", "median", "sound"]) element(id, HTMLElement).textContent = "–";
    this.#interim.textContent = "";
    this.#problem.textContent = "";
    this.#clock.textContent = "0:00";
    this.#again.hidden = true;
    for (const button of [this.#mute, this.#hangUp]) button.disabled = false;
    this.#showMuted(false);
    this.#showState("connecting");
    this.#hangUp.focus();
  }

  #showState(state: CallState): void {
    this.#status.textContent = STATES[state];
    if (state !== "connected" || this.#stopClock !== undefined) return;
    const beganAt = now();
    this.#stopClock = every(500, () => {
      const seconds = Math.floor((now() - beganAt) / 1000);
      this.#clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    });
  }

  #showLatency(ms: number): void {
    this.#latencies.push(ms);
    const sorted = this.#latencies.toSorted((a, b) => a - b);
    element("latency", HTMLElement).textContent = inSeconds(ms);
    element("median", HTMLElement).textContent = inSeconds(sorted[Math.floor(sorted.length / 2)] ?? ms);
  }

  #showMuted(muted: boolean): void {
    this.#mute.ariaPressed = String(muted);
  }

  #showEnd(status: string | undefined): void {
    this.#stopClock?.();
    this.#stopClock = undefined;
    this.#interim.textContent = "";
    this.#status.textContent = status === undefined ? STATES.ended : `${STATES.ended} (${status})`;
    for (const button of [this.#mute, this.#hangUp]) button.disabled = true;
    for (const id of ["level-microphone", "level-agent"]) element(id, HTMLMeterElement).value = 0;
    this.#again.hidden = false;
    this.#again.focus();
  }
}

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
