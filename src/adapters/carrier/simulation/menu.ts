import { KeyDetector } from "../../../audio/dtmf-detector.ts";
import { FRAME_MS } from "../../../model/audio.ts";
import { movesOf, prepareCaller, type Caller, type CallerMove } from "./caller.ts";
import type { CallerScript, Speak } from "./script.ts";

/** Makes whoever answers by a script: its person, or the menu in front of them. Rejects when a text cannot be spoken. */
export const prepareFarEnd = async (script: CallerScript, speak: Speak | undefined): Promise<Caller> => {
  const person = await prepareCaller(script, speak);
  if (script.menu === undefined) return person;
  const { offer, wrong, connecting, key } = script.menu;
  const sound = {
    offer: await movesOf({ text: offer }, speak),
    wrong: await movesOf({ text: wrong }, speak),
    connecting: await movesOf({ text: connecting }, speak),
  };
  return new MenuCaller(sound, key, person);
};

/** What a simulated phone menu says; each is ready as sound, 20 ms a move. */
export type MenuSound = Readonly<{
  offer: readonly CallerMove[];
  wrong: readonly CallerMove[];
  connecting: readonly CallerMove[];
}>;

/**
 * An automated menu in front of a person. It offers its options, hears keys as tones in the sound, also while it speaks, and after the
 * right one it connects to the person, who has heard nothing of all this.
 *
 *   offer ─► wait ──right key──► connecting ─► silence ─► the person
 *     ▲        ├──wrong key──► wrong ─┐
 *     └────────┴──── 6 s ─────────────┘   (hangs up after the third time)
 */
export class MenuCaller implements Caller {
  readonly #sound: MenuSound;
  readonly #key: string;
  readonly #person: Caller;
  readonly #keys = new KeyDetector(LINE_RATE);
  #saying: readonly CallerMove[];
  #at = 0;
  #silentMs = 0;
  #offers = 1;
  #state: "offering" | "connecting" | "connected" = "offering";

  /** `key`: the one that leads to the person. */
  constructor(sound: MenuSound, key: string, person: Caller) {
    this.#sound = sound;
    this.#key = key;
    this.#person = person;
    this.#saying = sound.offer;
  }

  next(heard: Int16Array): CallerMove {
    if (this.#state === "connected") return this.#person.next(heard);
    const key = this.#keys.next(heard);
    if (key !== undefined && this.#state === "offering") this.#pressed(key);
    const move = this.#saying[this.#at];
    this.#at += 1;
    return move ?? this.#rest();
  }

  #pressed(key: string): void {
    if (key === this.#key) this.#state = "connecting";
    this.#say(key === this.#key ? this.#sound.connecting : this.#sound.wrong);
  }

  #say(moves: readonly CallerMove[]): void {
    this.#saying = moves;
    this.#at = 0;
    this.#silentMs = 0;
  }

  #rest(): CallerMove {
    this.#silentMs += FRAME_MS;
    if (this.#state === "connecting") {
      if (this.#silentMs >= CONNECTING_MS) this.#state = "connected";
      return NOTHING;
    }
    if (this.#silentMs < PATIENCE_MS) return NOTHING;
    if (this.#offers >= MOST_OFFERS) return HANG_UP;
    this.#offers += 1;
    this.#say(this.#sound.offer);
    return NOTHING;
  }
}

const NOTHING: CallerMove = Object.freeze({});
const HANG_UP: CallerMove = Object.freeze({ hangUp: true });
const LINE_RATE = 8000;
const PATIENCE_MS = 6000;
const CONNECTING_MS = 3000;
const MOST_OFFERS = 3;
