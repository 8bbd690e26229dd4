import { generateKeyPairSync } from "node:crypto";
import { Auth } from "@vonage/auth";
import { tokenGenerate, verifySignature } from "@vonage/jwt";
import { Voice } from "@vonage/voice";
import { expect, test } from "vitest";
import { simulator } from "../../../../src/adapters/carrier/vonage/simulator.ts";
import vonage from "../../../../src/adapters/carrier/vonage/vonage.ts";
import { simulatorRig } from "../simulation/simulator-rig.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
const rigOf = () => simulatorRig(simulator, vonage, {}, { VONAGE_PRIVATE_KEY: pem });

test("Vonage's own package verifies what the simulator signs, and refuses another secret", async () => {
  const rig = await rigOf();
  try {
    await rig.carrier.place(rig.request("+12025550141", { detectMachine: true }), rig.patience);
    await rig.end();
    const secret = rig.running.environment["VONAGE_SIGNATURE_SECRET"] ?? "";
    const tokens = rig.requests.map(({ headers }) => headers["authorization"]?.slice("Bearer ".length) ?? "");
    // Started, ringing, answered, human, completed.
    expect(tokens.length).toBeGreaterThanOrEqual(5);
    expect(tokens.every((token) => verifySignature(token, secret))).toBe(true);
    expect(verifySignature(tokens[0] ?? "", `${secret}x`)).toBe(false);
  } finally {
    await rig.close();
  }
});

test("a token that Vonage's own package makes is one that the simulator takes, as it takes ours", async () => {
  const rig = await rigOf();
  try {
    const { VONAGE_APPLICATION_ID: id = "", VONAGE_BASE_URL: base = "" } = rig.running.environment;
    const ask = (token: string) => fetch(`${base}/v1/calls`, { headers: { authorization: `Bearer ${token}` } });
    expect((await ask(tokenGenerate(id, pem))).status).toBe(200);
    expect((await ask(tokenGenerate("another", pem))).status).toBe(401);
    expect((await ask("a.b.c")).status).toBe(401);
  } finally {
    await rig.close();
  }
});

test("Vonage's own client places, finds and ends calls in the simulator", async () => {
  const rig = await rigOf();
  try {
    const { VONAGE_APPLICATION_ID: applicationId = "", VONAGE_BASE_URL: apiHost = "" } = rig.running.environment;
    const voice = new Voice(new Auth({ applicationId, privateKey: pem }), { apiHost });
    const { statusUrl } = rig.request("+12025550124");
    const made = await voice.createOutboundCall({
      to: [{ type: "phone", number: "12025550124" }],
      from: { type: "phone", number: "12025550100" },
      eventUrl: [statusUrl],
      ncco: [{ action: "talk", text: "Hello" }],
    } as unknown as Parameters<Voice["createOutboundCall"]>[0]);
    await rig.when(() => rig.reports[0]);
    expect(rig.reports[0]).toMatchObject({ call: { state: "ringing", callId: made.uuid } });
    expect(await voice.getCall(made.uuid)).toMatchObject({ status: "ringing" });
    await voice.hangupCall(made.uuid);
    expect((await rig.end()).call).toMatchObject({ callId: made.uuid, end: { cause: "canceled" } });
  } finally {
    await rig.close();
  }
});
