import { PDFOperator } from "@cantoo/pdf-lib";
import { fold } from "../../text.ts";
import { formFont, lineWidth, missingGlyph } from "../fonts/form-font.ts";
import type { UsedLetters } from "../fonts/used-letters.ts";
import { columnPattern, columnsOf, type Widget } from "./template-fields.ts";
import { minSize, number, oneLine, valueOf, valueProblem } from "./template-values.ts";

/** Draws the values of form fields as content of their page. */

const largestChosenSize = 12;
const padding = 2;
const lineHeight = 1.15;

export type Drawn = { operators: PDFOperator[] } | { column: string; problem: string };

/** The operators that draw a field's value, or why it can't be drawn. */
export function drawWidget(widget: Widget, values: Record<string, string>, letters: UsedLetters): Drawn {
  const columns = columnsOf(widget.pattern);
  const column = columns[0]!;
  const refuse = (problem: string, of = column): Drawn => ({ column: of, problem });
  for (const one of columns) {
    const problem = valueProblem(valueOf(values, one));
    if (problem) return refuse(problem, one);
  }
  const text = widget.pattern.replace(columnPattern, (_, one: string) => valueOf(values, one)).trim();
  if (missingGlyph(text)) return refuse("has a character around it in the template that can’t be printed");
  if (widget.kind === "check box" || widget.kind === "radio buttons") return drawButton(widget, text, refuse);
  if (widget.options && text && !widget.options.includes(text)) {
    return refuse(noneOf(widget.options));
  }
  if (widget.maxLength !== undefined && [...text].length > widget.maxLength) {
    return refuse(`is longer than the ${widget.maxLength} characters of field “${widget.field}”`);
  }
  if (!text) return { operators: [] };
  const fitted = fit(widget, text);
  if (!fitted) return refuse(`is too long for field “${widget.field}”`);
  return { operators: operatorsOf(widget, textContent(widget, fitted, letters)) };
}

const noneOf = (options: string[] = []) => {
  const examples = options.slice(0, 10).map((option) => (option.length > 50 ? `${option.slice(0, 50)}…` : option));
  return `is none of the choices: ${examples.join(", ")}`;
};

const on = new Set(["yes", "true", "1", "x", "on"]);
const off = new Set(["", "no", "false", "0", "off"]);

function drawButton(widget: Widget, text: string, refuse: (problem: string) => Drawn): Drawn {
  const folded = fold(text);
  const isState = widget.state !== undefined && text === widget.state;
  if (widget.kind === "radio buttons" && text && !widget.options?.includes(text)) return refuse(noneOf(widget.options));
  if (widget.kind === "radio buttons") return { operators: isState ? operatorsOf(widget, disc(widget)) : [] };
  if (!isState && off.has(folded)) return { operators: [] };
  if (!isState && !on.has(folded)) return refuse("is for a check box: use yes or no");
  return { operators: operatorsOf(widget, tick(widget)) };
}

/** The field's sides as its text runs. */
function sidesOf({ box, turns }: Widget) {
  const [width, height] = [box[2] - box[0], box[3] - box[1]];
  return turns % 2 === 0 ? { width, height } : { width: height, height: width };
}

type Fitted = { lines: string[]; size: number };

/** The lines at the largest size that fits, not above the field's own; undefined if none does. */
function fit(widget: Widget, text: string): Fitted | undefined {
  const { width, height } = sidesOf(widget);
  const room = { width: Math.max(width - 2 * padding, 1), height };
  const chosen = Math.min(largestChosenSize, Math.max(height * 0.7, minSize));
  const start = widget.size || chosen;
  const smallest = Math.min(minSize, start);
  for (let size = start; ; size = Math.max(size - 0.5, smallest)) {
    const lines = widget.isMultiline ? wrapped(text, size, room.width) : [oneLine(text)];
    const isWide = lines.every((line) => lineWidth(line, size) <= room.width);
    // A single line may be as high as its field: letters without descenders look well in it.
    const isHigh = !widget.isMultiline || lines.length * size * lineHeight <= room.height + padding;
    if (isWide && isHigh) return { lines, size };
    if (size <= smallest) return undefined;
  }
}

function wrapped(text: string, size: number, width: number): string[] {
  return text.split("\n").flatMap((paragraph) => {
    const lines: string[] = [];
    let line = "";
    for (const word of paragraph.split(" ")) {
      const longer = line ? `${line} ${word}` : word;
      if (line && lineWidth(longer, size) > width) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    return [...lines, line];
  });
}

function textContent(widget: Widget, { lines, size }: Fitted, letters: UsedLetters): string {
  const { width, height } = sidesOf(widget);
  const first = widget.isMultiline
    ? height - padding - formFont.ascent * size
    : (height - formFont.capHeight * size) / 2;
  const drawn = lines.map((line, n) => {
    const free = width - lineWidth(line, size);
    const x = widget.align === 1 ? free / 2 : widget.align === 2 ? free - padding : padding;
    const y = first - n * size * lineHeight;
    return `1 0 0 1 ${number(x)} ${number(y)} Tm ${letters.encode(line)} Tj`;
  });
  return `${widget.colour} BT /${letters.name} ${number(size)} Tf ${drawn.join(" ")} ET`;
}

function tick(widget: Widget): string {
  const { width, height } = sidesOf(widget);
  const side = Math.min(width, height);
  const at = (x: number, y: number) =>
    `${number((width - side) / 2 + x * side)} ${number((height - side) / 2 + y * side)}`;
  return `0 G ${number(side * 0.1)} w 1 J 1 j ${at(0.22, 0.5)} m ${at(0.43, 0.28)} l ${at(0.8, 0.75)} l S`;
}

/** A line of no length with round ends. */
function disc(widget: Widget): string {
  const { width, height } = sidesOf(widget);
  const middle = `${number(width / 2)} ${number(height / 2)}`;
  return `0 G ${number(Math.min(width, height) * 0.5)} w 1 J ${middle} m ${middle} l S`;
}

/** Content within the field's box, turned as it. */
function operatorsOf({ box: [left, bottom, right, top], turns }: Widget, content: string): PDFOperator[] {
  const matrices = [
    [1, 0, 0, 1, left, bottom],
    [0, 1, -1, 0, right, bottom],
    [-1, 0, 0, -1, right, top],
    [0, -1, 1, 0, left, top],
  ];
  const matrix = matrices[turns]!.map(number).join(" ");
  return [PDFOperator.of(`q ${matrix} cm ${content} Q` as never)];
}
