/** Equality of texts: in searches, for names that are unique, for numbers on paper and for email addresses. */

type Range = readonly [from: number, to: number];

const classOf = (ranges: readonly Range[]) =>
  ranges.map(([from, to]) => `${String.fromCodePoint(from)}-${String.fromCodePoint(to)}`).join("");

/** Characters that are ignored once texts are decomposed: accents, vowel points, nuktas, tatweel, and characters without a sign. */
const uncompared = classOf([
  [0x0300, 0x036f],
  [0x0483, 0x0487],
  [0x0591, 0x05bd],
  [0x05bf, 0x05bf],
  [0x05c1, 0x05c2],
  [0x05c4, 0x05c5],
  [0x05c7, 0x05c7],
  [0x0610, 0x061a],
  [0x061c, 0x061c],
  [0x0640, 0x0640],
  [0x064b, 0x065f],
  [0x0670, 0x0670],
  [0x06d6, 0x06dc],
  [0x06df, 0x06e8],
  [0x06ea, 0x06ed],
  [0x093c, 0x093c],
  [0x09bc, 0x09bc],
  [0x0a3c, 0x0a3c],
  [0x0abc, 0x0abc],
  [0x0b3c, 0x0b3c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x20d0, 0x20ff],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xad, 0xad],
  [0xe0000, 0xe0fff],
]);

/** Kept is what makes й, ў, ї, ѓ and ќ other letters than и, у, і, г and к. */
const droppedPattern = `([ИиУу]\u0306|[Іі]\u0308|[ГгКк]\u0301)|[${uncompared}]+`;
const spacePattern = "[\t\n\v\f\r \u0085\u1680\u2028\u2029]+";

/** Letters that Unicode does not decompose, and signs, as they are compared. */
const equals: Record<string, string> = Object.fromEntries([
  ..."ßss æae œoe þth øo đd ðd ħh łl ŧt ŋn ıi ςσ".split(" ").map(([sign, ...as]) => [sign, as.join("")]),
  ..."ٱا ىي یي کك ةه ۃه ہه ھه ەه".split(" ").map(([sign, as]) => [sign, as]),
  ...[..."‐‒–—―⸺⸻−֊־⁃˗"].map((dash) => [dash, "-"]),
  ...[..."‘’‚‛′ʼʻʹ"].map((mark) => [mark, "'"]),
  ...[..."“”„‟«»"].map((mark) => [mark, '"']),
]);

/** The first digit of each ten, whose digits stand in the order of their values. */
const zeros: number[] = [];
for (let code = 0x30; code < 0x1fc00; code++) {
  if (!/\p{Nd}/u.test(String.fromCodePoint(code))) continue;
  zeros.push(code);
  code += 9;
}
const digits = zeros.flatMap((zero) => Array.from({ length: 10 }, (_, value) => [zero + value, value] as const));
for (const [code, value] of digits.slice(10)) equals[String.fromCodePoint(code)] = String(value);

const [dropped, spaces] = [new RegExp(droppedPattern, "gu"), new RegExp(spacePattern, "g")];
const folded = new RegExp(`[${Object.keys(equals).join("")}]`, "gu");

/** Text as it is searched and compared: without case, accents and signs that are not seen. In SQL it is `fold(…)`. */
export function fold(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase().replace(/ {2,}/g, " ");
  const letters = text.normalize("NFKD").replace(dropped, "$1").toLowerCase();
  const compared = letters.replace(folded, (sign) => equals[sign]!);
  return compared.replace(spaces, " ").normalize("NFC");
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The same as an expression of PostgreSQL, of its text `given`; `lower` is a call that ends with a closing bracket. */
export function foldInPostgres(lower: (text: string) => string): string {
  const all = Object.entries(equals);
  const single = all.filter(([, to]) => to.length === 1);
  const [from, to] = [0, 1].map((n) => quoted(single.map((pair) => pair[n]).join("")));
  const letters = lower(`regexp_replace(normalize(given, NFKD), ${quoted(droppedPattern)}, '\\1', 'g')`);
  const compared = all
    .filter(([, to]) => to.length > 1)
    .reduce(
      (text, [sign, to]) => `replace(${text}, ${quoted(sign)}, ${quoted(to)})`,
      `translate(${letters}, ${from}, ${to})`,
    );
  return `case when given ~ '^[ -~]*$' then regexp_replace(lower(given collate "C") collate "default", ' {2,}', ' ', 'g')
    else normalize(regexp_replace(${compared}, ${quoted(spacePattern)}, ' ', 'g'), NFC) end`;
}

/** Small letters of other alphabets that look like Latin letters or digits on paper, they or their capitals, and those. */
const [alike, latin] = [
  "авекмнорстухіѕјїќαβεζηικμνορτυχзԛԝԁһӏѵүԍօɑɡȷɩǀϳ",
  "abekmhopctyxisjikabezhikmnoptyx3qwdhlvygoagjllj",
];
const lookAlikes = new RegExp(`[${alike}]`, "g");

/** A text typed from paper, with letters of a Latin keyboard in place of those that look alike. */
export const foldTyped = (typed: string): string =>
  fold(typed).replace(lookAlikes, (letter) => latin[alike.indexOf(letter)] ?? letter);

/** Characters that are not seen: format characters but U+200C and U+200D, which are part of names, and signs of flags. */
const unseen =
  /(\u{1F3F4}[\u{E0030}-\u{E007A}]{1,6}\u{E007F})|(?![\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u200C-\u200F\u061C\u202A-\u202E\u2066-\u2069\u{110BD}\u{110CD}])\p{Cf}/gu;
/** Marks of direction have a meaning between letters alone. */
const outerMarks =
  /^[\s\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069]+|[\s\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069]+$/gu;

/** A line without invisible characters; empty if there are no others. */
export function withoutUnseen(line: string): string {
  const seen = line.replace(unseen, "$1").replace(outerMarks, "");
  return /^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(seen) ? "" : seen;
}

/** A domain as the Internet's names have it, `bücher.example` as `xn--bcher-kva.example`; undefined for other texts. */
export function asciiDomain(domain: string): string | undefined {
  if (/[\s/?#@:\\%[\]]/.test(domain)) return undefined;
  const ascii = URL.parse(`http://${domain}`)?.hostname ?? "";
  const isName =
    /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(ascii);
  return isName ? ascii : undefined;
}

/** An email address as it is compared: accents count, as other mailboxes may have them. */
export function foldEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const local = email.slice(0, Math.max(at, 0)).normalize("NFC").toLowerCase();
  return at < 0 ? fold(email) : `${local}@${asciiDomain(email.slice(at + 1)) ?? email.slice(at + 1).toLowerCase()}`;
}
