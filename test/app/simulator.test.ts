import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { startSimulator, UnknownSimulator } from "../../src/app/simulator.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";
import { watchForLeaks } from "../kit/leaks.ts";

test("a simulator whose port is taken says so and leaves nothing running", async () => {
  const expectNothingLeft = watchForLeaks();
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const options = { carrier: "twilio", port, host: "127.0.0.1", faults: {} };
  await expect(startSimulator(adapterDeps(), {}, options)).rejects.toMatchObject({ code: "EADDRINUSE" });
  taken.close();
  await once(taken, "close");
  await expectNothingLeft();
});

test("an unknown carrier is answered with those that there are", async () => {
  const options = { carrier: "acme", port: 0, host: "127.0.0.1", faults: {} };
  const started = startSimulator(adapterDeps(), {}, options);
  await expect(started).rejects.toThrow(UnknownSimulator);
  await expect(started).rejects.toThrow(/plivo.*telnyx.*twilio.*vonage/u);
});
