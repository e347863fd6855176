/**
 * What a person would miss: of a page file, what the sealed PDF will not have or shows otherwise, as predicates to the file's
 * name.
 */

const noteLimits = { notes: 12, characters: 400 };

/** Notes within their limits: the first ones, each cut to its length. */
export const boundedNotes = (notes: string[]): string[] =>
  notes.slice(0, noteLimits.notes).map((note) => cut(note, noteLimits.characters));

const cut = (text: string, most: number) => {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text;
};

/** Notes as whole sentences on a file. */
export const noteSentences = (name: string, notes: string[]): string[] => notes.map((note) => `“${name}” ${note}`);
