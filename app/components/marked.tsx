import { Fragment } from "react";

const fold = (text: string) => text.toLocaleLowerCase("en");

/** Characters before the first mark of a text that is cut. */
const before = 40;

type MarkedProps = {
  text: string;
  /** What is marked, in any case. */
  find: string;
  /** A longer text is cut around the first mark to so many characters. */
  max?: number;
};

/** A text with the parts marked that were searched for. */
export function Marked({ text: whole, find, max = Infinity }: MarkedProps) {
  const text = cut(whole.normalize("NFC"), find, max);
  const parts = marksIn(text, find);
  return parts
    .map(({ from, to }, n) => (
      <Fragment key={from}>
        {text.slice(n === 0 ? 0 : parts[n - 1]!.to, from)}
        <mark>{text.slice(from, to)}</mark>
        {n === parts.length - 1 && text.slice(to)}
      </Fragment>
    ))
    .concat(parts.length === 0 ? [<Fragment key="whole">{text}</Fragment>] : []);
}

function cut(text: string, find: string, max: number) {
  if (text.length <= max) return text;
  const first = fold(text).indexOf(fold(find));
  const from = Math.max(0, Math.min(first - before, text.length - max));
  const end = from + max < text.length ? " …" : "";
  // Between words, where there are some.
  const begun = from > 0 ? text.slice(from).replace(/^\S{0,20}\s/, "") : text;
  return `${from > 0 ? "… " : ""}${begun.slice(0, max).trim()}${end}`;
}

/** Where a text has another in any case; nowhere if it changes its length with its case. */
function marksIn(text: string, find: string) {
  const [folded, sought] = [fold(text), fold(find)];
  const marks: { from: number; to: number }[] = [];
  if (sought === "" || folded.length !== text.length) return marks;
  for (let at = folded.indexOf(sought); at >= 0; at = folded.indexOf(sought, at + sought.length)) {
    marks.push({ from: at, to: at + sought.length });
  }
  return marks;
}
