/** What a person who watches over calls may order. `to` is an E.164 number that may be rung; `text` is what the agent says at once. */
export type OperatorOrder =
  | Readonly<{ type: "say"; text: string }>
  | Readonly<{ type: "transfer"; to: string }>
  | Readonly<{ type: "pause"; paused: boolean }>;
