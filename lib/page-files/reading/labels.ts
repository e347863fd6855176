import { fold } from "../../text.ts";
import table from "./labels.json" with { type: "json" };

/** The labels by which fields are read: of each type of document, in the languages of the house (`labels.json`). */

/** A document's type, and further fields by their labels. */
export type Wanted = { type: string; labels: string[] };

type Kind = "number" | "date" | "amount" | "person" | "text";

/** What a label stands for. Of a field's groups the first one counts that a document has. */
export type Label = { field: string; kind: Kind; group: number; isEnglish: boolean; mayBeBelow: boolean };

type Patterns = Record<string, string[] | undefined>;

/** A label without accents and signs. */
export const normal = (label: string): string =>
  fold(label)
    .replaceAll("#", " no ")
    .replace(/[°.:*'_-]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();

const nouns: Record<string, Patterns | undefined> = table.nouns;

/** The nouns of a type in all languages, folded. */
export const nounsOf = (type: string): string[] =>
  Object.values(nouns[type] ?? {}).flatMap((ofLanguage = []) => ofLanguage.map((noun) => fold(noun.split("|")[0]!)));

/** The labels of a type's fields, and those of further fields, which are of the kind that the label has elsewhere. */
export function labelsOf({ type, labels: further }: Wanted): Map<string, Label[]> {
  const labels = new Map<string, Label[]>();
  const add = (text: string, label: Label) => {
    const entries = labels.get(normal(text)) ?? [];
    const same = entries.find(({ field }) => field === label.field);
    if (same) same.isEnglish ||= label.isEnglish;
    else labels.set(normal(text), [...entries, label]);
  };
  for (const { field, kind, types, groups } of table.fields) {
    if (types && !types.includes(type)) continue;
    for (const [group, patterns] of groups.entries()) {
      for (const [language, texts] of Object.entries<string[] | undefined>(patterns)) {
        const ofLanguage = (nouns[type]?.[language] ?? []).map((noun) => noun.split("|"));
        const label = {
          field,
          kind: kind as Kind,
          group,
          isEnglish: language === "en",
          mayBeBelow: kind === "date" || group < (kind === "person" ? 1 : 2),
        };
        for (const text of texts ?? []) {
          if (!text.includes("{")) add(text, label);
          for (const [nominative, genitive = nominative] of text.includes("{") ? ofLanguage : [])
            add(text.replace("{0}", nominative!).replace("{1}", genitive!), label);
        }
      }
    }
  }
  for (const field of further) {
    const [same] = labels.get(normal(field)) ?? [];
    if (!table.fields.some((row) => fold(row.field) === fold(field)))
      add(field, { field, kind: same?.kind ?? "text", group: 0, isEnglish: true, mayBeBelow: false });
  }
  return labels;
}
