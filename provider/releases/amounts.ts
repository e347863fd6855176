import { fold } from "#lib/text.ts";

const currencies = new Set(Intl.supportedValuesOf("currency").map((code) => code.toLowerCase()));

const plain = /^(?:(\p{Sc}|[a-z]{3}) ?)?-?(\d+(?:[ .,'’]\d+)*)(?: ?(\p{Sc}|[a-z]{3}))?$/u;

/**
 * The amount that a text states, without its sign, by its largest reading: 1,234 is 1234, and 12,50 is 12.5. Undefined for
 * any text that is not one plain number with a currency at most, as “10k”, “10⁴” and “ten”.
 */
export function statedAmount(text: string): number | undefined {
  if (/[\p{No}\p{Nl}]/u.test(text)) return undefined;
  const [, before, stated, after] = plain.exec(fold(text).trim()) ?? [];
  const isCurrency = (sign = "") => !/[a-z]/.test(sign) || currencies.has(sign);
  if (!stated || !isCurrency(before) || !isCurrency(after)) return undefined;
  const [, whole = "", separator = "", decimals = ""] = /^(.*)([^\d])(\d+)$/.exec(stated) ?? [];
  // A sign that occurs once and has other than three digits after it separates decimals.
  const hasDecimals = /[.,]/.test(separator) && decimals.length !== 3 && !whole.includes(separator);
  const digits = (grouped: string) => grouped.replace(/\D/g, "");
  return Number(hasDecimals ? `${digits(whole)}.${decimals}` : digits(stated));
}
