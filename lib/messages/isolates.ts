/**
 * Unicode's isolates (UAX #9) around texts within a sentence, so that neither their direction nor the sentence's changes
 * the other. Pages make elements of them; mails and titles stay as they are.
 */

/** Of a text that is not ours, such as a company's name: it is never translated. */
const [theirsStart, end] = ["\u2068", "\u2069"];
/** Of a date or numbers of ours, in the sentence's own direction: a date stays on one line. */
const ownStart = { ltr: "\u2066", rtl: "\u2067" };

const isolates = /[\u2066-\u2069]/g;
/** Isolates, and the older characters that change directions. */
const directional = /[\u202A-\u202E\u2066-\u2069]/g;
const oneOfOurs = /^[\u2066\u2067][^\u2066-\u2069]*\u2069$/;

export const asTheirs = (text: string): string =>
  text === "" || oneOfOurs.test(text) ? text : `${theirsStart}${text.replace(directional, "")}${end}`;

export const asOurs = (text: string, direction: "ltr" | "rtl"): string => `${ownStart[direction]}${text}${end}`;

export type Part = { kind: "ours" | "theirs" | "whole"; text: string };

/** The parts of a sentence, for elements. */
export function partsOf(sentence: string): Part[] {
  return sentence.split(/([\u2066-\u2068][^\u2066-\u2069]*\u2069)/).flatMap((part): Part[] => {
    if (part === "") return [];
    const kind = part.startsWith(theirsStart) ? "theirs" : /^[\u2066\u2067]/.test(part) ? "whole" : "ours";
    return [{ kind, text: part.replace(isolates, "") }];
  });
}

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;

/** A sentence for a title, an attribute or a mail: with isolates only if two directions meet. */
export const plainText = (sentence: string): string =>
  rightToLeft.test(sentence) ? sentence : sentence.replace(isolates, "");
