export type WorkerData = Readonly<{ modelPath: string }>;

export type Order = Readonly<{ type: "judge"; id: number; samples: Int16Array }> | Readonly<{ type: "close" }>;

export type Answer =
  | Readonly<{ type: "ready" }>
  | Readonly<{ type: "judged"; id: number; probability: number }>
  | Readonly<{ type: "failed"; id: number; reason: string }>;
