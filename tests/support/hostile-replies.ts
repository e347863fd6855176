/** Values in another server's replies that nobody expects there. */

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

type Random = () => number;
/** Returns another value, or undefined to leave it out. */
type Change = (value: Json, random: Random) => Json | undefined;

const zones = ["string", "Mars/Olympus", "GMT+25", "Europe/London\0", "../../etc/localtime", "+99:99", "EST5EDT4"];

const dates = [
  "2026-02-31",
  "2026-02-30T10:00:00Z",
  "0000-00-00",
  "9999999-01-01",
  "+275760-09-13T00:00:00.001Z",
  "-271821-04-19T23:59:59Z",
  "2026-13-45T25:61:61Z",
  "2026-11-29T10:00:00+99:99",
  "20261129T100000Z",
  "/Date(1764410400000)/",
  "1764410400",
  "29.11.2026",
  "2026-13",
  "Infinity",
];

/** Names that every object has, addresses, markup, placeholders, and words of no enumeration, language or currency. */
const words = [
  "__proto__",
  "constructor",
  "toString",
  "valueOf",
  "<script>alert(1)</script>",
  "javascript:alert(1)",
  "data:text/html,x",
  "//evil.example/x",
  "https://[::1",
  "http://%",
  "{name}",
  "{n, plural, one {x}}",
  "xx-YYYY-invalid",
  "de_DE@euro",
  "€€€",
  "C:X/Y/Z",
  "?tab=__proto__",
  "%E0%A4%A",
  "\0\u0001\ud800\u2028\u202e",
  "🏛".repeat(300),
  "",
  " ",
  "null",
  "-1",
  "1e999",
];

const numbers = [-1, 0.5, 1e308, -1e308, 2 ** 53 + 2, 181, 1e21];
const others: Json[] = [7, "seven", true, [], {}, [[null]], { id: {} }, ["x", 1]];
const otherLeaves: Json[] = [7, "maybe", true, [], {}, [null]];

const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)]!;
const isLeaf = (value: Json) => typeof value !== "object" || value === null;
const isText = (value: Json): value is string => typeof value === "string";

const single = {
  none: (value) => value,
  nulls: (value) => (isLeaf(value) ? null : value),
  "missing fields": (value, random) => (random() < 0.4 ? undefined : value),
  zones: (value, random) => (isText(value) ? pick(zones, random) : value),
  dates: (value, random) => (isText(value) ? pick(dates, random) : value),
  words: (value, random) => (isText(value) ? pick(words, random) : value),
  "huge texts": (value) => (isText(value) ? "W".repeat(100_000) : value),
  numbers: (value, random) => (typeof value === "number" ? pick(numbers, random) : value),
  types: (_, random) => pick(others, random),
  "types of leaves": (value, random) => (isLeaf(value) ? pick(otherLeaves, random) : value),
  "long lists": (value) => (Array.isArray(value) && value.length > 0 ? Array<Json>(300).fill(value[0]!) : value),
  "empty lists": (value) => (Array.isArray(value) ? [] : value),
  "lists of nulls": (value) => (Array.isArray(value) ? [null, ...value, "x", 5, []] : value),
} satisfies Record<string, Change>;

/** A third of all values, each of another kind. */
const mixed: Change = (value, random) =>
  random() < 0.67 ? value : pick(Object.values<Change>(single), random)(value, random);

const changes = { ...single, mixed } satisfies Record<string, Change>;

export type Fault = keyof typeof changes;
export const faults = Object.keys(changes) as Fault[];

/** The reply to a call with that fault in it; the same each time. */
export const withFault = (reply: Json, fault: Fault, call: string): Json =>
  changed(reply, changes[fault], randomOf(`${fault} ${call}`));

/** Without these there would be no page of a record to look at. */
const keptFields = ["id", "token"];

/** Values within the outermost one are changed, but not within those that have been put there. */
function changed(reply: Json, change: Change, random: Random): Json {
  if (isLeaf(reply)) return reply;
  if (Array.isArray(reply)) {
    const list = change(reply, random);
    return (Array.isArray(list) ? list : reply).map((item) =>
      reply.includes(item) ? changed(item, change, random) : item,
    );
  }
  const fields = Object.entries(reply as object).map(([name, value]: [string, Json]) => {
    const other = keptFields.includes(name) ? value : change(value, random);
    const isSame = other === value || (Array.isArray(other) && Array.isArray(value));
    return [name, isSame ? changed(value, change, random) : other];
  });
  return Object.fromEntries(fields) as Json;
}

/** Numbers from 0 to below 1, by a text (mulberry32). */
function randomOf(text: string): Random {
  let state = 48;
  for (const letter of text) state = Math.imul(state ^ letter.codePointAt(0)!, 2654435761);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
