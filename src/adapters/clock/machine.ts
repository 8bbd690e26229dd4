/**
 * Milliseconds of the machine's monotonic clock (CLOCK_MONOTONIC), with fractions: the same in every process of the machine, so that
 * what one wrote can be set against what another read.
 */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6;
