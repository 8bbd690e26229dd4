import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { ClientMessageSchema, ErrorCodeSchema, ServerMessageSchema } from "../../src/model/browser-protocol.ts";

const FILE = "docs/asyncapi.yaml";

type Named = Readonly<{ description?: string; properties: Readonly<{ type: Readonly<{ enum: readonly string[] }> }> }>;

const nameOf = ({ properties }: Named): string => properties.type.enum[0] as string;

/** A schema as JSON has it, without what the schema's library keeps beside it. */
const plain = (schema: Named): unknown => {
  const text = JSON.stringify(schema);
  return JSON.parse(text);
};

/** The document that tells client authors of the socket, made from the schemas that the service checks with. */
const asyncApi = () => {
  const client = ClientMessageSchema.anyOf as readonly Named[];
  const server = ServerMessageSchema.anyOf as unknown as readonly Named[];
  const messages = Object.fromEntries(
    [...client, ...server].map((schema) => [
      nameOf(schema),
      {
        ...(schema.description === undefined ? {} : { summary: schema.description }),
        contentType: "application/json",
        payload: plain(schema),
      },
    ]),
  );
  const sound = {
    summary:
      "A binary message: sequence number and timestamp, unsigned 32-bit big-endian each, then samples or one Opus packet. WebM chunks have no header.",
    contentType: "application/octet-stream",
    payload: { type: "string", format: "binary" },
  };
  const references = (schemas: readonly Named[]) =>
    [...schemas.map(nameOf), "sound"].map((name) => ({ $ref: `#/channels/browser/messages/${name}` }));
  const names = [...Object.keys(messages), "sound"];
  return {
    asyncapi: "3.0.0",
    info: {
      title: "call-engine, browser calls",
      version: "1.0.0",
      description:
        "What a page and the service say to each other during a call; docs/browser.md tells the same in sentences.",
    },
    servers: { local: { host: "localhost:8080", protocol: "ws" } },
    channels: {
      browser: {
        address: "/browser/{dialId}",
        parameters: { dialId: { description: "Of POST /dials with browserCall." } },
        messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
      },
    },
    operations: {
      page: { action: "receive", channel: { $ref: "#/channels/browser" }, messages: references(client) },
      service: { action: "send", channel: { $ref: "#/channels/browser" }, messages: references(server) },
    },
    components: { messages: { ...messages, sound } },
  };
};

test("the committed AsyncAPI document is the one that the schemas make", async () => {
  const document = asyncApi();
  if (process.env["UPDATE_OPENAPI"] === "1")
    await writeFile(FILE, stringify(document, { lineWidth: 120, aliasDuplicateObjects: false }));
  expect(parse(await readFile(FILE, "utf8"))).toEqual(document);
});

test("docs/browser.md explains every message and every error", async () => {
  const text = await readFile("docs/browser.md", "utf8");
  const messages = [...ClientMessageSchema.anyOf, ...ServerMessageSchema.anyOf] as unknown as readonly Named[];
  const named = [...messages.map(nameOf), ...ErrorCodeSchema.enum];
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !new RegExp(`["\`]${name}["\`]`).test(text))).toEqual([]);
});
