/** Reads from character codes of a font to text (ISO 32000-2, 9.10.3). */

/** Texts by character code. */
export type UnicodeMap = Map<number, string>;

/** More than fonts have. */
const maxEntries = 70_000;

const token = /<([0-9a-f\s]*)>|\[|\]|\b(beginbfchar|endbfchar|beginbfrange|endbfrange)\b/gi;

/** Parses a ToUnicode map; codes without a text are not in it. */
export function parseUnicodeMap(source: string): UnicodeMap {
  const map: UnicodeMap = new Map();
  let section = "";
  let line: (string | string[])[] = [];
  let list: string[] | undefined;
  for (const [text, digits, word] of source.matchAll(token)) {
    if (word) {
      section = word.toLowerCase();
      line = [];
      list = undefined;
    } else if (text === "[") list = [];
    else if (text === "]") {
      if (list) line.push(list);
      list = undefined;
    } else if (list) list.push(hexOf(digits!));
    else line.push(hexOf(digits!));
    if (list) continue;
    if (section === "beginbfchar" && line.length === 2) {
      addRange(map, line[0] as string, line[0] as string, line[1]!);
      line = [];
    }
    if (section === "beginbfrange" && line.length === 3) {
      addRange(map, line[0] as string, line[1] as string, line[2]!);
      line = [];
    }
    if (map.size > maxEntries) return map;
  }
  return map;
}

const hexOf = (digits: string) => digits.replace(/\s/g, "");

function addRange(map: UnicodeMap, from: string | string[], to: string | string[], target: string | string[]) {
  const [first, last] = [Number.parseInt(String(from), 16), Number.parseInt(String(to), 16)];
  for (let code = first; code <= Math.min(last, first + 0xffff); code++) {
    const text = Array.isArray(target) ? textOf(target[code - first] ?? "") : textOf(target, code - first);
    if (text) map.set(code, text);
  }
}

/** UTF-16 as hexadecimal digits, with the last unit raised by `more`. */
function textOf(digits: string, more = 0): string {
  const bytes = Buffer.from(
    digits.length % 4 === 0 ? digits : digits.padStart(Math.ceil(digits.length / 4) * 4, "0"),
    "hex",
  );
  const units = Array.from({ length: Math.min(bytes.length / 2, 16) }, (_, n) => bytes.readUInt16BE(n * 2));
  if (units.length > 0) units[units.length - 1]! += more;
  return String.fromCharCode(...units);
}
