import { Fragment } from "react";
import { fold } from "#lib/text.ts";

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
  const first = marksIn(text, find)[0]?.from ?? 0;
  const from = Math.max(0, Math.min(first - before, text.length - max));
  const end = from + max < text.length ? " …" : "";
  // Between words, if there are some.
  const rest = from > 0 ? text.slice(from).replace(/^\S{0,20}\s/, "") : text;
  return `${from > 0 ? "… " : ""}${rest.slice(0, max).trim()}${end}`;
}

/** Where a text has another, as both are compared: its signs one by one, with the marks on them. */
function marksIn(text: string, find: string) {
  const sought = fold(find);
  const marks: { from: number; to: number }[] = [];
  if (sought.trim() === "") return marks;
  let folded = "";
  const places: { from: number; to: number }[] = [];
  for (const { 0: sign, index: from } of text.matchAll(/\P{M}\p{M}*|^\p{M}+/gu)) {
    const part = fold(sign);
    folded += part;
    for (let n = 0; n < part.length; n++) places.push({ from, to: from + sign.length });
  }
  for (let at = folded.indexOf(sought); at >= 0; at = folded.indexOf(sought, at + sought.length)) {
    marks.push({ from: places[at]!.from, to: places[at + sought.length - 1]!.to });
  }
  return marks;
}
