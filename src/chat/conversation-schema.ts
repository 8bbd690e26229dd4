import { Type, type Static } from "typebox";
import { EndedBySchema, EndReasonSchema, DialStatusSchema, SystemResultTypeSchema } from "../model/call-end.ts";
import { Nullable } from "../model/nullable.ts";
import { AgentDefinitionSchema } from "./agent-definition.ts";

const strict = { additionalProperties: false } as const;
const Text = Type.String({ minLength: 1, maxLength: 10_000 });
const OneOrMore = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Array(schema, { maxItems: 100 })]);

/** What a function's server answers in a scripted conversation. */
export const ScriptedAnswerSchema = Type.Object(
  {
    result: Type.Optional(Type.Unknown({ description: "Answered as JSON." })),
    status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599, description: "200 unless it is given." })),
    body: Type.Optional(Type.String({ description: "Answered as it is, instead of `result`." })),
    fails: Type.Optional(Type.Enum(["timeout", "unreachable", "broken", "too-large", "refused"])),
    afterMs: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 60_000, description: "How long the server takes, in milliseconds." }),
    ),
  },
  strict,
);
export type ScriptedAnswer = Static<typeof ScriptedAnswerSchema>;

const StatedWordsSchema = Type.Union([
  Text,
  Type.Object(
    {
      text: Type.Optional(Type.String({ maxLength: 100_000 })),
      calls: Type.Optional(
        Type.Array(
          Type.Object(
            {
              name: Text,
              args: Type.Optional(Type.Unknown({ description: "As JSON; a text is sent as it is, JSON or not." })),
            },
            strict,
          ),
          { maxItems: 20 },
        ),
      ),
    },
    strict,
  ),
]);

/** What a language model would judge and say, stated by the conversation itself: no model is asked. */
export const StatedModelSchema = Type.Object(
  {
    holds: Type.Optional(
      Type.Array(Text, { maxItems: 100, description: "Conditions in words that hold, as the flow writes them." }),
    ),
    answer: Type.Optional(
      Type.Unknown({
        description: "What the caller's words answer: an option, a list of options, a number or a text.",
      }),
    ),
    says: Type.Optional(OneOrMore(StatedWordsSchema)),
    extracts: Type.Optional(
      OneOrMore(Type.Union([Type.String({ maxLength: 100_000 }), Type.Record(Type.String(), Type.Unknown())])),
    ),
    afterMs: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 60_000, description: "How long each answer takes, in milliseconds." }),
    ),
    fails: Type.Optional(Type.Literal(true)),
  },
  strict,
);
export type StatedAnswers = Static<typeof StatedModelSchema>;

const WordsSchema = Type.Union([
  Text,
  Type.Object(
    {
      text: Type.Optional(OneOrMore(Text)),
      regex: Type.Optional(OneOrMore(Text)),
      not: Type.Optional(OneOrMore(Text)),
      meaning: Type.Optional(OneOrMore(Text)),
    },
    { ...strict, minProperties: 1 },
  ),
]);
export type ExpectedWords = Static<typeof WordsSchema>;

const TransitionSchema = Type.Object(
  {
    to: Text,
    from: Type.Optional(Text),
    rule: Type.Optional(Type.Integer({ minimum: 0, description: "Index of the rule that fired." })),
    data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  strict,
);

const FunctionSchema = Type.Object(
  {
    name: Text,
    args: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    result: Type.Optional(Type.Unknown({ description: "What the model or the flow was told, as JSON." })),
  },
  strict,
);

const ResultSchema = Type.Object(
  {
    endReason: Type.Optional(EndReasonSchema),
    endedBy: Type.Optional(EndedBySchema),
    status: Type.Optional(DialStatusSchema),
    systemResultType: Type.Optional(Nullable(SystemResultTypeSchema)),
    aiResult: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    aiResultEvidence: Type.Optional(Type.Record(Type.String(), Type.Array(Type.Integer({ minimum: 0 })))),
  },
  { ...strict, minProperties: 1 },
);
export type ExpectedResult = Static<typeof ResultSchema>;

/** What the caller does, and then what is expected of the agent since; every part may be left out. */
export const StepSchema = Type.Object(
  {
    says: Type.Optional(Text),
    interrupts: Type.Optional(
      Type.Object({ afterWords: Type.Integer({ minimum: 1, maximum: 1000 }), says: Text }, strict),
    ),
    presses: Type.Optional(Type.String({ pattern: "^[0-9*#]{1,32}$" })),
    silence: Type.Optional(Type.Number({ minimum: 0, maximum: 10_800, description: "Seconds." })),
    hangsUp: Type.Optional(Type.Literal(true)),
    model: Type.Optional(StatedModelSchema),
    expects: Type.Optional(OneOrMore(WordsSchema)),
    expectsTransition: Type.Optional(
      Type.Union([Text, TransitionSchema, Type.Array(Type.Union([Text, TransitionSchema]))]),
    ),
    expectsFunction: Type.Optional(Type.Union([Text, FunctionSchema, Type.Array(Type.Union([Text, FunctionSchema]))])),
    expectsKeys: Type.Optional(Type.String({ pattern: "^[0-9*#,]{0,32}$" })),
    expectsResult: Type.Optional(Nullable(Type.Union([EndReasonSchema, ResultSchema]))),
  },
  { ...strict, minProperties: 1 },
);
export type Step = Static<typeof StepSchema>;

/** One document of a `*.yaml` file that `call-engine chat` plays. */
export const ConversationSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    agent: Type.Optional(
      Type.Union([
        Type.String({ minLength: 1, description: "A definition's path, or an agent's id or name." }),
        AgentDefinitionSchema,
      ]),
    ),
    inputs: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: "As `callAgentInput` of a dial." }),
    ),
    direction: Type.Optional(Type.Enum(["outbound", "inbound", "browser"])),
    startsAt: Type.Optional(
      Type.String({
        format: "date-time",
        description: "What the clock says at the start; 2026-01-05T09:00:00Z unless given.",
      }),
    ),
    functions: Type.Optional(
      Type.Record(Type.String(), OneOrMore(ScriptedAnswerSchema), {
        description: "Answers by a function's name, in the order of its calls; the last one repeats.",
      }),
    ),
    transfers: Type.Optional(Type.Enum(["connected", "failed"])),
    model: Type.Optional(StatedModelSchema),
    steps: Type.Array(StepSchema, { minItems: 1, maxItems: 1000 }),
  },
  strict,
);
export type Conversation = Static<typeof ConversationSchema>;
