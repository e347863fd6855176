import { fold } from "../../text.ts";
import { amountIn, isCurrency } from "./amounts.ts";
import { datesIn, type DayOrder, orderOf } from "./dates.ts";
import { type Label, labelsOf, normal, nounsOf, type Wanted } from "./labels.ts";
import { type Cell, isOnLine, isRightToLeft } from "./page-cells.ts";

/** Reads a document's fields from the texts of its pages, by their labels. What is not certain is left out. */

/** What a page says of a field. */
export type Reading = {
  field: string;
  /** Dates are `YYYY-MM-DD`; two if day and month may be either way. */
  values: string[];
  /** In its file, from 1. */
  page: number;
  /** The label on the page; empty for a code, a heading, and the date of a letter. */
  label: string;
};

type Candidate = Reading & Pick<Label, "kind" | "group">;
type Search = { cells: Cell[]; labels: Map<string, Label[]>; order: DayOrder };

export function readFields(cells: Cell[], wanted: Wanted): Reading[] {
  const labels = labelsOf(wanted);
  const search = { cells, labels, order: orderOf(cells.map(({ text }) => text)) };
  const all = cells.flatMap((_, n) => candidatesAt(n, search));
  const candidates = all.filter((candidate) => !isPartOfSum(candidate, cells));
  const fields = new Set(all.map(({ field }) => field));
  const certain = [...fields].flatMap((field) => agreed(candidates.filter((one) => one.field === field)));
  if (!fields.has("date")) certain.push(...agreed(letterDates(search)));
  const readings = certain.map(({ field, values, page, label }) => ({ field, values, page, label }));
  return [...readings, ...headingOf(cells, wanted.type)];
}

/** The values of a label: behind it in its cell, in the next cell of its line, or in the cell below. */
function candidatesAt(n: number, search: Search): Candidate[] {
  const { cells, labels } = search;
  const cell = cells[n]!;
  for (const { label, rest } of splitsOf(cell.text)) {
    const entries = entriesOf(label, labels);
    if (entries.length === 0) continue;
    const [next, afterNext] = cellsBeside(n, cells);
    const isInCell = rest !== "" && !isCurrency(rest);
    const behind = isInCell ? rest : next && `${rest} ${next.text}`.trim();
    const end = isInCell ? next : afterNext;
    const isLast = !end || /[:：]/u.test(end.text);
    const hasColon = /[:：]\s*$/u.test(label);
    return entries.flatMap((entry) => {
      const { kind, group, mayBeBelow } = entry;
      const parsed = (text: string | undefined): Candidate[] => {
        const values = text ? parse(text, entry, search) : [];
        const found = { ...entry, values, page: cell.page + 1, label: label.replace(/[\s:：]+$/u, "") };
        return values.length > 0 ? [found] : [];
      };
      if (kind === "text" && !(isLast && (hasColon || /\d/.test(behind ?? "")))) return [];
      if (kind === "person" && group > 0 && !hasColon) return [];
      const beside = parsed(behind);
      const isSure = beside.length > 0 && (kind !== "person" || hasColon);
      if (rest || isSure || !mayBeBelow) return beside;
      const below = cellBelow(cell, cells);
      // A second row is a table's, and a name may be the next heading: if they disagree, nothing is read.
      return [...beside, ...parsed(below?.text), ...parsed(below && cellBelow(below, cells)?.text)];
    });
  }
  return [];
}

/** The next two cells of a line, in the direction of its label. */
function cellsBeside(n: number, cells: Cell[]): (Cell | undefined)[] {
  const step = isRightToLeft(cells[n]!.text) ? -1 : 1;
  const beside = [cells[n + step], cells[n + 2 * step]];
  return beside.map((cell) => (cell && cell.page === cells[n]!.page && isOnLine(cell, cells[n]!) ? cell : undefined));
}

/** All ways to divide a text into a label and what follows, the longest label first. */
function splitsOf(text: string) {
  const ends = [...text.slice(0, 120).matchAll(/(?<=[\s:：#№.])|$/gu)].map(({ index }) => index);
  return ends.toReversed().map((end) => {
    const rest = text.slice(end).replace(/^[\s:：#№.]+/u, "");
    return { label: text.slice(0, end), rest: rest.replace(/^\((.+)\)$/, "$1").trim() };
  });
}

/** A label may be in two languages: `Invoice date / Rechnungsdatum`. */
function entriesOf(label: string, labels: Search["labels"]): Label[] {
  const [first, ...others] = label.split(/[/|()]/).flatMap((part) => normal(part) || []);
  const entries = labels.get(first ?? "") ?? [];
  return entries.filter(({ field }) =>
    others.every((other) => isCurrency(other) || labels.get(other)?.some((entry) => entry.field === field)),
  );
}

function cellBelow(cell: Cell, cells: Cell[]): Cell | undefined {
  return cells.find((other) => {
    const distance = (cell.y - other.y) / cell.size;
    const edges = [
      other.left - cell.left,
      other.right - cell.right,
      (other.left + other.right - cell.left - cell.right) / 2,
    ];
    const isAligned = edges.some((edge) => Math.abs(edge) < cell.size / 2);
    return other.page === cell.page && distance > 0.5 && distance < 3 && isAligned;
  });
}

const numberPattern = /^(?=.*\d)(?:\p{Lu}{1,5} )?[\p{L}\d][\p{L}\d./_-]{0,44}$/u;
const personPattern = /^\p{L}[\p{L}\p{M}.'’-]*(?: [\p{L}\p{M}.'’-]+){1,5}$|^\p{Script=Han}{2,4}$/u;
const particles = /^(?:de|da|das|do|dos|di|del|della|der|den|van|von|zu|y|e|la|le|du|bin|al|el|ibn|ten|ter)$/;

/** The values of a text that is of the label's kind as a whole. */
function parse(text: string, { kind, isEnglish }: Label, { labels, order }: Search): string[] {
  if (text.length > 200 || entriesOf(text, labels).length > 0) return [];
  if (kind === "date") return datesIn(text, order ?? (isEnglish ? undefined : "day first"));
  const isOfKind = {
    number: () => numberPattern.test(text) && datesIn(text).length === 0,
    amount: () => amountIn(text)?.hasCurrency,
    person: () =>
      personPattern.test(text) && text.split(" ").every((word) => !/^\p{Ll}/u.test(word) || particles.test(word)),
    text: () => /[\p{L}\d]/u.test(text) && !/[:：]/u.test(text),
  }[kind];
  return isOfKind() ? [text] : [];
}

/** What all candidates of the best group agree on; none if they do not. */
function agreed(candidates: Candidate[]): Candidate[] {
  const best = Math.min(...candidates.map(({ group }) => group));
  const [first, ...others] = candidates.filter(({ group }) => group === best);
  const isSame = (one: string, other: string) =>
    fold(one) === fold(other) || (amountIn(one) && amountIn(one)?.size === amountIn(other)?.size);
  const values = (first?.values ?? []).filter((value) =>
    others.every((other) => other.values.some((another) => isSame(value, another))),
  );
  return first && values.length > 0 ? [{ ...first, values }] : [];
}

/** Whether a total is less than another amount: before taxes, or after what was paid. */
function isPartOfSum({ kind, group, values }: Candidate, cells: Cell[]): boolean {
  if (kind !== "amount" || group === 0) return false;
  const amounts = cells.flatMap(({ text }) => fold(text).match(/\d[\d.,' ]*[.,]\d\d(?!\d)/g) ?? []);
  const sizes = amounts.map((amount) => amountIn(amount)?.size ?? 0);
  return sizes.some((size) => size > amountIn(values[0]!)!.size);
}

/** Dates behind a place, as on letters: `Kraków, 3 kwietnia 2026`. */
const letterDates = ({ cells, order }: Search): Candidate[] =>
  cells.flatMap((cell, n) => {
    const isAlone = ![cells[n - 1], cells[n + 1]].some((other) => other && isOnLine(cell, other));
    const isLetter = /^[\p{L}\p{M}.'’-]+(?: [\p{L}\p{M}.'’-]+)?, ?\D*\d/u.test(cell.text);
    const values = cell.page === 0 && isAlone && isLetter ? datesIn(cell.text, order) : [];
    return values.length > 0 ? [{ field: "date", kind: "date", group: 0, values, page: 1, label: "" }] : [];
  });

/** The largest text of the first page, if it says what kind of document it is. */
function headingOf(cells: Cell[], type: string): Reading[] {
  const first = cells.filter(({ page }) => page === 0);
  const sizes = first.map(({ size }) => size).toSorted((one, other) => one - other);
  const largest = sizes.at(-1) ?? 0;
  const lines = first.filter(({ size }) => size > largest * 0.95);
  const isOneBlock = lines.every((line, n) => n === 0 || lines[n - 1]!.y - line.y < largest * 1.6);
  const heading = lines.map(({ text }) => text).join(" ");
  const isLarge = largest > sizes[Math.floor(sizes.length / 2)]! * 1.2;
  const isTyped = nounsOf(type).some((noun) => isWordOf(noun, fold(heading)));
  if (!isOneBlock || !isLarge || !isTyped || lines.length > 3 || heading.length > 100 || /[:：]/u.test(heading))
    return [];
  return [{ field: "name", values: [heading], page: 1, label: "" }];
}

/** Also as the end of a compound: `Mietvertrag`. Chinese has no spaces. */
function isWordOf(noun: string, text: string): boolean {
  if (/\p{Script=Han}/u.test(noun)) return text.includes(noun);
  return new RegExp(`${noun.length < 7 ? "(?<!\\p{L})" : ""}${noun}(?![\\p{L}\\p{M}])`, "u").test(text);
}
