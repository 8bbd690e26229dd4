/** One figure of the suite. */
export type Row = Readonly<{
  id: string;
  /** What is measured, so that anybody can measure it again. */
  definition: string;
  unit: string;
  /** Of the engine, and of the program that is nothing but the work, in the same run. */
  engine: number;
  floor?: number | undefined;
  /** Engine by floor; below 1 is better than the floor. The only thing that is compared with other runs. */
  ratio?: number | undefined;
  target?: string | undefined;
  met?: boolean | undefined;
  /** Of another engine on the same calls, where one was asked for. */
  peer?: PeerFigure | undefined;
  /** Steady enough that a ratio that has grown is a regression, and no accident of the machine. */
  gated?: boolean | undefined;
  /** Why the figure says nothing on this machine now. */
  void?: string | undefined;
}>;

export type PeerFigure = Readonly<{
  value: number;
  /** Peer by engine; above 1 the engine is better. Absent where the engine's figure is not above 0. */
  ratio?: number | undefined;
  target?: string | undefined;
  met?: boolean | undefined;
}>;

export const ratioOf = (engine: number, floor: number | undefined): number | undefined =>
  floor === undefined || !(floor > 0) || Number.isNaN(engine) ? undefined : engine / floor;

/**
 * A peer's figure beside the engine's, and whether it is `times` as large: an engine whose figure is 0 or below is any number of times
 * better than a peer whose figure is above.
 */
export const peerFigure = (value: number, engine: number, times: number | undefined): PeerFigure => {
  const target = times === undefined ? {} : { target: `≥ ${times} ×`, met: value > 0 && value >= times * engine };
  return { value, ratio: ratioOf(value, engine), ...target };
};

/** A table for people, in the format of documents. The columns of a peer are there when one was measured. */
export const tableOf = (rows: readonly Row[], baseline: ReadonlyMap<string, number>): readonly string[] => {
  const besidePeer = rows.some(({ peer }) => peer !== undefined);
  const heads = ["", "engine", "floor", "ratio", "before", "unit", "target", ""];
  const columns = besidePeer ? [...heads, "peer", "peer / engine", "target", ""] : heads;
  return [
    lineOf(columns),
    lineOf(columns.map(() => "---")),
    ...rows.map((row) => {
      const figures = [row.engine, row.floor, row.ratio, baseline.get(row.id)].map(shown);
      const cells = [row.id, ...figures, row.unit, row.target ?? "", verdictOf(row)];
      return lineOf(besidePeer ? [...cells, ...peerCells(row.peer, row.void)] : cells);
    }),
  ];
};

const lineOf = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const peerCells = (peer: PeerFigure | undefined, nothing: string | undefined): readonly string[] => [
  shown(peer?.value),
  shown(peer?.ratio),
  peer?.target ?? "",
  nothing === undefined ? wordOf(peer?.met) : "",
];

const verdictOf = ({ met, void: nothing }: Row): string =>
  nothing === undefined ? wordOf(met) : `says nothing: ${nothing}`;

const wordOf = (met: boolean | undefined): string => {
  if (met === undefined) return "";
  return met ? "met" : "not met";
};

const shown = (value: number | undefined): string => {
  if (value === undefined || Number.isNaN(value)) return "";
  const magnitude = Math.abs(value);
  if (magnitude >= 100) return value.toFixed(0);
  return value.toFixed(magnitude >= 10 ? 1 : 2);
};
