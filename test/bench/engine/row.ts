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
  /** Steady enough that a ratio that has grown is a regression, and no accident of the machine. */
  gated?: boolean | undefined;
  /** Why the figure says nothing on this machine now. */
  void?: string | undefined;
}>;

export const ratioOf = (engine: number, floor: number | undefined): number | undefined =>
  floor === undefined || !(floor > 0) || Number.isNaN(engine) ? undefined : engine / floor;

/** A table for people, in the format of documents. */
export const tableOf = (rows: readonly Row[], baseline: ReadonlyMap<string, number>): readonly string[] => [
  "| | engine | floor | ratio | before | unit | target | |",
  "|---|---|---|---|---|---|---|---|",
  ...rows.map((row) => {
    const before = baseline.get(row.id);
    const cells = [row.id, shown(row.engine), shown(row.floor), shown(row.ratio), shown(before), row.unit];
    return `| ${[...cells, row.target ?? "", verdictOf(row)].join(" | ")} |`;
  }),
];

const verdictOf = ({ met, void: nothing }: Row): string => {
  if (nothing !== undefined) return `says nothing: ${nothing}`;
  if (met === undefined) return "";
  return met ? "met" : "not met";
};

const shown = (value: number | undefined): string => {
  if (value === undefined || Number.isNaN(value)) return "";
  const magnitude = Math.abs(value);
  if (magnitude >= 100) return value.toFixed(0);
  return value.toFixed(magnitude >= 10 ? 1 : 2);
};
