import * as official from "plivo";
import { expect, test } from "vitest";
import { connectMedia, connectPhone } from "../../../../src/adapters/carrier/plivo/call-document.ts";
import plivo from "../../../../src/adapters/carrier/plivo/plivo.ts";
import { simulator } from "../../../../src/adapters/carrier/plivo/simulator.ts";
import { readDocument } from "../../../../src/adapters/carrier/simulation/markup.ts";
import { placeRequest } from "../rest/account-rig.ts";
import { simulatorRig } from "../simulation/simulator-rig.ts";

/** The package's own types take its document for a plain function. */
type Element = {
  addStream(url: string, attributes: object): Element;
  addRedirect(url: string, attributes: object): Element;
  addDial(attributes: object): Element;
  addNumber(number: string): Element;
  toXML(): string;
};
const newDocument = (): Element => new (official.Response as unknown as new () => Element)();

test("Plivo's own package verifies what the simulator signs, and refuses anything else", async () => {
  const rig = await simulatorRig(simulator, plivo);
  try {
    await rig.carrier.place(rig.request("+12025550141", { detectMachine: true }), rig.patience);
    await rig.end();
    const token = rig.running.environment["PLIVO_AUTH_TOKEN"] ?? "";
    const verified = rig.requests.map(({ url, headers, body }) => {
      const form: unknown = Object.fromEntries(new URLSearchParams(Buffer.from(body).toString()));
      const nonce = headers["x-plivo-signature-v3-nonce"] ?? "";
      const signature = headers["x-plivo-signature-v3"] ?? "";
      const check = (at: string): unknown =>
        official.validateV3Signature("POST", at, nonce, token, signature, form as object);
      return [check(url), check(`${url}x`)];
    });
    // Ring, answer, stream, machine, end.
    expect(verified.length).toBeGreaterThanOrEqual(5);
    expect(verified.every(([good, bad]) => good === true && bad === false)).toBe(true);
  } finally {
    await rig.close();
  }
});

test("Plivo's own package writes the same documents", () => {
  const addresses = { ...placeRequest(), mediaUrl: "wss://calls.example.com/media/plivo/a?b=1&c=2" };
  const connect = newDocument();
  connect.addStream(addresses.mediaUrl, {
    bidirectional: true,
    keepCallAlive: true,
    audioTrack: "inbound",
    streamTimeout: 86_400,
    contentType: "audio/x-mulaw;rate=8000",
    statusCallbackUrl: addresses.statusUrl,
    statusCallbackMethod: "POST",
  });
  connect.addRedirect(addresses.answerUrl, { method: "POST" });
  expect(readDocument(connectMedia(addresses))).toEqual(readDocument(connect.toXML()));

  const dial = newDocument();
  const { answerUrl } = addresses;
  dial
    .addDial({
      callerId: "12025550100",
      timeout: 20,
      action: answerUrl,
      method: "POST",
      redirect: true,
      callbackUrl: answerUrl,
      callbackMethod: "POST",
    })
    .addNumber("12025550188");
  const ours = connectPhone({ to: "+12025550188", callerId: "+12025550100", answerUrl, ringSeconds: 20 });
  expect(readDocument(ours)).toEqual(readDocument(dial.toXML()));
});
