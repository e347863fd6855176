import { PDFOperator } from "@cantoo/pdf-lib";
import { lineWidth } from "../fonts/form-font.ts";
import type { UsedLetters } from "../fonts/used-letters.ts";
import type { Drawn } from "./template-drawing.ts";
import { minSize, number, oneLine, valueOf, valueProblem } from "./template-values.ts";
import type { TypedColumn } from "./typed-columns.ts";

/** The operators that draw a value where its column was typed, or why it can't be drawn. */
export function drawTyped(typed: TypedColumn, values: Record<string, string>, letters: UsedLetters): Drawn {
  const { column, from, along, width, isCentred, ownWidth, look } = typed;
  const value = valueOf(values, column);
  const problem = valueProblem(value);
  if (problem) return { column, problem };
  const text = oneLine(value);
  if (!text) return { operators: [] };
  const size = fittingSize(text, typed.size, width);
  if (!size) return { column, problem: `is too long for {{${column}}} on page ${typed.page + 1}` };
  const before = isCentred ? (ownWidth - lineWidth(text, size)) / 2 : 0;
  const { x, y } = along;
  const matrix = [x, y, -y, x, from.x + before * x, from.y + before * y].map(number).join(" ");
  const textObject = `BT /${letters.name} ${number(size)} Tf ${matrix} Tm ${letters.encode(text)} Tj ET`;
  const layers = look.layers.map((layer) => `/OC ${layer} BDC `).join("");
  const content = `q ${look.alpha ?? ""} ${look.colour}\n${layers}${textObject}${" EMC".repeat(look.layers.length)} Q`;
  return { operators: [PDFOperator.of(content as never)] };
}

/** The largest size at which a line fits, not above that of the typed text; undefined if it would be too small to read. */
function fittingSize(text: string, typed: number, width: number): number | undefined {
  const smallest = Math.min(minSize, typed);
  for (let size = typed; ; size = Math.max(size - 0.5, smallest)) {
    if (lineWidth(text, size) <= width) return size;
    if (size <= smallest) return undefined;
  }
}
