import fc from "fast-check";
import { expect, test } from "vitest";
import { Breakers } from "../../src/kit/breakers.ts";
import {
  admit,
  afterFailure,
  afterSuccess,
  closedCircuit,
  COOL_DOWN_MS,
  FAILURES_TO_OPEN,
  FORGOTTEN_MS,
  LONGEST_COOL_DOWN_MS,
  TRIAL_MS,
  type Circuit,
  type Failure,
} from "../../src/kit/circuit-breaker.ts";
import { ProviderError } from "../../src/ports/provider-error.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const KINDS: readonly Failure[] = ["auth", "rate-limited", "unavailable", "rejected", "timeout", "unknown"];

const happening = fc.record({
  afterMs: fc.oneof(fc.nat(1000), fc.nat(400_000)),
  what: fc.oneof(fc.constantFrom("admit" as const, "success" as const), fc.constantFrom(...KINDS)),
});

test("whatever happens, an open circuit lets nobody through before its time, and one at a time after it", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
      let circuit: Circuit = closedCircuit;
      let now = 0;
      for (const { afterMs, what } of happenings) {
        now += afterMs;
        const before = circuit;
        if (what === "admit") {
          const answer = admit(circuit, now);
          ({ circuit } = answer);
          expect(answer.admitted).toBe(before.state === "closed" || now >= before.untilMs);
          if (before.state !== "closed" && answer.admitted)
            expect(admit(circuit, now + TRIAL_MS - 1).admitted).toBe(false);
        } else if (what === "success") circuit = afterSuccess(circuit);
        else circuit = afterFailure(circuit, what, now);
        if (circuit.state === "open" && circuit !== before) {
          expect(circuit.untilMs - now).toBeGreaterThanOrEqual(COOL_DOWN_MS);
          expect(circuit.untilMs - now).toBeLessThanOrEqual(LONGEST_COOL_DOWN_MS);
        }
        // Nobody is left out for ever.
        expect(admit(circuit, now + LONGEST_COOL_DOWN_MS).admitted).toBe(true);
      }
    }),
  );
});

test("failures that are few, far apart, or divided by a success never open a circuit", () => {
  const harmless = fc.constantFrom<Failure>("unavailable", "timeout", "unknown", "rejected");
  const groups = fc.array(fc.array(harmless, { maxLength: FAILURES_TO_OPEN - 1 }), { maxLength: 20 });
  fc.assert(
    fc.property(groups, fc.boolean(), (failing, bySuccess) => {
      let circuit: Circuit = closedCircuit;
      let now = 0;
      for (const group of failing) {
        for (const kind of group) circuit = afterFailure(circuit, kind, now);
        if (bySuccess) circuit = afterSuccess(circuit);
        else now += FORGOTTEN_MS + 1;
        expect(circuit.state).toBe("closed");
      }
    }),
  );
});

test("a trial that fails opens the circuit for twice as long, up to a bound; one that succeeds closes it", () => {
  let circuit = afterFailure(closedCircuit, "auth", 0);
  let now = 0;
  const coolDowns: number[] = [];
  for (let round = 0; round < 7; round++) {
    if (circuit.state !== "open") throw new Error("it is open");
    coolDowns.push(circuit.untilMs - now);
    now = circuit.untilMs;
    circuit = afterFailure(admit(circuit, now).circuit, "timeout", now);
  }
  expect(coolDowns).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
  expect(afterSuccess(circuit).state).toBe("open");
  expect(afterSuccess(admit(circuit, now + LONGEST_COOL_DOWN_MS).circuit)).toEqual(closedCircuit);
});

test("everybody in a process shares what is known of a provider, and its state is told from the beginning on", () => {
  const clock = new VirtualClock();
  const states: string[] = [];
  const breakers = new Breakers({
    clock,
    logger: silentLogger(),
    metrics: { breaker: (port, provider, state) => states.push(`${port} ${provider} ${state}`) },
  });
  for (let call = 0; call < FAILURES_TO_OPEN; call++) {
    expect(breakers.of("model", "acme").admit()).toBe(true);
    breakers.of("model", "acme").failed(new ProviderError("acme", "unavailable", "it is down"));
  }
  expect(breakers.of("model", "acme").admit()).toBe(false);
  expect(breakers.of("model", "other").admit()).toBe(true);
  expect(breakers.of("synthesizer", "acme").admit()).toBe(true);
  expect(states).toEqual(["model acme closed", "model acme open", "model other closed", "synthesizer acme closed"]);
});

test("one call after the pause tries, the others go elsewhere, and its success is everybody's", async () => {
  const clock = new VirtualClock();
  const breaker = new Breakers({ clock, logger: silentLogger() }).of("model", "acme");
  breaker.failed(new ProviderError("acme", "rate-limited", "too many requests"));
  expect(breaker.admit()).toBe(false);
  await clock.advance(COOL_DOWN_MS);
  expect([breaker.admit(), breaker.admit()]).toEqual([true, false]);
  breaker.succeeded();
  expect([breaker.admit(), breaker.admit()]).toEqual([true, true]);
});
