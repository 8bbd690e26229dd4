import { afterEach, expect, test } from "vitest";
import { keySound } from "../../../../src/audio/dtmf.ts";
import { fidelityOf } from "../../../kit/fidelity.ts";
import { concat, silence, tone } from "../../../kit/tones.ts";
import { answering, freePort, openTrunk, patience, placeRequest, type Trunk } from "./trunk-rig.ts";

const open: Trunk[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ carrier }) => carrier.close()));
});

const twoTrunks = async (settings: Readonly<Record<string, string>> = {}): Promise<readonly [Trunk, Trunk]> => {
  const [portA, portB] = [await freePort(), await freePort()];
  const [a, b] = [await openTrunk(portA, portB, settings), await openTrunk(portB, portA, settings)];
  open.push(a, b);
  return [a, b];
};

test.each(["udp", "tcp"])("two of us talk and press keys over %s, and hang up", async (SIP_TRANSPORT) => {
  const [a, b] = await twoTrunks({ SIP_TRANSPORT });
  answering(b);
  const request = placeRequest("+12025550123");
  expect(await a.carrier.place(request, patience())).toEqual({ type: "accepted", callId: request.dialId });
  const [near, far] = [await a.host.aLine(), await b.host.aLine()];
  expect(b.host.rings).toEqual([{ callId: request.dialId, from: "+12025550100", to: "+12025550123" }]);
  expect(near.line.format).toEqual({ encoding: "mulaw", sampleRate: 8000 });
  const up = concat(tone(440, 300, 8000), tone(523, 300, 8000), tone(784, 400, 8000));
  const down = concat(tone(350, 400, 8000), tone(620, 600, 8000));
  await Promise.all([
    near.play(concat(up, keySound("4", 8000), keySound("#", 8000), silence(200, 8000))),
    far.play(down),
  ]);
  expect(fidelityOf(up, far.sound, 8000).median).toBeGreaterThan(0.99);
  expect(fidelityOf(down, near.sound, 8000).median).toBeGreaterThan(0.99);
  expect(far.digits).toEqual(["4", "#"]);
  await a.carrier.hangUp(request.dialId, patience());
  expect(await near.gone).toBe("closed-by-us");
  expect(await far.gone).toBe("hung-up");
  expect(await a.host.anEnd()).toMatchObject({ state: "ended", end: { cause: "completed" } });
  expect(await b.host.anEnd()).toMatchObject({ state: "ended", end: { cause: "completed", endedBy: "remote" } });
});
