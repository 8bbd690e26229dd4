import { Type, type Static } from "typebox";
import { LifecycleMessagesSchema } from "./agent.ts";

const strict = { additionalProperties: false } as const;

export const AllowedNumberSchema = Type.Object(
  { number: Type.String({ maxLength: 20, description: "E.164." }) },
  strict,
);

/** A request header; only such as HTTP lets a client choose. */
export const FunctionHeaderSchema = Type.Object(
  {
    key: Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$" }),
    value: Type.String({ maxLength: 4000, pattern: "^[\\t\\x20-\\x7e]*$", description: "Printable ASCII." }),
  },
  strict,
);

/** A value that a call of the function yields. */
export const FunctionOutputSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, pattern: "^(?!__proto__$)" }),
    type: Type.Enum(["BOOLEAN", "STRING", "INTEGER", "FLOAT", "CUSTOM"]),
    nullable: Type.Optional(Type.Boolean()),
    description: Type.Optional(Type.String({ maxLength: 2000 })),
    customFieldJsonSchema: Type.Optional(
      Type.String({ maxLength: 20_000, description: "For CUSTOM: a JSON Schema, as text." }),
    ),
  },
  strict,
);
export type FunctionOutput = Static<typeof FunctionOutputSchema>;

const functionFields = {
  name: Type.String({ minLength: 1, maxLength: 100, description: "What the model calls it by." }),
  description: Type.String({ maxLength: 4000, description: "When to use it, for the model." }),
  type: Type.Enum(["transfer", "api"], { description: "Tells the two variants apart." }),
  allowedNumbers: Type.Array(AllowedNumberSchema, {
    maxItems: 200,
    description: "transfer: the only numbers that the agent may connect to. api: empty.",
  }),
  transferMode: Type.Optional(
    Type.Enum(["cold", "warm"], {
      description:
        "transfer: warm tells whoever picks up there what it is about, before they talk; where the carrier cannot, and by default, it is cold.",
    }),
  ),
  lifecycleMessages: Type.Optional(LifecycleMessagesSchema),
  apiPath: Type.Optional(Type.String({ maxLength: 2000, description: "api: the https URL that is posted to." })),
  headers: Type.Optional(
    Type.Array(FunctionHeaderSchema, { maxItems: 50, description: "api: sent with the request." }),
  ),
  inputJsonSchema: Type.Optional(
    Type.String({ maxLength: 20_000, description: "api: JSON Schema of the parameters, as text." }),
  ),
  outputs: Type.Optional(Type.Array(FunctionOutputSchema, { maxItems: 100, description: "api: what it answers." })),
};

const EXAMPLE = {
  name: "transfer_to_reception",
  description: "Connects the caller with a person at the reception.",
  type: "transfer",
  allowedNumbers: [{ number: "+12025550199" }],
  lifecycleMessages: { started: ["One moment, I will connect you."] },
} as const;

const API_EXAMPLE = {
  name: "find_slots",
  description: "Finds free appointments on a day.",
  type: "api",
  apiPath: "https://example.com/slots",
  headers: [{ key: "Authorization", value: "Bearer …" }],
  inputJsonSchema: '{"type":"object","properties":{"day":{"type":"string"}},"required":["day"]}',
} as const;

/** A capability that an agent can invoke; `type` tells the two variants apart. */
export const FunctionDefinitionSchema = Type.Object(
  { id: Type.String(), ...functionFields },
  {
    $id: "Function",
    description: "A capability that an agent can invoke.",
    examples: [{ id: "01988f5e-7c1b-7e06-b5d8-1c4f8a2e6b44", ...EXAMPLE }],
  },
);
export type FunctionDefinition = Static<typeof FunctionDefinitionSchema>;

/** `allowedNumbers` may be left out for an api function. */
export const CreateFunctionSchema = Type.Object(
  { ...functionFields, allowedNumbers: Type.Optional(functionFields.allowedNumbers) },
  { ...strict, $id: "CreateFunction", examples: [EXAMPLE, API_EXAMPLE] },
);
export type CreateFunction = Static<typeof CreateFunctionSchema>;

export const UpdateFunctionSchema = Type.Partial(CreateFunctionSchema, {
  ...strict,
  $id: "UpdateFunction",
  description: "`allowedNumbers` is required for a transfer function.",
  examples: [{ allowedNumbers: [{ number: "+12025550199" }] }],
});
export type UpdateFunction = Static<typeof UpdateFunctionSchema>;
