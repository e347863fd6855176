import { qrModules } from "#lib/page-files/seal/qr.ts";
import { quietModules } from "#lib/page-files/seal/stamp-place.ts";

/** A QR code for SVG, with the quiet zone: the side in modules, and the path of the dark ones in a row. */
export function qrPath(text: string): { side: number; path: string } {
  const { size, dark } = qrModules(text);
  const columns = Array.from({ length: size }, (_, column) => column);
  const runs = columns.flatMap((row) =>
    columns.flatMap((column) => {
      if (!dark(row, column) || (column > 0 && dark(row, column - 1))) return [];
      const end = columns.find((after) => after > column && !dark(row, after)) ?? size;
      return `M${column + quietModules} ${row + quietModules}h${end - column}v1h${column - end}z`;
    }),
  );
  return { side: size + 2 * quietModules, path: runs.join("") };
}
