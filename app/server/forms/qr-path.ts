import { qrModules } from "#lib/page-files/seal/qr.ts";
import { quietModules } from "#lib/page-files/seal/stamp-place.ts";

/** A QR code for SVG, with the quiet zone: the side in modules, and the path of the dark ones. */
export function qrPath(text: string): { side: number; path: string } {
  const { size, dark } = qrModules(text);
  const rows = Array.from({ length: size }, (_, row) => row);
  const squares = rows.flatMap((row) =>
    rows
      .filter((column) => dark(row, column))
      .map((column) => `M${column + quietModules} ${row + quietModules}h1v1h-1z`),
  );
  return { side: size + 2 * quietModules, path: squares.join("") };
}
