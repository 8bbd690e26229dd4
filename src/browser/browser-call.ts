import { Listeners, type CallEvents, type CallState } from "./call-events.ts";
import { CallMedia, SAMPLE_RATE, type Levels, type SoundDevices } from "./call-media.ts";
import { CallSocket, type ServiceMessage } from "./call-socket.ts";
import { after, every } from "./page-time.ts";

export type { CallEvents, CallProblem, CallState } from "./call-events.ts";

export type BrowserCallOptions = Readonly<{
  /** Where the service is, such as `https://calls.example.com`; the page's own origin when absent. */
  origin?: string;
  dialId: string;
  /** Of `POST /dials`, or of `POST /dials/{id}/token`. */
  dialToken: string;
  /** `auto`, the default: WebRTC, and the socket where WebRTC does not connect. */
  media?: "auto" | "webrtc" | "socket";
  /** Asked for when absent, with echo cancellation; one that is given stays the page's to stop. */
  microphone?: MediaStream;
  /** STUN and TURN servers for networks that need them. */
  iceServers?: readonly RTCIceServer[];
  /** Where `sound-worklet.js` of this package lies, for bundlers that do not find it by themselves. */
  workletUrl?: string | URL;
}>;

/** A visitor's side of a call. */
export interface BrowserCall {
  readonly state: CallState;
  readonly muted: boolean;
  /** Calls back on each event until the returned function is called. */
  on<Name extends keyof CallEvents>(name: Name, handler: (value: CallEvents[Name]) => void): () => void;
  /** Asks for the microphone and begins the call. Call it from a click, or browsers play no sound. Never rejects; `problem` tells. */
  start(): Promise<void>;
  mute(muted: boolean): void;
  /** Presses keys: `0` to `9`, `*`, `#`, `A` to `D`. */
  digits(digits: string): void;
  hangUp(): void;
}

/** A call that begins with `start`. */
export const createBrowserCall = (options: BrowserCallOptions): BrowserCall => new Call(options);

const LEVELS_MS = 100;

/** How long the service may take to say how the call ended, after which the page goes without. */
const FAREWELL_MS = 5000;

const WORKLET = new URL(import.meta.url.endsWith(".ts") ? "./sound-worklet.ts" : "./sound-worklet.js", import.meta.url);

class Call implements BrowserCall {
  readonly #options: BrowserCallOptions;
  readonly #listeners = new Listeners();
  readonly #socket: CallSocket;
  readonly #media: CallMedia;
  #state: CallState = "connecting";
  #muted = false;
  #started = false;
  #context: AudioContext | undefined;
  #microphone: MediaStream | undefined;
  #levels = { microphone: 0, agent: 0 };
  #stopLevels: (() => void) | undefined;
  #stopFarewell: (() => void) | undefined;

  constructor(options: BrowserCallOptions) {
    this.#options = options;
    const origin = options.origin ?? location.origin;
    this.#socket = new CallSocket({
      url: `${origin.replace(/^http/u, "ws").replace(/\/$/u, "")}/browser/${encodeURIComponent(options.dialId)}`,
      token: options.dialToken,
      message: (message) => {
        this.#take(message);
      },
      sound: (message) => {
        this.#media.play(message);
      },
      broken: () => {
        this.#media.close();
        this.#become("reconnecting");
      },
      gone: (why) => {
        this.#gone(why);
      },
    });
    this.#media = new CallMedia({
      kind: options.media ?? "auto",
      iceServers: options.iceServers ?? [],
      workletUrl: options.workletUrl ?? WORKLET,
      send: (message) => {
        this.#socket.send(message);
      },
      sendSound: (message) => {
        this.#socket.sendSound(message);
      },
      levels: (levels) => {
        this.#level(levels);
      },
      connected: (by) => {
        this.#connected(by);
      },
      broken: () => {
        this.#reopen();
      },
      failed: (message) => {
        this.#problem("media_failed", message);
        this.hangUp();
      },
    });
  }

  get state(): CallState {
    return this.#state;
  }

  get muted(): boolean {
    return this.#muted;
  }

  on<Name extends keyof CallEvents>(name: Name, handler: (value: CallEvents[Name]) => void): () => void {
    return this.#listeners.on(name, handler);
  }

  async start(): Promise<void> {
    if (this.#started) return;
    this.#started = true;
    try {
      // Made first, while the click that led here still counts.
      this.#context = new AudioContext({ sampleRate: SAMPLE_RATE, latencyHint: "interactive" });
      this.#microphone =
        this.#options.microphone ??
        (await navigator.mediaDevices.getUserMedia({
          audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 },
        }));
    } catch {
      this.#problem("microphone_refused", "The microphone cannot be used. Allow it for this page and try again.");
      this.#end({});
      return;
    }
    if (this.#state === "ended") {
      this.#release();
      return;
    }
    this.#stopLevels = every(LEVELS_MS, () => {
      this.#listeners.emit("levels", this.#levels);
      this.#levels = { microphone: 0, agent: 0 };
    });
    this.#socket.connect();
  }

  mute(muted: boolean): void {
    this.#muted = muted;
    for (const track of this.#microphone?.getAudioTracks() ?? []) track.enabled = !muted;
    this.#socket.send({ type: "mute", muted });
  }

  digits(digits: string): void {
    this.#socket.send({ type: "digits", digits });
  }

  hangUp(): void {
    if (this.#state === "ended" || this.#stopFarewell !== undefined) return;
    this.#socket.send({ type: "hang_up" });
    this.#media.close();
    this.#stopFarewell = after(this.#state === "connected" ? FAREWELL_MS : 0, () => {
      this.#end({});
    });
  }

  #take(message: ServiceMessage): void {
    switch (message.type) {
      case "ready":
        this.#openMedia();
        break;
      case "started":
        this.#media.started();
        break;
      case "answer":
        this.#media.answered(message.sdp);
        break;
      case "candidate":
        this.#media.candidate(message.candidate);
        break;
      case "mark":
        this.#media.mark(message.name);
        break;
      case "clear":
        this.#media.clear();
        break;
      case "status":
        this.#listeners.emit("status", message.status);
        break;
      case "transcript":
        this.#listeners.emit("transcript", message.entry);
        break;
      case "interim":
        this.#listeners.emit("interim", message.text);
        break;
      case "recording":
        this.#listeners.emit("recording", message.state);
        break;
      case "turn":
        this.#listeners.emit("turn", message.turn);
        break;
      case "error":
        this.#refused(message.code, message.message);
        break;
      case "bye":
        this.#end({ status: message.status, systemResultType: message.systemResultType });
        break;
    }
  }

  #refused(code: string, message: string): void {
    if (code !== "media_failed") this.#problem(code, message);
    else if (this.#state === "connected") this.#reopen();
    else this.#media.refused();
  }

  #reopen(): void {
    this.#become("reconnecting");
    this.#openMedia();
  }

  #openMedia(): void {
    const devices = this.#devices();
    if (devices !== undefined) void this.#media.open(devices);
  }

  #devices(): SoundDevices | undefined {
    return this.#context === undefined || this.#microphone === undefined
      ? undefined
      : { context: this.#context, microphone: this.#microphone };
  }

  #connected(media: CallEvents["media"]): void {
    this.#listeners.emit("media", media);
    if (this.#muted) this.mute(true);
    this.#become("connected");
  }

  #level(levels: Levels): void {
    this.#levels = {
      microphone: Math.max(this.#levels.microphone, this.#muted ? 0 : (levels.microphone ?? 0)),
      agent: Math.max(this.#levels.agent, levels.agent ?? 0),
    };
  }

  #gone(why: "closed" | "refused" | "unreachable"): void {
    if (why === "unreachable")
      if (this.#state === "connecting") this.#problem("unreachable", "The service cannot be reached.");
      else this.#problem("lost", "The connection was lost.");
    this.#end({});
  }

  #become(state: CallState): void {
    if (this.#state === state || this.#state === "ended") return;
    this.#state = state;
    this.#listeners.emit("state", state);
  }

  #problem(code: string, message: string): void {
    this.#listeners.emit("problem", { code, message });
  }

  #end(how: CallEvents["ended"]): void {
    if (this.#state === "ended") return;
    this.#become("ended");
    this.#release();
    this.#listeners.emit("ended", how);
  }

  #release(): void {
    this.#stopFarewell?.();
    this.#stopLevels?.();
    this.#media.close();
    this.#socket.close();
    if (this.#options.microphone === undefined) for (const track of this.#microphone?.getTracks() ?? []) track.stop();
    void this.#context?.close().catch(() => undefined);
    this.#context = undefined;
  }
}
