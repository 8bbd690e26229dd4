import { totalOf, type Flame } from "./profile-tree.ts";

const WIDTH = 1200;
const ROW = 17;
const HEAD = 44;
/** Narrower than this, in pixels, is left out: nobody could point at it. */
const NARROWEST = 1.2;
const LETTER = 6.3;

/** A picture of where time went, for pages: wide is long, what stands above was called by what is below. */
export const flameSvg = (title: string, flames: readonly Flame[]): string => {
  const all = flames.reduce((sum, flame) => sum + totalOf(flame), 0);
  const boxes: string[] = [];
  let deepest = 0;
  const draw = (flame: Flame, x: number, depth: number): void => {
    const total = totalOf(flame);
    const width = (total / all) * WIDTH;
    if (width < NARROWEST) return;
    deepest = Math.max(deepest, depth);
    boxes.push(box(flame, { x, width, depth, share: total / all }));
    let at = x;
    for (const called of flame.calls.toSorted((a, b) => totalOf(b) - totalOf(a))) {
      draw(called, at, depth + 1);
      at += (totalOf(called) / all) * WIDTH;
    }
  };
  let x = 0;
  for (const flame of flames.toSorted((a, b) => totalOf(b) - totalOf(a))) {
    draw(flame, x, 0);
    x += (totalOf(flame) / all) * WIDTH;
  }
  const height = HEAD + (deepest + 1) * ROW + 8;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="10.5">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="8" y="18" font-size="14">${escaped(title)}</text>`,
    `<text x="8" y="35" fill="#555">${all} samples of processor time; wide is long; what is called stands below its caller; point at a box for its share</text>`,
    ...boxes,
    "</svg>",
    "",
  ].join("\n");
};

type Place = Readonly<{ x: number; width: number; depth: number; share: number }>;

const box = ({ name, file }: Flame, { x, width, depth, share }: Place): string => {
  const y = HEAD + depth * ROW;
  const letters = Math.floor((width - 4) / LETTER);
  const label =
    letters < 3 ? "" : `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escaped(name.slice(0, letters))}</text>`;
  const about = `${name} ${file} ${(100 * share).toFixed(1)} %`;
  return `<g><title>${escaped(about)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colourOf(file)}"/>${label}</g>`;
};

/** Ours by layer; the platform's and the libraries' grey. */
const colourOf = (file: string): string => {
  if (file.startsWith("src/audio/")) return "#f4a259";
  if (file.startsWith("src/call/")) return "#f6d55c";
  if (file.startsWith("src/adapters/")) return "#8ecae6";
  if (file.startsWith("src/app/bench-engine/")) return "#d8b4e2";
  if (file.startsWith("src/")) return "#b7e4c7";
  return "#d9d9d9";
};

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
