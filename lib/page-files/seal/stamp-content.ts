import { qrModules } from "./qr.ts";
import { letterModules, quietModules, stampBox } from "./stamp-place.ts";

/** A stamp's drawing, as the content of a PDF form whose unit is a module of the QR code. */

/** Bytes that the content of any code of `size` modules fits in. */
export const stampRoom = (size: number) => runBytes * size * Math.ceil(size / 2) + 200;
/** Of one run of dark modules. */
const runBytes = 17;

/** Draws the code of `url`, of `side` modules if given, with `characters` below, filled up with blanks to `stampRoom`. */
export function stampContent(url: string, characters: string, side?: number): Buffer {
  const { size, dark } = qrModules(url, side);
  const { width, height } = stampBox(size, characters);
  const letters = letterModules(size, characters);
  const rows = Array.from({ length: size }, (_, row) =>
    darkRuns(size, (column) => dark(row, column)).map(([from, length]) => `${from} ${size - 1 - row} ${length} 1 re\n`),
  );
  const content =
    `1 g 0 0 ${number(width)} ${number(height)} re f 0 g\n` +
    (characters && `BT /Code ${number(letters)} Tf ${quietModules} ${quietModules * 0.75} Td (${characters}) Tj ET\n`) +
    `1 0 0 1 ${quietModules} ${number(quietModules + letters)} cm\n${rows.flat().join("")}f\n`;
  const filled = Buffer.alloc(stampRoom(size), " ");
  if (filled.write(content, "latin1") < content.length) throw new Error("The stamp is larger than its room");
  return filled;
}

const number = (value: number) => String(Number(value.toFixed(3)));

/** The runs of dark modules in one row as [first column, length], so that no seam shows between neighbours. */
export function darkRuns(size: number, dark: (column: number) => boolean) {
  const runs: [number, number][] = [];
  for (let column = 0; column < size; column++) {
    if (!dark(column)) continue;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === column) last[1]++;
    else runs.push([column, 1]);
  }
  return runs;
}
