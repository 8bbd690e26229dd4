import { Type, type Static } from "typebox";

const strict = { additionalProperties: false } as const;

const allowedAgentIds = Type.Array(Type.String({ maxLength: 200 }), {
  minItems: 1,
  maxItems: 100,
  description: "The agents that a public key may dial; public keys only.",
});

/** Secret keys may do all; public ones may only create browser dials for their agents, so that a web page can hold one. */
const type = Type.Enum(["secret", "public"], {
  description: "`secret` may do everything; `public` may only create browser dials for its agents.",
});

const name = Type.String({ minLength: 1, maxLength: 200, description: "To tell keys apart." });

const EXAMPLE = {
  id: "01988f5e-7c1c-7c07-9b7e-6d0e5a3c2f11",
  name: "Website",
  type: "public",
  allowedAgentIds: ["01988f5e-7c1a-7d02-9f7a-4cbb1d1f3a55"],
  createdAt: "2026-01-05T09:00:00.000Z",
} as const;

const keyFields = {
  id: Type.String(),
  name,
  type,
  allowedAgentIds: Type.Optional(allowedAgentIds),
  createdAt: Type.String({ format: "date-time" }),
};

export const ApiKeySchema = Type.Object(keyFields, {
  $id: "ApiKey",
  description: "A key, without its secret.",
  examples: [EXAMPLE],
});
export type ApiKey = Static<typeof ApiKeySchema>;

export const CreateApiKeySchema = Type.Object(
  { name, type, allowedAgentIds: Type.Optional(allowedAgentIds) },
  { ...strict, $id: "CreateApiKey", examples: [{ name: "Website", type: "public", allowedAgentIds: ["01988f5e"] }] },
);
export type CreateApiKey = Static<typeof CreateApiKeySchema>;

export const CreatedApiKeySchema = Type.Object(
  { ...keyFields, key: Type.String({ description: "The key itself. It is shown this once; only a hash is kept." }) },
  {
    $id: "CreatedApiKey",
    description: "The new key.",
    examples: [{ ...EXAMPLE, key: "pk_mZ7Qy0…" }],
  },
);
