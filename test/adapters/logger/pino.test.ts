import { expect, test } from "vitest";
import { createPinoLogger, type LogLevel } from "../../../src/adapters/logger/pino.ts";

const capture = (level: LogLevel = "debug", traceIds = false) => {
  const lines: string[] = [];
  const logger = createPinoLogger({
    level,
    traceIds,
    now: () => Date.UTC(2026, 0, 5),
    destination: { write: (line) => lines.push(line) },
  });
  return { logger, lines, parsed: () => lines.map((line): unknown => JSON.parse(line)) };
};

test("a line is one JSON object with level, time, message and fields", () => {
  const { logger, parsed } = capture();
  logger.child({ component: "api" }).warn("dial was not enqueued", { dialId: "d1", attempt: 2 });
  expect(parsed()).toEqual([
    {
      level: "warn",
      time: "2026-01-05T00:00:00.000Z",
      component: "api",
      dialId: "d1",
      attempt: 2,
      msg: "dial was not enqueued",
    },
  ]);
});

test("a field that is not on the list is left out, and its name is told", () => {
  const { logger, lines, parsed } = capture();
  logger.info("call started", { dialId: "d1", toNumber: "+12025550123", prompt: "You are Anna" });
  logger.child({ apiKey: "sk_secret" }).info("listening");
  expect(lines.join("")).not.toMatch(/\+12025550123|Anna|sk_secret/);
  expect(parsed()).toMatchObject([{ notLogged: ["toNumber", "prompt"] }, { notLogged: ["apiKey"] }]);
});

test("errors are written with their code and causes, and a ring of causes ends", () => {
  const { logger, parsed } = capture();
  const root = Object.assign(new Error("connection refused"), { code: "ECONNREFUSED" });
  const ring = new Error("ring");
  ring.cause = ring;
  logger.error("store is away", { error: new Error("no answer", { cause: root }) });
  logger.error("ring", { error: ring });
  expect(parsed()[0]).toMatchObject({
    error: { message: "no answer", cause: { message: "connection refused", code: "ECONNREFUSED" } },
  });
  expect(parsed()).toHaveLength(2);
});

test("lines below the level are not written", () => {
  const { logger, lines } = capture("error");
  logger.debug("a");
  logger.info("b");
  logger.warn("c");
  logger.error("d");
  expect(lines).toHaveLength(1);
});

test("where traces are sent, lines about a dial name its trace", () => {
  const { logger, parsed } = capture("debug", true);
  const dialId = "01a1f915-8403-702e-a77f-10eaa4c052c2";
  logger.info("a dial was created", { dialId });
  logger.child({ dialId }).warn("hearing failed");
  logger.info("listening");
  expect(parsed().slice(0, 2)).toMatchObject(
    Array.from({ length: 2 }, () => ({ dialId, trace_id: dialId.replaceAll("-", "") })),
  );
  expect(parsed()[2]).not.toHaveProperty("trace_id");
});
