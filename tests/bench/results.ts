import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { type Figure, shareOf } from "./figures.ts";

const folder = join(import.meta.dirname, "..", "..", "docs/performance");
const [json, svg] = [join(folder, "results.json"), join(folder, "chart.svg")];

/** What was measured of each part when it was last measured. */
type Results = Record<string, { at: string; machine: string; drift: number; figures: Figure[] }>;

/** Keeps a part's figures as JSON, and draws all parts' anew. */
export function keepResults(part: string, figures: Figure[], drift: number) {
  mkdirSync(folder, { recursive: true });
  const results: Results = existsSync(json) ? (JSON.parse(readFileSync(json, "utf8")) as Results) : {};
  const rounded = figures.map((figure) => ({ ...figure, value: Number(figure.value.toPrecision(3)) }));
  const model = cpus()[0]?.model ?? "unknown";
  const memory = Math.round(totalmem() / 2 ** 30);
  const machine = `${cpus().length} × ${model}, ${memory} GB, ${type()} ${release()}, Node ${process.version}`;
  results[part] = { at: new Date().toISOString(), machine, drift: Number(drift.toFixed(2)), figures: rounded };
  writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(svg, chart(results));
}

const [leftColumn, right, rowHeight, furthest] = [110, 24, 34, 2];
const width = 760;

/** A row of dots for each part: how far each figure is to the right is how much it takes of what is allowed. */
function chart(results: Results) {
  const parts = Object.entries(results);
  const height = parts.length * rowHeight + 76;
  const x = (share: number) =>
    (leftColumn + (Math.min(share, furthest) / furthest) * (width - leftColumn - right)).toFixed(1);
  const bottom = height - 44;
  const rows = parts.map(([part, { figures }], n) => {
    const y = 30 + n * rowHeight + rowHeight / 2;
    const shares = figures.map((figure) => ({ figure, share: shareOf(figure) }));
    const dots = shares.flatMap(({ figure, share }) => {
      if (share === undefined) return [];
      const colours = share > 1 ? 'fill="#b3261e"' : 'fill="#1c6b5a" fill-opacity="0.45"';
      const title = `${figure.what}: ${figure.value} ${figure.unit}`.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      // Told apart by their shape as well as by their colour.
      const size = share > 1 ? 9 : 8;
      const round = share > 1 ? 0 : 4;
      const corner = `x="${Number(x(share)) - size / 2}" y="${y - size / 2}"`;
      return [
        `<rect ${corner} width="${size}" height="${size}" rx="${round}" ${colours}><title>${title}</title></rect>`,
      ];
    });
    return `<text x="${leftColumn - 12}" y="${y + 4}" text-anchor="end">${part}</text>\n${dots.join("\n")}`;
  });
  const scale = [0, 0.5, 1, 1.5, furthest].map((share) => {
    const at = x(share);
    const line = share === 1 ? 'stroke="#1a1a1a" stroke-width="1.5"' : 'stroke="#d5d5d0"';
    const text = share === 1 ? "the limit" : share === furthest ? "twice, and beyond" : share === 0 ? "nothing" : share;
    const anchor = share === furthest ? "end" : share === 0 ? "start" : "middle";
    return `<line x1="${at}" x2="${at}" y1="24" y2="${bottom}" ${line}/>
<text x="${at}" y="${bottom + 18}" text-anchor="${anchor}">${text}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, sans-serif" font-size="13">
<title>How much each measured figure takes of what is allowed</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
${scale.join("\n")}
${rows.join("\n")}
</svg>
`;
}
