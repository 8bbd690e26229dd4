import { expect, test } from "vitest";
import { zonesOf } from "../../src/dials/number-zones.ts";
import { planWindow } from "../../src/dials/plan-window.ts";
import { isOpen, windowIn } from "../../src/model/calling-window.ts";

const agent = (callingWindow?: Parameters<typeof windowIn>[0]) => ({
  id: "a",
  name: "A",
  language: "en",
  ...(callingWindow === undefined ? {} : { callingWindow }),
});
const MONDAY_NOON_UTC = Date.UTC(2026, 0, 5, 12, 0);

test("a number is where its area code or its country is", () => {
  expect(zonesOf("+12125550123")).toEqual(["America/New_York"]);
  expect(zonesOf("+13105550123")).toEqual(["America/Los_Angeles"]);
  expect(zonesOf("+14165550123")).toEqual(["America/Toronto"]);
  expect(zonesOf("+81312345678")).toEqual(["Asia/Tokyo"]);
  expect(zonesOf("+493012345678")).toContain("Europe/Berlin");
  expect(zonesOf("+61212345678").length).toBeGreaterThan(2);
  expect(zonesOf("+870123456789")).toEqual([]);
  for (const number of ["+12125550123", "+61212345678", "+5511912345678"])
    for (const timeZone of zonesOf(number)) expect(() => new Intl.DateTimeFormat("en", { timeZone })).not.toThrow();
});

test("a window is that of the clocks where the number is", () => {
  const window = (days?: ("MON" | "TUE")[]) => ({
    ...(days === undefined ? {} : { days }),
    start: "07:00",
    end: "20:00",
  });
  const open = (number: string, days?: ("MON" | "TUE")[], atMs = MONDAY_NOON_UTC) =>
    isOpen(windowIn(window(days), zonesOf(number)), atMs);
  // 07:00 in New York, 04:00 in Los Angeles, 21:00 in Tokyo.
  expect([open("+12125550123"), open("+13105550123"), open("+81312345678")]).toEqual([true, false, false]);
  expect(open("+12125550123", undefined, MONDAY_NOON_UTC - 1)).toBe(false);
  expect([open("+12125550123", ["MON"]), open("+12125550123", ["TUE"])]).toEqual([true, false]);
  // 20:00 in New York is over.
  expect(open("+12125550123", undefined, Date.UTC(2026, 0, 6, 1, 0))).toBe(false);
  // In summer New York is an hour nearer.
  expect(open("+12125550123", undefined, Date.UTC(2026, 6, 6, 11, 0))).toBe(true);
});

test("a dial that has to wait says so, and agents without a window call at any time", () => {
  const window = { start: "09:00", end: "20:00" };
  expect(planWindow(agent(), "+12125550123", MONDAY_NOON_UTC)).toEqual({ warnings: [] });
  expect(planWindow(agent(window), undefined, MONDAY_NOON_UTC)).toEqual({ warnings: [] });
  expect(planWindow(agent(window), "+12125550123", MONDAY_NOON_UTC).warnings).toHaveLength(1);
  expect(planWindow(agent(window), "+493012345678", MONDAY_NOON_UTC).warnings).toEqual([]);
  expect(planWindow(agent(window), "+870123456789", MONDAY_NOON_UTC)).toMatchObject({
    value: { zones: ["UTC"], days: [1, 2, 3, 4, 5, 6, 7] },
    warnings: [expect.stringContaining("time zone")],
  });
});
