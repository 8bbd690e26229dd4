import { callEnd, type EndReason } from "../../src/model/call-end.ts";
import type { CallPlan } from "../../src/model/call-plan.ts";
import type { CarrierEnd } from "../../src/ports/carrier.ts";
import type { Claim, Ending, Store } from "../../src/ports/store.ts";
import { testPlan } from "../kit/dial-plans.ts";

/** A store, and the means to let time pass for one dial: `age` moves its times `ms` into the past. */
export type StoreUnderTest = Readonly<{ store: Store; age(dialId: string, ms: number): Promise<void> }>;

/** What the tests of a store stand on; `open` fills it in before the first one. */
export class StoreRig {
  #opened: StoreUnderTest | undefined;
  #count = 0;

  open(opened: StoreUnderTest): void {
    this.#opened = opened;
  }

  get store(): Store {
    return this.#get().store;
  }

  age(dialId: string, ms: number): Promise<void> {
    return this.#get().age(dialId, ms);
  }

  /** A queued dial to a number of its own, because two dials between the same numbers are not placed at the same time. */
  async makeDial(parts: Partial<CallPlan> = {}): Promise<string> {
    this.#count += 1;
    const dialId = `dial-${this.#count}`;
    const toNumber = `+1202555${String(this.#count).padStart(4, "0")}`;
    const plan = testPlan({ dialId, toNumber, ...parts });
    await this.store.dials.create({ plan, sessionId: `session-${this.#count}` });
    return dialId;
  }

  async claimed(parts: Partial<CallPlan> = {}): Promise<Claim> {
    const claim = await this.store.dials.claim(await this.makeDial(parts), "worker-1");
    if (claim === undefined) throw new Error("a fresh dial was not claimed");
    return claim;
  }

  #get(): StoreUnderTest {
    if (this.#opened === undefined) throw new Error("the store was not opened");
    return this.#opened;
  }
}

export const WORKSPACE = "workspace-1";
export const FOREIGN = "workspace-2";

export const observed = (reason: EndReason, evidence: Ending["evidence"] = 2): Ending => ({
  type: "observed",
  evidence,
  end: callEnd(reason, "system"),
});

export const carrierSaid = (end: CarrierEnd, otherwise?: EndReason): Ending => ({
  type: "carrier",
  evidence: 3,
  end,
  ...(otherwise === undefined ? {} : { otherwise }),
});
