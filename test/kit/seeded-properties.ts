/**
 * Gives properties the same seed in every run, so that a run of all tests says the same of the same code. `FC_SEED=random` looks
 * further, `FC_SEED=<number>` looks again at what a failure printed.
 */
import fc from "fast-check";

const FIXED_SEED = 20_261_120;

const seed = process.env["FC_SEED"];
if (seed !== "random") fc.configureGlobal({ seed: Number(seed ?? FIXED_SEED) });
