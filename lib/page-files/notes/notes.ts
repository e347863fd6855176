/**
 * Losses that a person would notice: content of a page file that the sealed PDF lacks or shows otherwise, as predicates to the file's
 * name.
 */

const limits = { notes: 12, characters: 400, name: 80, named: 3 };

/** Notes within their limits: the first ones, each cut to its length. */
export const boundedNotes = (notes: string[]): string[] =>
  notes.slice(0, limits.notes).map((note) => cut(note, limits.characters));

/** A text from a file on one line, without characters that hide or reorder others, cut; joiners are part of names. */
export const cleanName = (text: string, maxLength: number = limits.name): string =>
  cut(
    text
      .toWellFormed()
      .replace(/(?![\u200c\u200d])\p{Cf}/gu, "")
      .replace(/[\p{Cc}\s]+/gu, " ")
      .trim(),
    maxLength,
  );

/** `a, b and c` */
export const listed = (words: string[]): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** `a signature of A`, `3 signatures, of A and B among others`; without names that are empty. Nothing of no thing. */
export function countedPhrase(thing: string, all: string[], { joined = "", plural = `${thing}s` } = {}): string[] {
  const names = [...new Set(all.filter(Boolean))].slice(0, limits.named);
  const of = joined && `${joined} `;
  if (all.length === 0) return [];
  if (all.length === 1) return [`${article(thing)} ${thing}${names.length > 0 ? ` ${of}${names[0]}` : ""}`];
  const others = names.length < all.length && names.length > 0 ? " among others" : "";
  return [`${all.length} ${plural}${names.length > 0 ? ` (${of}${listed(names)}${others})` : ""}`];
}

/** The ends of notes on what a sealed PDF never keeps, and on what it keeps of a page file that is its only one. */
export const lostNote = "which the sealed PDF will not have";
export const lostNoteAmongOthers = "which a sealed PDF of several files will not have";

/** The notes on a file of which no sealed PDF keeps more than the pages. */
export const asLostNotes = (notes: string[]): string[] =>
  notes.map((note) => note.replace(lostNoteAmongOthers, lostNote));

/** For every template. */
export const fixedFields = "has form fields, which can’t be filled in the sealed PDF";

const article = (thing: string) => (/^[aeiou]/.test(thing) ? "an" : "a");

const cut = (text: string, maxLength: number) => {
  const characters = [...text];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : text;
};

/** Notes as whole sentences on a file, which is the only one of its document or not. */
export const noteSentences = (name: string, notes: string[], isAlone: boolean): string[] =>
  notes.filter((note) => !isAlone || !note.endsWith(lostNoteAmongOthers)).map((note) => `“${name}” ${note}`);
