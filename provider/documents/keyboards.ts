/** Cyrillic letters that look like Latin ones on paper, and those. */
const [cyrillic, latin] = ["АВЕКМНОРСТХІЅЈ", "ABEKMHOPCTXISJ"];

/** Digits of Arabic, Persian and Devanagari, whose lowest four bits, from their zero on, are their value. */
const digits = /[٠-٩۰-۹०-९]/g;
const isDevanagari = (digit: string) => digit >= "०";

/**
 * What is typed from paper, in capitals, as a Latin keyboard has it: with its digits in place of the keyboard's own, its letters
 * in place of wide ones and of those that look alike.
 */
export const ofLatinKeyboard = (typed: string): string =>
  typed
    .normalize("NFKC")
    .toUpperCase()
    .replace(digits, (digit) => String((digit.codePointAt(0)! - (isDevanagari(digit) ? 6 : 0)) & 15))
    .replace(/[А-ЯІЅЈ]/g, (letter) => latin[cyrillic.indexOf(letter)] ?? letter);
