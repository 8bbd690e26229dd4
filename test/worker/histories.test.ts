import { expect, test } from "vitest";
import { check, History } from "./history.ts";

const HISTORIES = Number(process.env["MODEL_HISTORIES"] ?? 200);
const FIRST_SEED = Number(process.env["MODEL_SEED"] ?? 1);

test("however processes die, statements fail and carriers stay silent, one person is called at most once and every dial ends once, truly", async () => {
  let connected = 0;
  let lostAnswers = 0;
  let lostTalks = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
    const history = new History(seed);
    await history.run();
    check(history, seed);
    const talks = history.calls.answered.length > 0;
    if (talks) connected += 1;
    // A lost answer alone must not cost the conversation.
    const { script, calledOffAt } = history.story;
    const wanted = script.person === "answers" && script.media !== false && calledOffAt === undefined;
    if (history.faults.length > 0 || script.answers[0] !== "lost-after" || !wanted) continue;
    lostAnswers += 1;
    if (talks) lostTalks += 1;
  }
  expect(lostTalks).toBe(lostAnswers);
  // The histories are about calls that happen, not only about calls that fail.
  expect(connected).toBeGreaterThan(HISTORIES / 6);
});
