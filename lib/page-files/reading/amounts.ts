import { fold } from "../../text.ts";

/** Amounts of money with their currency, as documents write them. */

const signs = "€ £ $ ¥ ₴ ₺ ₹ ₽ us$ a$ c$ r$ zł грн tl kr 元 人民币 rmb руб ر.س د.إ ج.م ريال درهم جنيه دينار ليرة रुपये रु";
const currencies = [...Intl.supportedValuesOf("currency"), ...signs.split(" ")]
  .map((name) => fold(name))
  .toSorted((one, other) => other.length - one.length)
  .map((name) => name.replace(/[$.]/g, "\\$&"));
const currency = `(${currencies.join("|")})`;
const digits = String.raw`(\d{1,3}(?:[ .,']\d{2,3})+(?:[.,]\d\d)?|\d+(?:[.,]\d\d)?)`;
const pattern = new RegExp(`^(?:${currency}\\.? ?)?${digits}(?:,-|,--)?(?: ?${currency}\\.?)?$`, "u");

/** The size of an amount that is all of a text, and whether it names a currency; undefined for other texts. */
export function amountIn(text: string): { size: number; hasCurrency: boolean } | undefined {
  const [, before, number, behind] = pattern.exec(fold(text).trim()) ?? [];
  if (!number || (before && behind && before !== behind)) return undefined;
  const [, whole, cents = "0"] = /^(.*?)(?:[.,](\d\d))?$/.exec(number)!;
  return { size: Number(`${whole!.replace(/\D/g, "")}.${cents}`), hasCurrency: Boolean(before || behind) };
}

const currencyAlone = new RegExp(`^(?:in )?${currency}$`, "u");
export const isCurrency = (text: string): boolean => currencyAlone.test(fold(text).trim());
