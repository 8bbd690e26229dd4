import { Type, type Static } from "typebox";
import { TakeoverSchema } from "./takeover.ts";

const stage = (description: string) => Type.Optional(Type.Number({ description }));

const EndpointSchema = Type.Object(
  {
    waitMs: Type.Number({ description: "Silence after which the turn was to end, from the last voiced sample." }),
    probability: Type.Optional(Type.Number({ description: "That the turn was over, 0 to 1, as it was judged." })),
    form: Type.Optional(Type.String({ description: "What the caller's words looked like, such as `digits`." })),
    expected: Type.Optional(Type.String({ description: "What the agent had asked for, such as `yes-no` or `open`." })),
  },
  { description: "What the end of the caller's turn was decided upon." },
);

const BargeInSchema = Type.Object({
  atMs: Type.Number({ description: "Since the call was answered." }),
  decision: Type.Enum(["committed", "resumed"], {
    description: "The caller took the floor, or the agent went on where it had paused.",
  }),
  why: Type.Enum(["length", "stop-word", "words", "key", "backchannel", "no-words"], {
    description:
      "`length`: spoke for as long as the sensitivity asks. `stop-word`: said one such as `wait`. `words`: fell silent after " +
      "words of a turn. `key`: pressed one. `backchannel`: no more than a sign of life. `no-words`: a cough, a noise.",
  }),
});
export type BargeIn = Static<typeof BargeInSchema>;

/**
 * What one exchange cost, stage by stage. Every figure is a duration in milliseconds from the caller's last voiced sample,
 * so that the stages of one turn can be compared; a stage that did not happen is absent.
 */
export const TurnRecordSchema = Type.Object(
  {
    index: Type.Integer({ description: "0 is the opening line." }),
    startMs: Type.Number({ description: "When the turn was decided, in milliseconds since the call was answered." }),
    endReason: Type.Enum(
      ["opening", "silence", "complete", "timeout", "transcript", "idle", "function", "resumed", "operator", "ended"],
      {
        description:
          "Why the agent took the floor. `opening`: it speaks first; `silence`: the caller was silent for as long as this turn deserved, and the words were there; `transcript`: the words came after that wait; `timeout`: they were overdue, or keys stopped coming, and it went by what there was; `complete`: all keys were there, or a voicemail could be spoken to; `idle`: nobody said anything; `function`: to tell a function's result or a failure; `resumed`: to say the rest of what a noise had cut off; `operator`: somebody who watches over calls wanted it; `ended`: it did not, and the call ended; the turn tells the `fallbacks` since the one before.",
      },
    ),
    endpointMs: stage(
      "The end of the turn was decided. All stages count milliseconds from the caller's last voiced sample; those of a turn that the caller did not begin, from the turn's own beginning.",
    ),
    transcriptMs: stage("The final words came."),
    modelFirstTokenMs: stage("The dialogue's first word came."),
    firstSentenceMs: stage("The first piece of text was whole and went to the voice."),
    synthesizerFirstAudioMs: stage("The voice's first sound came."),
    audioSentMs: stage("The first sound went to the line."),
    heardMs: stage("The first sound was heard, by the playback ledger."),
    audioAcknowledgedMs: Type.Optional(
      Type.Number({
        description:
          "When the answer's first sound was heard by the carrier's word; absent where the line confirms nothing.",
      }),
    ),
    interrupted: Type.Boolean(),
    speculative: Type.Optional(
      Type.Boolean({
        description:
          "The answer was begun while the wait for the end of the turn still ran, so its stages may come before it.",
      }),
    ),
    endpoint: Type.Optional(EndpointSchema),
    fallbacks: Type.Optional(
      Type.Array(TakeoverSchema, {
        description: "Providers that took over from others, in order, since the turn before; the first 20.",
      }),
    ),
    bargeIns: Type.Optional(
      Type.Array(BargeInSchema, { description: "What the caller said over the agent, in order; the first 50." }),
    ),
  },
  { $id: "Turn" },
);
export type TurnRecord = Static<typeof TurnRecordSchema>;
