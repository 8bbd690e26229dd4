import type { Dial } from "../model/dial.ts";
import type { TranscriptEntry } from "../model/transcript.ts";
import type { TurnRecord } from "../model/turn-record.ts";
import type { LiveEvent } from "../model/live-event.ts";

const SPEAKERS = { HUMAN: "caller", AI: "agent", IVR: "machine" } as const;

/** Prints a conversation as it happens: an entry is shown once it can grow no more, which is when the next one begins. */
export const livePrinter = (print: (line: string) => void) => {
  let open: TranscriptEntry | undefined;
  const flush = () => {
    if (open !== undefined) print(lineOf(open));
    open = undefined;
  };
  return {
    see(event: LiveEvent): void {
      if (event.type === "status") {
        flush();
        print(`          ${event.status}${event.systemResultType === null ? "" : ` (${event.systemResultType})`}`);
      }
      if (event.type !== "transcript") return;
      const { entry } = event;
      if (open !== undefined && !isSame(open, entry)) flush();
      open = entry;
    },
    flush,
  };
};

/** The same say, further on: it began at the same moment on the same side. */
const isSame = (a: TranscriptEntry, b: TranscriptEntry): boolean =>
  a.speaker === b.speaker && a.startTimeMs === b.startTimeMs && a.detailType === b.detailType;

const lineOf = ({ speaker, startTimeMs, endTimeMs, text, functionCalls, nodeTransition }: TranscriptEntry): string => {
  const said = functionCalls?.[0]?.name ?? nodeTransition?.toNodeId;
  return `${seconds(startTimeMs)}–${seconds(endTimeMs)}  ${SPEAKERS[speaker].padEnd(7)} ${said === undefined ? text : `[${said}]`}`;
};

const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(6);

const STAGES = [
  ["endpointMs", "turn taken"],
  ["transcriptMs", "transcript"],
  ["modelFirstTokenMs", "first token"],
  ["firstSentenceMs", "sentence"],
  ["synthesizerFirstAudioMs", "first audio"],
  ["audioSentMs", "sent"],
  ["heardMs", "heard"],
] as const satisfies readonly (readonly [keyof TurnRecord, string])[];

/** The latency of each turn, stage by stage: milliseconds from the caller's last voiced sample. */
export const latencyTable = (turns: readonly TurnRecord[]): readonly string[] => [
  ["turn", "why".padEnd(10), ...STAGES.map(([, title]) => title.padStart(11))].join("  "),
  ...turns.map((turn) =>
    [
      String(turn.index).padStart(4),
      turn.endReason.padEnd(10),
      ...STAGES.map(([field]) => (turn[field] === undefined ? "–" : String(Math.round(turn[field]))).padStart(11)),
    ].join("  "),
  ),
];

/** What keeps a call from having been a conversation; empty when it was one. */
export const shortcomings = (dial: Dial): readonly string[] => {
  const spoke = (speaker: "HUMAN" | "AI") =>
    (dial.transcript ?? []).some((entry) => entry.speaker === speaker && entry.text.trim() !== "");
  return [
    ...(dial.status === "completed"
      ? []
      : [`the call ended as ${dial.status ?? "unknown"} (${dial.endReason ?? "no reason"})`]),
    ...(spoke("AI") ? [] : ["the agent's words are not in the transcript"]),
    ...(spoke("HUMAN") ? [] : ["the caller's words are not in the transcript"]),
  ];
};
