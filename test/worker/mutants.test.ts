import { expect, test } from "vitest";
import type { Claim, DialStore } from "../../src/ports/store.ts";
import type { SeededRandom } from "../kit/seeded-random.ts";
import { check, History, type Mutation } from "./history.ts";
import type { Fault } from "./sim-process.ts";

/** A process that stands still for longer than the horizon, in one of the first steps of a dial. */
const longStop = (random: SeededRandom): readonly Fault[] => [
  { step: Math.floor(random.fraction() * 12), type: "pause", ms: 200_000 + random.fraction() * 100_000 },
];

/**
 * Protocols that somebody might have written instead of ours, each wrong in one way. They are made of the ports that the worker and
 * the reaper go through, so the product's code is the same for all. What finds nothing wrong with one of them proves nothing about
 * ours either.
 */
const MUTANTS: Readonly<Record<string, Mutation>> = {
  "a request whose answer was lost is made again": {
    carrier: (carrier) =>
      instead(carrier, {
        place: async (request, signal) => {
          const outcome = await carrier.place(request, signal);
          return outcome.type === "ambiguous" ? { type: "not-sent", cause: outcome.cause } : outcome;
        },
      }),
  },
  "a dial whose worker is gone is queued again": {
    dials: (dials, store) => ({
      ...dials,
      takeOverLapsed: async (owner, limit) => {
        const taken = await dials.takeOverLapsed(owner, limit);
        for (const { dialId } of taken) if (store.row(dialId).state === "PLACING") store.row(dialId).state = "QUEUED";
        return taken.filter(({ dialId }) => store.row(dialId).state !== "QUEUED");
      },
    }),
  },
  "a deadline that does not run while the process stands still": {
    faults: longStop,
    clock: (process) => ({ ...process.clock, monotonic: () => process.awakeMs }),
  },
  "a deadline that counts from the answer to the claim": {
    faults: longStop,
    // What is read before the claim leaves is ahead by what the claim takes.
    clock: (process) => ({ ...process.clock, monotonic: () => process.clock.monotonic() - process.claimingMs }),
  },
  "a dial that may be claimed again, and whose jobs come again": {
    dials: (dials, store) => ({
      ...dials,
      claim: async (dialId, owner, limits) => {
        if (store.row(dialId).state === "PLACING") store.row(dialId).state = "QUEUED";
        return dials.claim(dialId, owner, limits);
      },
      peek: async (dialId) => {
        const dial = await dials.peek(dialId);
        return dial?.state === "PLACING" ? { ...dial, state: "QUEUED" } : dial;
      },
      findUnqueued: async () => (["RINGING", "IN_PROGRESS", "ENDED"].includes(store.row("d1").state) ? [] : ["d1"]),
    }),
  },
  "a lost answer that is taken for a refusal": {
    carrier: (carrier) =>
      instead(carrier, {
        place: async (request, signal) => {
          const outcome = await carrier.place(request, signal);
          return outcome.type === "ambiguous" ? { type: "rejected", reason: "carrier_error" } : outcome;
        },
      }),
  },
  "a hang-up whose reason is not noted before": {
    dials: (dials) => ({ ...dials, intendHangUp: async () => true }),
  },
  "an end that counts for as much as any other": {
    dials: (dials, store) => ({
      ...dials,
      end: async (dialId, ending) => {
        Object.assign(store.row(dialId), { evidence: 0, corrected: false });
        return dials.end(dialId, ending);
      },
    }),
  },
  "an absence that is believed at once": {
    dials: (dials) => ({
      ...dials,
      takeOverLapsed: async (owner, limit) =>
        (await dials.takeOverLapsed(owner, limit)).map((dial) => ({ ...dial, pastHorizon: true })),
      findWeaklyEnded: async () => [],
    }),
  },
  "a lease that nobody takes over": {
    dials: (dials) => ({ ...dials, takeOverLapsed: async () => [], findUnconfirmed: async () => [] }),
  },
  "a worker that goes on although its dial was taken over": {
    dials: (dials, store) => {
      const renewed = (claim: Claim): Claim => ({ ...claim, epoch: store.row(claim.dialId).epoch });
      const unfenced: Pick<DialStore, "beat" | "attachCall" | "intendHangUp"> = {
        beat: async () => true,
        attachCall: async (claim, callId) => {
          await dials.attachCall(renewed(claim), callId);
          return true;
        },
        intendHangUp: (dialId, reason, endedBy, claim) =>
          dials.intendHangUp(dialId, reason, endedBy, claim && renewed(claim)),
      };
      return { ...dials, ...unfenced, peek: async () => undefined };
    },
  },
};

/** Enough that each of them is caught from any seed; the rarest needs a few hundred. */
const MOST_HISTORIES = Number(process.env["MUTANT_HISTORIES"] ?? 2_000);
const FIRST_SEED = Number(process.env["MODEL_SEED"] ?? 1);

test.for(Object.entries(MUTANTS))("histories show what is wrong with %s", { timeout: 60_000 }, async ([, mutation]) => {
  const caught = await firstCaught(mutation);
  expect(caught).toBeDefined();
});

test("histories show nothing wrong with our protocol where a process stands still for longer than the horizon", async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + 100; seed++) {
    const history = new History(seed, { faults: longStop });
    await history.run();
    check(history, seed);
  }
});

/** The number of histories until one shows that something is wrong; `undefined` when none does. */
const firstCaught = async (mutation: Mutation): Promise<number | undefined> => {
  for (let nth = 0; nth < MOST_HISTORIES; nth++) {
    const history = new History(FIRST_SEED + nth, mutation);
    await history.run();
    try {
      check(history, FIRST_SEED + nth);
    } catch {
      return nth + 1;
    }
  }
  return undefined;
};

/** A port with some of its methods replaced; the others keep their object, which may have private state. */
const instead = <T extends object>(port: T, methods: Partial<T>): T =>
  new Proxy(port, {
    get: (target, name) => {
      const replaced: unknown = Reflect.get(methods, name);
      if (replaced !== undefined) return replaced;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
