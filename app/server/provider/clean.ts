const limits = { depth: 20, text: 20_000, picture: 2_000_000 };

/** Controls that are no line end or tab, and halves of characters. */
const unreadable = /(?![\t\n\r])\p{Cc}|\p{Cs}/u;
const unreadables = new RegExp(unreadable, "gu");

/** In an address, or as Base64, as those of compared pages. */
const picture = /^(data:image\/|[\w+/]*={0,2}$)/;

const isActive = (name: string, text: string) =>
  /(^|_)(url|link|address)$/i.test(name) && /^[\s\p{Cc}]*(javascript|data|vbscript|blob|file):/iu.test(text);

/**
 * What another server sent, bounded: texts are readable and of a length that pages can show, addresses lead somewhere, and
 * nothing is nested further than any reply. Changes lists and records in place.
 */
export function clean(value: unknown, name = "", depth = 0): unknown {
  if (typeof value === "string") return cleanText(value, name);
  if (typeof value !== "object" || value === null) return value;
  if (depth > limits.depth) return null;
  const parts = value as Record<string, unknown>;
  for (const key of Object.keys(parts)) parts[key] = clean(parts[key], Array.isArray(value) ? name : key, depth + 1);
  return value;
}

function cleanText(text: string, name: string) {
  if (isActive(name, text)) return "";
  const longest = text.length > limits.text && picture.test(text) ? limits.picture : limits.text;
  const short = text.length > longest ? `${text.slice(0, longest).toWellFormed()} …` : text;
  return unreadable.test(short) ? short.replace(unreadables, "") : short;
}
