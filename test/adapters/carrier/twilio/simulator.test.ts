import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import twilio from "twilio";
import { afterEach, expect, test } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import { readDocument } from "../../../../src/adapters/carrier/simulation/markup.ts";
import { simulator } from "../../../../src/adapters/carrier/twilio/simulator.ts";
import type { CarrierFaults, RunningSimulator } from "../../../../src/ports/carrier-simulator.ts";
import { SeededRandom } from "../../../kit/seeded-random.ts";
import { silentLogger } from "../../../kit/silent-logger.ts";

type Told = Readonly<{ url: string; signature: string; fields: Record<string, string> }>;

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

/** A simulated account, its official client, and a server that notes what it is told. */
const account = async (faults: CarrierFaults = {}) => {
  const told: Told[] = [];
  const waiting = new Set<() => void>();
  const server: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += String(part)));
    request.on("end", () => {
      const signature = String(request.headers["x-twilio-signature"]);
      told.push({ url: request.url ?? "", signature, fields: Object.fromEntries(new URLSearchParams(body)) });
      response.end("<Response><Hangup/></Response>");
      for (const wake of waiting) wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => new Promise((resolve) => server.close(resolve)));
  const network: RunningSimulator = await simulator.start({
    port: 0,
    host: "127.0.0.1",
    settings: {},
    faults,
    deps: { clock: new SystemClock(), random: new SeededRandom(), logger: silentLogger() },
  });
  open.push(() => network.close());
  const { TWILIO_ACCOUNT_SID: sid = "", TWILIO_AUTH_TOKEN: token = "" } = network.environment;
  const client = twilio(sid, token);
  client.api.baseUrl = network.url;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/status`;
  const until = async (status: string) => {
    while (!told.some(({ fields }) => fields["CallStatus"] === status))
      await new Promise<void>((resolve) => waiting.add(resolve));
  };
  const events = ["initiated", "ringing", "answered", "completed"];
  const call = (to: string) =>
    client.calls.create({
      to,
      from: "+12025550100",
      twiml: "<Response><Hangup/></Response>",
      statusCallback: url,
      statusCallbackEvent: events,
    });
  return { network, client, token, told, url, until, call };
};

test("Twilio's own client places a call, sees it ring and ends it, and believes what it is told of it", async () => {
  const { client, token, told, url, until, call } = await account();
  const { sid } = await call("+12025550131");
  expect(sid).toMatch(/^CA[0-9a-f]{32}$/u);
  await until("ringing");
  expect((await client.calls(sid).fetch()).status).toBe("ringing");
  expect((await client.calls.list({ to: "+12025550131" })).map((one) => one.sid)).toEqual([sid]);
  await client.calls(sid).update({ status: "completed" });
  await until("canceled");
  expect(told.map(({ fields }) => fields["CallStatus"])).toEqual(["initiated", "ringing", "canceled"]);
  for (const { signature, fields } of told) expect(twilio.validateRequest(token, signature, url, fields)).toBe(true);
  await expect(client.calls(sid).update({ status: "completed" })).rejects.toMatchObject({ status: 400, code: 21_220 });
});

test("what the network refuses, Twilio's own client understands as refused", async () => {
  const { client, network, call } = await account();
  await expect(call("+12025550134")).rejects.toMatchObject({ status: 400, code: 21_211 });
  await expect(call("+12025550137")).rejects.toMatchObject({ status: 429, code: 20_429 });
  await expect(client.calls(`CA${"0".repeat(32)}`).fetch()).rejects.toMatchObject({ status: 404, code: 20_404 });
  const stranger = twilio(network.environment["TWILIO_ACCOUNT_SID"] ?? "", "wrong");
  stranger.api.baseUrl = network.url;
  await expect(stranger.calls.list()).rejects.toMatchObject({ status: 401 });
});

test("callbacks come as badly as they are told to", async () => {
  const dropped = await account({ drop: 1 });
  const { sid } = await dropped.call("+12025550130");
  while ((await dropped.client.calls(sid).fetch()).status !== "busy")
    await new Promise((resolve) => setImmediate(resolve));
  expect(dropped.told).toEqual([]);
  const doubled = await account({ duplicate: 1 });
  await doubled.call("+12025550130");
  await doubled.until("busy");
  const initiated = doubled.told.filter(({ fields }) => fields["CallStatus"] === "initiated");
  expect(initiated).toHaveLength(2);
});

test("somebody who rings is announced with a signature, and does what the answer says", async () => {
  const { network, token, told, url, until } = await account();
  const sid = await network.ring({ from: "+12025550126", to: "+12025550101", webhookUrl: url });
  await until("ringing");
  const [announced] = told;
  expect(announced?.fields).toMatchObject({ CallSid: sid, Direction: "inbound", To: "+12025550101" });
  expect(twilio.validateRequest(token, announced?.signature ?? "", url, announced?.fields ?? {})).toBe(true);
  await until("completed");
});

test("documents of the official builder are read as they were meant, and broken ones not at all", () => {
  const response = new twilio.twiml.VoiceResponse();
  response.connect().stream({ url: 'wss://x/?a=1&b="2"' }).parameter({ name: "n", value: "<v>" });
  response.dial({ action: "https://x/", timeout: 20 }).number("+1415");
  response.say("Hello & goodbye.");
  const [connect, dial, say] = readDocument(response.toString()) ?? [];
  expect(connect?.children[0]).toMatchObject({ name: "Stream", attributes: { url: 'wss://x/?a=1&b="2"' } });
  expect(connect?.children[0]?.children[0]?.attributes).toEqual({ name: "n", value: "<v>" });
  expect(dial).toMatchObject({ attributes: { action: "https://x/", timeout: "20" }, children: [{ text: "+1415" }] });
  expect(say?.text).toBe("Hello & goodbye.");
  for (const broken of ["", "<Response>", "<Response/><Response/>", "<a/>", "<Response><b></Response>", "x<Response/>"])
    expect(readDocument(broken)).toBeUndefined();
});
