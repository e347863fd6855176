import { mapSize } from "../map/map-size.ts";
import { ReportText, type Style } from "./report-text.ts";

/** Pages of a report as the operators that draw them. */

/** As `drawMap` makes it. */
export type ReportMap = {
  land: string[];
  grid: { meridians: GridLine[]; parallels: GridLine[] };
  towns: { x: number; y: number; name: string }[];
  /** In per cent; the radius of the accuracy in units of the paths. */
  marks: { x: number; y: number; radius: number }[];
};
type GridLine = { at: number; label: string };

export type ReportTable = { columns: { label: string; share: number }[]; rows: string[][] };

export const sheet = { width: 595.28, height: 841.89, margin: 48, bottom: 78 };
const inner = sheet.width - 2 * sheet.margin;
const scale = inner / mapSize.width;
const mapHeight = mapSize.height * scale;
const gap = 8;

const styles = {
  title: { font: "Bold", size: 20 },
  heading: { font: "Bold", size: 12 },
  text: { font: "Plain", size: 9.5 },
  label: { font: "Bold", size: 9.5 },
  cell: { font: "Plain", size: 8 },
  columnHead: { font: "Bold", size: 8 },
  small: { font: "Plain", size: 7 },
} as const satisfies Record<string, Style>;

const leadingOf = ({ size }: Style) => size * 1.35;
const factLabelWidth = 130;

export class ReportPages {
  readonly pages: string[][] = [];
  readonly text = new ReportText();
  private y = 0;

  constructor() {
    this.addPage();
  }

  title(text: string) {
    this.paragraph(text, styles.title);
  }

  /** Never alone at the end of a page, nor without the map that follows. */
  heading(text: string, hasMap = false) {
    this.y -= 10;
    this.need(hasMap ? 80 + mapHeight : 60);
    this.paragraph(text, styles.heading);
    this.y -= 2;
  }

  paragraph(text: string, style: Style = styles.text) {
    for (const line of this.text.lines(text, style, inner)) {
      this.need(leadingOf(style));
      this.y -= leadingOf(style);
      this.show(line, style, sheet.margin);
    }
    this.y -= 3;
  }

  facts(facts: [label: string, value: string][]) {
    for (const [label, value] of facts) {
      const lines = this.text.lines(value, styles.text, inner - factLabelWidth);
      for (const [n, line] of lines.entries()) {
        this.need(leadingOf(styles.text));
        this.y -= leadingOf(styles.text);
        if (n === 0)
          this.show(this.text.lines(label, styles.label, factLabelWidth - gap)[0]!, styles.label, sheet.margin);
        this.show(line, styles.text, sheet.margin + factLabelWidth);
      }
      this.y -= 2;
    }
  }

  table({ columns, rows }: ReportTable) {
    const shares = columns.reduce((sum, { share }) => sum + share, 0);
    const widths = columns.map(({ share }) => (inner * share) / shares);
    const cellsOf = (texts: string[], style: Style) =>
      texts.map((text, n) => this.text.lines(text, style, widths[n]! - gap));
    const head = cellsOf(
      columns.map(({ label }) => label),
      styles.columnHead,
    );
    const addHead = () => this.row(head, widths, styles.columnHead);
    addHead();
    for (const texts of rows) this.row(cellsOf(texts, styles.cell), widths, styles.cell, addHead);
  }

  /** A row over as many pages as it takes, with a line below. */
  private row(cells: Uint8Array[][], widths: number[], style: Style, onPage?: () => void) {
    const leading = leadingOf(style);
    const height = Math.max(...cells.map((lines) => lines.length));
    for (let n = 0; n < height; n++) {
      if (this.need(leading + 3)) onPage?.();
      this.y -= leading;
      let x = sheet.margin;
      for (const [column, lines] of cells.entries()) {
        const line = lines[n];
        if (line) this.show(line, style, x);
        x += widths[column]!;
      }
    }
    this.y -= 4;
    this.draw(`0.75 G 0.5 w ${sheet.margin} ${at(this.y)} m ${at(sheet.width - sheet.margin)} ${at(this.y)} l S`);
  }

  /** Coasts, lines of degrees and marks, across the page. */
  map({ land, grid, towns, marks }: ReportMap) {
    const height = mapHeight;
    this.need(height + 14);
    this.y -= height + 4;
    const [x, y] = [sheet.margin, this.y];
    const operators = land.map((path) =>
      path
        .replaceAll(/([ML])(-?[\d.]+) (-?[\d.]+)/g, (_, kind, a, b) => `${a} ${b} ${kind.toLowerCase()}\n`)
        .replaceAll("Z", "h\n"),
    );
    this.draw(
      // From the top left downwards, as on screens.
      `q ${at(scale)} 0 0 ${at(-scale)} ${x} ${at(y + height)} cm`,
      `0 0 ${mapSize.width} ${mapSize.height} re W n`,
      `0.86 0.91 0.95 rg 0 0 ${mapSize.width} ${mapSize.height} re f`,
      `0.96 0.95 0.92 rg ${operators.join("")} f`,
      `0.75 G 0.8 w ${[...grid.meridians.map(meridian), ...grid.parallels.map(parallel)].join(" ")} S`,
      ...marks.flatMap(markOperators),
      "Q",
      `0.6 G 0.5 w ${x} ${at(y)} ${at(inner)} ${at(height)} re S`,
    );
    for (const town of towns)
      this.mapLabel(`• ${town.name}`, x + (town.x / 100) * inner - 1, y + height * (1 - town.y / 100) - 2);
    for (const { at: share, label } of grid.meridians) this.mapLabel(label, x + (share / 100) * inner + 2, y + 3);
    for (const { at: share, label } of grid.parallels) this.mapLabel(label, x + 2, y + height * (1 - share / 100) + 2);
    this.y -= 6;
  }

  private mapLabel(label: string, x: number, y: number) {
    this.show(this.text.lines(label, styles.small, 100)[0]!, styles.small, x, y);
  }

  /** Text at the foot of each page, when all are there. */
  foot(lines: string[]) {
    const count = this.pages.length;
    for (const [n, page] of this.pages.entries()) {
      const rows = [...lines, `Page ${n + 1} of ${count}`].flatMap((text) =>
        this.text.lines(text, styles.small, inner),
      );
      rows.forEach((line, row) => {
        page.push(textOperator(line, styles.small, sheet.margin, sheet.bottom - 22 - row * leadingOf(styles.small)));
      });
    }
  }

  /** Begins a page if there is too little room. Returns whether it did. */
  private need(height: number) {
    if (this.y - height >= sheet.bottom) return false;
    this.addPage();
    return true;
  }

  private addPage() {
    this.pages.push([]);
    this.y = sheet.height - sheet.margin;
  }

  private show(line: Uint8Array, style: Style, x: number, y = this.y) {
    this.draw(textOperator(line, style, x, y));
  }

  private draw(...operators: string[]) {
    this.pages.at(-1)!.push(...operators);
  }
}

const textOperator = (line: Uint8Array, { font, size }: Style, x: number, y: number) =>
  `0 g BT /${font} ${at(size)} Tf ${at(x)} ${at(y)} Td <${Buffer.from(line).toString("hex")}> Tj ET`;

const meridian = ({ at: share }: GridLine) => {
  const x = at((share / 100) * mapSize.width);
  return `${x} 0 m ${x} ${mapSize.height} l`;
};
const parallel = ({ at: share }: GridLine) => {
  const y = at((share / 100) * mapSize.height);
  return `0 ${y} m ${mapSize.width} ${y} l`;
};

/** How far around it a place may be, and a diamond on it. */
function markOperators({ x: xShare, y: yShare, radius }: ReportMap["marks"][number]) {
  const [x, y] = [(xShare / 100) * mapSize.width, (yShare / 100) * mapSize.height];
  const diamond = [
    [x, y - 11],
    [x + 11, y],
    [x, y + 11],
    [x - 11, y],
  ].map(([a, b], n) => `${at(a!)} ${at(b!)} ${n === 0 ? "m" : "l"}`);
  return [`0.75 0.15 0.15 RG 1.5 w ${circle(x, y, radius)} S`, `0.75 0.15 0.15 rg 1 G 2.5 w ${diamond.join(" ")} b`];
}

/** Four curves; 0.5523 of the radius is nearest to a circle. */
function circle(x: number, y: number, radius: number) {
  const handle = radius * 0.5523;
  const quarter = ([a, b, c, d, e, f]: number[]) => `${[a, b, c, d, e, f].map((one) => at(one!)).join(" ")} c`;
  return [
    `${at(x + radius)} ${at(y)} m`,
    quarter([x + radius, y + handle, x + handle, y + radius, x, y + radius]),
    quarter([x - handle, y + radius, x - radius, y + handle, x - radius, y]),
    quarter([x - radius, y - handle, x - handle, y - radius, x, y - radius]),
    quarter([x + handle, y - radius, x + radius, y - handle, x + radius, y]),
  ].join(" ");
}

const at = (value: number) => String(Number(value.toFixed(2)));
