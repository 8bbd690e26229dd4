import { afterEach, expect, test } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import { CarrierHttpClient } from "../../../../src/adapters/http/carrier-http-client.ts";
import descriptor from "../../../../src/adapters/carrier/sip/sip.ts";
import { adapterDeps } from "../../../kit/adapter-deps.ts";
import { keySound } from "../../../../src/audio/dtmf.ts";
import { fidelityOf } from "../../../kit/fidelity.ts";
import { concat, silence, tone } from "../../../kit/tones.ts";
import { carrierContract } from "../../../contract/carrier.contract.ts";
import { scriptedServer } from "./scripted-server.ts";
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

const SCRIPTS: Readonly<Record<string, Parameters<typeof scriptedServer>[0]>> = {
  "+12025550134": () => [{ status: 404 }],
  "+12025550135": () => [{ status: 403 }],
  "+12025550136": () => [{ status: 100 }, { status: 500 }],
  "+12025550137": () => [{ status: 503, headers: [["retry-after", "1"]] }],
};

carrierContract(
  async () => {
    let rung = 0;
    const server = await scriptedServer((user) => {
      const script = SCRIPTS[user];
      if (script !== undefined) return script(user);
      rung += 1;
      return [{ status: 100 }, { status: 180 }];
    });
    const trunk = await openTrunk(await freePort(), server.port);
    return {
      carrier: trunk.carrier,
      placed: () => rung,
      request: (to) => placeRequest(to),
      close: async () => {
        await trunk.carrier.close();
        await server.close();
      },
    };
  },
  {
    answers: "+12025550123",
    outcomes: [
      ["+12025550134", { type: "rejected", reason: "invalid_number" }, 0],
      ["+12025550135", { type: "rejected", reason: "carrier_rejected" }, 0],
      ["+12025550136", { type: "rejected", reason: "carrier_error" }, 0],
      ["+12025550137", { type: "rate-limited", retryAfterMs: 1000 }, 0],
    ],
  },
);

test("a request that is not answered in time may have arrived, and is found again when it has", async () => {
  const server = await scriptedServer(() => []);
  const trunk = await openTrunk(await freePort(), server.port);
  open.push(trunk);
  const request = placeRequest("+12025550123");
  const patience = new AbortController();
  const placing = trunk.carrier.place(request, patience.signal);
  while (server.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
  patience.abort();
  expect(await placing).toMatchObject({ type: "ambiguous" });
  const { dialId } = request;
  expect(await trunk.carrier.lookUp({ dialId }, patience.signal)).toEqual({ state: "absent", final: false });
  server.answer(dialId, 180);
  while ((await trunk.carrier.lookUp({ dialId }, patience.signal)).state === "absent")
    await new Promise((resolve) => setImmediate(resolve));
  expect(await trunk.carrier.lookUp({ dialId }, patience.signal)).toEqual({ state: "ringing", callId: dialId });
  await trunk.carrier.hangUp(dialId, patience.signal);
  expect(await trunk.host.anEnd()).toEqual({ state: "ended", callId: dialId, end: { cause: "canceled" } });
  while (!server.asked.some(({ method }) => method === "CANCEL")) await new Promise((resolve) => setImmediate(resolve));
  expect(server.asked.filter(({ method }) => method === "INVITE")).toHaveLength(1);
  await server.close();
});

test.each([
  ["a name that has no address", { SIP_SERVER: "nowhere.invalid" }],
  ["a connection that is refused", { SIP_TRANSPORT: "tcp" }],
])("%s means that nothing was sent", async (_what, settings) => {
  const trunk = await openTrunk(await freePort(), await freePort(), settings);
  open.push(trunk);
  const request = placeRequest("+12025550123");
  expect(await trunk.carrier.place(request, patience())).toMatchObject({ type: "not-sent" });
  expect(await trunk.carrier.lookUp({ dialId: request.dialId }, patience())).toMatchObject({ state: "absent" });
  expect(trunk.host.reports).toEqual([]);
});

test("a caller who gives up before anybody answers is let go", async () => {
  const [a, b] = await twoTrunks();
  const request = placeRequest("helpdesk");
  await a.carrier.place(request, patience());
  const [call] = b.host.rings;
  if (call === undefined) throw new Error("nobody rang");
  await a.carrier.hangUp(request.dialId, patience());
  expect(await b.host.anEnd()).toMatchObject({ end: { cause: "canceled", endedBy: "remote" } });
  await expect(b.carrier.answer?.(call, { ...request, dialId: "late" }, patience())).rejects.toThrow(/hung up/);
});

test("a caller whom nobody can answer hears that it is busy", async () => {
  const [a, b] = await twoTrunks();
  b.host.onRing = (call) => void b.carrier.decline?.(call, "busy", patience());
  expect(await a.carrier.place(placeRequest("+12025550123"), patience())).toMatchObject({ type: "accepted" });
  expect(await a.host.anEnd()).toMatchObject({ end: { cause: "busy" } });
});

test("a port that is taken is told, with what to do", async () => {
  const [a] = await twoTrunks();
  await expect(openTrunk(a.port, a.port)).rejects.toThrow(/SIP_LISTEN/);
});

test("an account is checked without ringing anybody, and a refused password is told", async () => {
  const server = await scriptedServer(() => []);
  const clock = new SystemClock();
  const deps = { ...adapterDeps({ clock }), http: new CarrierHttpClient({ clock }) };
  const check = (settings: Readonly<Record<string, string>>, signal = patience()) =>
    descriptor.check?.(
      { id: "sip", settings: { SIP_SERVER: `127.0.0.1:${server.port}`, SIP_LISTEN: "127.0.0.1:5060", ...settings } },
      deps,
      signal,
    );
  await check({});
  await check({ SIP_USERNAME: "alice", SIP_PASSWORD: "secret" });
  expect(server.asked.map(({ method }) => method)).toEqual(["OPTIONS", "REGISTER"]);
  expect(server.asked[1]?.headers.some(([name]) => name === "contact")).toBe(false);
  server.refuse(403);
  await expect(check({ SIP_USERNAME: "alice", SIP_PASSWORD: "wrong" })).rejects.toMatchObject({ status: 403 });
  const enough = new AbortController();
  const waiting = check({ SIP_SERVER: `127.0.0.1:${await freePort()}` }, enough.signal);
  enough.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await server.close();
});
