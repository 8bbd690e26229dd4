import { expect, test } from "vitest";
import { FunctionInvoker } from "../../src/dials/invoke-function.ts";
import { builtInTools } from "../../src/dialogue/functions.ts";
import type { CallPlan } from "../../src/model/call-plan.ts";
import type { CallCommand } from "../../src/ports/live.ts";
import { testPlan } from "../kit/dial-plans.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const ALLOW = { id: "c1", name: "allow_recording", args: "" };

const invokeWith = async (plan: Partial<CallPlan>, listening: boolean) => {
  const commands: CallCommand[] = [];
  const live = {
    command: async (_: string, command: CallCommand) => {
      commands.push(command);
      return listening;
    },
  };
  const http = { post: async () => ({ type: "refused", why: "nobody is called here" }) as const };
  const deps = { clock: new VirtualClock(), random: new SeededRandom(1), logger: silentLogger(), http, live };
  const invoker = new FunctionInvoker(
    { ...deps, http: { ...http, close: async () => undefined } },
    testPlan({ dialId: "d1", ...plan }),
  );
  const outcome = await invoker.invoke(ALLOW, new AbortController().signal);
  return { commands, result: outcome.type === "result" ? outcome.result : "" };
};

test("the agent's action begins the recording, and says so when it could not", async () => {
  const asking = { recording: { requireConsent: true } } as const;
  const { commands, result } = await invokeWith(asking, true);
  expect(commands).toEqual([{ type: "recording", action: "start" }]);
  expect(result).toContain('"ok":true');
  expect((await invokeWith(asking, false)).result).toContain("not_recorded");
});

test("an agent that need not ask has no such action", async () => {
  const { commands, result } = await invokeWith({}, true);
  expect(commands).toEqual([]);
  expect(result).toContain("not_needed");
  const names = (plan: Pick<CallPlan, "recording">) =>
    builtInTools({ direction: "outbound", ...plan }).map(({ name }) => name);
  expect(names({})).not.toContain("allow_recording");
  expect(names({ recording: { requireConsent: true } })).toContain("allow_recording");
});
