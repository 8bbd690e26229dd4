import type { AnsweredBy, CarrierCall, CarrierReport } from "../../../ports/carrier.ts";

/** What a callback comes to whose call and whose word on who answered were read; nothing without a call. */
export const reportOf = (
  call: CarrierCall | undefined,
  answeredBy: AnsweredBy | undefined,
): Omit<CarrierReport, "dialId"> | undefined => call && { call, ...(answeredBy === undefined ? {} : { answeredBy }) };
