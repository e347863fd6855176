import { isUtf8 } from "node:buffer";
import { analyse } from "chardet";
import { damaged, TableRefused } from "./table-shape.ts";

/** Reads text in an encoding, or in the one that its bytes speak for. Throws `TableRefused`. */
export function decodeText(bytes: Buffer, chosen?: string, language?: string): { text: string; encoding: string } {
  const isKnown = chosen !== undefined && encodings.includes(chosen);
  const encoding = isKnown ? chosen : encodingOf(bytes, language);
  const text = new TextDecoder(encoding).decode(bytes);
  if (encoding === "utf-8") requireUtf8(bytes, text);
  if (text.includes("\0")) throw damaged();
  return { text, encoding };
}

const byteOrderMarks: [string, number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

function encodingOf(bytes: Buffer, language?: string): string {
  const [marked] = byteOrderMarks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? [];
  if (marked) return marked;
  // ASCII characters have a zero byte each in UTF-16: separators and line ends at the least.
  const start = bytes.subarray(0, 4000);
  const [even, odd] = [0, 1].map((parity) => start.filter((byte, at) => byte === 0 && at % 2 === parity).length);
  const isOfPairs = bytes.length % 2 === 0;
  if (isOfPairs && odd! > 0 && even === 0) return "utf-16le";
  if (isOfPairs && even! > 0 && odd === 0) return "utf-16be";
  return isUtf8(bytes) || isMostlyUtf8(bytes) ? "utf-8" : codePageOf(bytes, language);
}

/** Whether more of the characters beyond ASCII are UTF-8 than are not. */
function isMostlyUtf8(bytes: Buffer) {
  const text = new TextDecoder().decode(bytes);
  let [valid, broken] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\uFFFD") broken++;
    else if (text.charCodeAt(at) > 0x7f) valid++;
  }
  return valid >= broken;
}

function requireUtf8(bytes: Buffer, text: string) {
  if (isUtf8(bytes)) return;
  // A line end within quotes is part of its row.
  const before = text.slice(0, text.indexOf("\uFFFD")).replace(/"[^"]*(?:"|$)/g, "");
  const line = before.split(/\r\n?|\n/).length;
  throw new TableRefused(
    `Line ${line} has a character that is not UTF-8, as the others are: type it again and save the file as UTF-8, or choose another encoding`,
  );
}

const sampleBytes = 64 * 1024;

/** `unlikely` is what no word in it has. */
type CodePage = { name: string; chardet: string[]; usual: string[]; languages: string[]; unlikely: RegExp };

const besideLatin = /[^\p{ASCII}]{3}/u;
const besideOthers = /[A-Za-z]/;
// Greek words have an accent, but short ones.
const besideGreek = /[A-Za-z]|^[α-ω]{3,}$/;
// And half-width characters.
const besidePairs = /[A-Za-z\uFF61-\uFF9F\uFFFD\uE000-\uF8FF]/;

const western = "äöüß àâæçéèêëîïôœùûüÿ áéíñóúü¿¡ ãõáâàçéêíóôúü àèéìíîòóùú åäöæøéü áéíóúæö ëïéèêóáäöüíà".split(" ");
const cyrillic = "абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґўђѓѕјљњћќџ";

/** Letters beyond ASCII of the languages that are written in a code page, the most likely page first. */
const codePages: CodePage[] = [
  {
    name: "windows-1252",
    chardet: ["windows-1252", "ISO-8859-1"],
    usual: [],
    languages: western,
    unlikely: besideLatin,
  },
  {
    name: "windows-1250",
    chardet: ["windows-1250", "ISO-8859-2"],
    usual: ["pl", "cs", "sk", "hu", "ro", "hr", "sl", "sq"],
    languages: ["ąćęłńóśźż", "áčďéěíňóřšťúůýžäôĺľŕ", "áéíóöőúüű", "ăâîşţ", "čćđšž"],
    unlikely: besideLatin,
  },
  {
    name: "windows-1251",
    chardet: ["windows-1251", "ISO-8859-5"],
    usual: ["uk", "bg", "ru", "sr", "mk", "be"],
    languages: [cyrillic],
    unlikely: besideOthers,
  },
  {
    name: "windows-1254",
    chardet: ["windows-1254", "ISO-8859-9"],
    usual: ["tr"],
    languages: ["çğıİöşüâîû"],
    unlikely: besideLatin,
  },
  {
    name: "windows-1253",
    chardet: ["windows-1253", "ISO-8859-7"],
    usual: ["el"],
    languages: ["αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ"],
    unlikely: besideGreek,
  },
  {
    name: "windows-1255",
    chardet: ["windows-1255", "ISO-8859-8"],
    usual: ["he"],
    languages: ["אבגדהוזחטיכלמנסעפצקרשתךםןףץ"],
    unlikely: besideOthers,
  },
  {
    name: "windows-1256",
    chardet: ["windows-1256", "ISO-8859-6"],
    usual: ["ar", "fa", "ur"],
    languages: ["ابتثجحخدذرزسشصضطظعغفقكلمنهويىةأإآؤئءپچژگ"],
    unlikely: besideOthers,
  },
  { name: "koi8-r", chardet: ["KOI8-R"], usual: [], languages: [cyrillic], unlikely: besideOthers },
  { name: "macintosh", chardet: [], usual: [], languages: western, unlikely: besideLatin },
  { name: "shift_jis", chardet: ["Shift_JIS"], usual: ["ja"], languages: [], unlikely: besidePairs },
  { name: "gbk", chardet: ["GB18030"], usual: ["zh"], languages: [], unlikely: besidePairs },
  { name: "big5", chardet: ["Big5"], usual: [], languages: [], unlikely: besidePairs },
  { name: "euc-kr", chardet: ["EUC-KR"], usual: ["ko"], languages: [], unlikely: besidePairs },
];

const encodings = ["utf-8", "utf-16le", "utf-16be", ...codePages.map(({ name }) => name)];

/** Quotation marks, dashes and signs, which all code pages have. */
const common = /[\s\u00A0«»„“”‚‘’–—…€°·§•™®©№]/;

/**
 * The code page whose text reads best: the letters of each word are those of one language, and no capital follows a small one. What reads
 * alike is decided by the language that is likely, or else by how often letters follow each other.
 */
function codePageOf(bytes: Buffer, language = ""): string {
  const sample = bytes.subarray(0, sampleBytes);
  const likely = analyse(sample).map(({ name }) => name);
  const ranked = codePages.map(({ name, chardet, usual, languages, unlikely }) => {
    const words = new TextDecoder(name).decode(sample).split(/[\s,;|"]+/);
    const best = (word: string) =>
      languages.length === 0
        ? scoreOfPairs(word, unlikely)
        : Math.max(...languages.map((letters) => scoreOf(word, letters, unlikely)));
    const at = usual.includes(language)
      ? -1
      : Math.min(...chardet.map((one) => (likely as string[]).indexOf(one) >>> 0));
    return { name, score: words.reduce((sum, word) => sum + best(word), 0), at };
  });
  return ranked.toSorted((one, other) => other.score - one.score || one.at - other.at)[0]!.name;
}

/** How well a word reads in a language: its letters beyond ASCII less the characters that no such word has. A sign alone says nothing. */
function scoreOf(word: string, letters: string, unlikely: RegExp) {
  if (word.length === 1) return 0;
  const isMixed = unlikely.test(word) || /\p{Ll}\p{Lu}/u.test(word);
  return beyondAscii(word).reduce((sum, char) => sum + (!isMixed && isLetterOf(letters, char) ? 1 : -1), 0);
}

const beyondAscii = (word: string) => [...word].filter((char) => char > "\x7F" && !common.test(char));

const isLetterOf = (letters: string, char: string) => letters.includes(char) || letters.includes(char.toLowerCase());

/** Characters of two bytes each. */
const pairs = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]/u;

/** The same of those, a little less: Cyrillic letters are mostly such characters as well. */
function scoreOfPairs(word: string, unlikely: RegExp) {
  const isMixed = unlikely.test(word);
  return beyondAscii(word).reduce((sum, char) => sum + (!isMixed && pairs.test(char) ? 1.9 : -1), 0);
}
