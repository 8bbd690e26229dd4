import { expect, test } from "vitest";
import { transcriberLookUp } from "../../src/app/transcriber-look-up.ts";
import { Breakers } from "../../src/kit/breakers.ts";
import type { Takeover } from "../../src/model/takeover.ts";
import type { Transcriber } from "../../src/ports/transcriber.ts";
import { createProviders } from "../../src/registry.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";
import { serveAssembly } from "../kit/vendors/assemblyai-vendor.ts";
import { KEY, serveNova } from "../kit/vendors/deepgram-vendors.ts";
import { until, VendorListener } from "../kit/vendors/vendor-listener.ts";
import { quietBytes } from "../kit/vendors/spoken-bytes.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

test("what a vendor is silent about is heard by the one that the agent names behind it", async () => {
  const clock = new VirtualClock();
  const [deepgram, assembly] = await Promise.all([serveNova([{ type: "stalls" }]), serveAssembly()]);
  const deps = adapterDeps({ clock });
  const env = {
    DEEPGRAM_API_KEY: KEY,
    DEEPGRAM_BASE_URL: deepgram.url,
    ASSEMBLYAI_API_KEY: KEY,
    ASSEMBLYAI_BASE_URL: assembly.url,
  };
  const { running } = await createProviders<Transcriber>("transcriber", [], env, deps);
  const transcribers = running.map(({ made }) => made);
  expect(transcribers.map(({ name }) => name)).toEqual(["assemblyai", "deepgram-flux", "deepgram"]);
  const breakers = new Breakers({ clock, logger: deps.logger });
  const look = transcriberLookUp({ defaults: { transcriberFallbacks: [] } }, transcribers, deps, breakers);
  const takeovers: Takeover[] = [];
  const chosen = look("deepgram", {
    language: "en-US",
    fallbacks: ["assemblyai"],
    tookOver: (takeover) => takeovers.push(takeover),
  });
  const ear = new VendorListener(chosen, []);
  await until(clock, () => deepgram.record.opened.length === 1);
  const from = clock.monotonic();
  ear.say(quietBytes(500), "book", "a", "table");
  const answered = ear.finalize();
  await until(clock, () => takeovers.length === 1);
  expect(clock.monotonic() - from).toBe(700);
  await until(clock, () => ear.text !== "");
  await answered;
  expect(ear.text).toBe("book a table");
  expect(takeovers).toEqual([{ part: "transcriber", from: "deepgram", to: "assemblyai", why: "late" }]);
  ear.stream.close();
  for (const { made } of running) await made.close();
  for (const vendor of [deepgram, assembly]) {
    await vendor.record.until(() => vendor.record.live === 0);
    vendor.record.check();
    await vendor.close();
  }
});
