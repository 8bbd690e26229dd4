import type { Clock } from "./clock.ts";
import type { Logger } from "./logger.ts";
import type { Random } from "./random.ts";

/** What goes wrong on a simulated carrier's side. Shares are from 0 (never) to 1 (always); nothing goes wrong unless told. */
export type CarrierFaults = Readonly<{
  /** Share of callbacks that are never sent. */
  drop?: number;
  /** Share of callbacks that are sent twice. */
  duplicate?: number;
  /** Share of callbacks that are overtaken by the one after them. */
  reorder?: number;
  /** How much later every callback is sent, in milliseconds. */
  delayMs?: number;
  /** Share of requests for a call that are granted without an answer. */
  loseAnswer?: number;
  /** Share of requests for a call that are answered 429. */
  tooMany?: number;
  /** Share of media sockets that break two seconds after they were opened. */
  breakMedia?: number;
}>;

export type SimulatorOptions = Readonly<{
  /** 0 takes a free one. */
  port: number;
  host: string;
  /** The account, by the names of the carrier's settings; what is missing the simulator makes up and tells. */
  settings: Readonly<Record<string, string | undefined>>;
  faults: CarrierFaults;
  deps: Readonly<{ clock: Clock; random: Random; logger: Logger }>;
  /** Is told what somebody at a number hears: every 20 ms, 160 samples at 8 kHz, which may not be kept without copying. */
  hears?: ((number: string, heard: Int16Array) => void) | undefined;
  /** Speaks the lines of the people who answer; without it nobody says anything. Mono. */
  speak?: ((text: string) => Promise<Readonly<{ samples: Int16Array; sampleRate: number }>>) | undefined;
}>;

/** A person who rings a number of ours, from a number whose manners the simulated network knows. */
export type SimulatedRing = Readonly<{ from: string; to: string; webhookUrl: string }>;

/** A carrier that runs on this machine: its REST interface, its callbacks and its media sockets, with people behind its numbers. */
export interface RunningSimulator {
  /** Origin of the REST interface. */
  readonly url: string;
  /** What the service is to be started with, ready to be set in its environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** How many calls the service had placed, whether it learned so or not. */
  readonly placed: number;
  /** Lets somebody ring; resolves with the carrier's id of the call when the service was told. */
  ring(call: SimulatedRing): Promise<string>;
  close(): Promise<void>;
}

/** The named export `simulator` of a carrier's `simulator.ts`. */
export type CarrierSimulator = Readonly<{ name: string; start(options: SimulatorOptions): Promise<RunningSimulator> }>;
