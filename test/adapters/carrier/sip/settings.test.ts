import { expect, test } from "vitest";
import { Value } from "typebox/value";
import { readSettings, SipSettingsSchema } from "../../../../src/adapters/carrier/sip/settings.ts";

test("what is not given has its usual value", () => {
  expect(readSettings({ id: "sip", settings: { SIP_SERVER: "Trunk.example.com" } })).toEqual({
    server: { host: "trunk.example.com", port: 5060 },
    transport: "udp",
    user: undefined,
    registers: false,
    listen: { address: "0.0.0.0", port: 5060 },
    publicAddress: undefined,
    rtpPorts: undefined,
    peers: [],
  });
});

test("what is given is taken, and a password does not show", () => {
  const settings = {
    SIP_SERVER: "192.0.2.1:5070",
    SIP_TRANSPORT: "tcp",
    SIP_USERNAME: "alice",
    SIP_PASSWORD: "secret",
    SIP_LISTEN: "192.0.2.7:0",
    SIP_PUBLIC_IP: "198.51.100.7",
    SIP_RTP_PORTS: "30000-30999",
    SIP_PEERS: "192.0.2.2, 192.0.2.3",
  };
  expect(Value.Check(SipSettingsSchema, settings)).toBe(true);
  const read = readSettings({ id: "sip", settings });
  expect(read).toMatchObject({
    server: { host: "192.0.2.1", port: 5070 },
    transport: "tcp",
    registers: true,
    listen: { address: "192.0.2.7", port: 0 },
    publicAddress: "198.51.100.7",
    rtpPorts: [30_000, 30_999],
    peers: ["192.0.2.2", "192.0.2.3"],
  });
  expect(JSON.stringify(read)).not.toContain('"secret"');
  expect(read.user?.password.reveal()).toBe("secret");
  expect(readSettings({ id: "sip", settings: { ...settings, SIP_REGISTER: "false" } }).registers).toBe(false);
});

test.each([
  ["SIP_SERVER", "sip:trunk.test"],
  ["SIP_SERVER", "trunk.test:99999"],
  ["SIP_TRANSPORT", "tls"],
  ["SIP_LISTEN", "5060"],
  ["SIP_LISTEN", "localhost:5060"],
  ["SIP_REGISTER", "yes"],
  ["SIP_PUBLIC_IP", "example.com"],
  ["SIP_RTP_PORTS", "30000"],
  ["SIP_PEERS", "192.0.2.1 192.0.2.2"],
])("%s cannot be %s", (name, value) => {
  expect(Value.Check(SipSettingsSchema, { SIP_SERVER: "trunk.test", [name]: value })).toBe(false);
});
