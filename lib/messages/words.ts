import format from "icu-minify/format";
import type { Arguments } from "./+types/arguments.ts";
import { isRealDate } from "../dates.ts";
import { catalogues, type Key } from "./catalogues.ts";
import { compiledOnce } from "./compiled.ts";
import { dateFormat, formatters, numberFormat, stored } from "./formats.ts";
import { directionOf, type Language, tagOf } from "./languages.ts";
import { asOurs, asTheirs } from "./isolates.ts";

const listFormat = stored<Intl.ListFormatOptions, Intl.ListFormat>((tag, options) => new Intl.ListFormat(tag, options));

/** A sentence's arguments; none for a message without any. */
type Given<K extends Key> = K extends keyof Arguments ? [values: Arguments[K]] : [];

/** What a page or a mail says in one language. */
export type Words = ReturnType<typeof makeWords>;

const all = new Map<Language, Words>();

export function wordsOf(language: Language): Words {
  let words = all.get(language);
  if (!words) all.set(language, (words = makeWords(language)));
  return words;
}

function makeWords(language: Language) {
  // Digits and calendar are those of the paper, which a visitor compares.
  const tag = `${tagOf(language)}-u-ca-gregory-nu-latn`;
  const direction = directionOf(language);
  const compiledOf = compiledOnce(catalogues[language]);

  /** A sentence, in which texts that are not ours, and dates, are isolated (`isolates.ts`). */
  function t<K extends Key>(key: K, ...[given]: Given<K>): string {
    const values: Record<string, string | number> = {};
    for (const [name, value] of Object.entries((given ?? {}) as Record<string, string | number>)) {
      values[name] = typeof value === "string" && !choices.has(name) ? asTheirs(value) : value;
    }
    return String(format(compiledOf(key), tag, values, { formatters }));
  }

  /** A date `YYYY-MM-DD` in words, isolated; any other text is not ours. English has the specification's form. */
  function date(iso: string): string {
    if (!isRealDate(iso)) return asTheirs(iso);
    if (language === "en") return asOurs(iso.split("-").toReversed().join("-"), direction);
    const long = dateFormat(tag, { dateStyle: "long", timeZone: "UTC" }).format(new Date(iso));
    // Ukrainian's abbreviation of the year would end sentences with two full stops.
    return asOurs(language === "uk" ? long.replace(/р\.$/, "року") : long, direction);
  }

  /** An instant's day and time of day in a time zone. */
  function dayAndTime(instant: Date, timeZone: string) {
    const day = dateFormat("en-CA", { timeZone, dateStyle: "short" }).format(instant);
    return {
      date: date(day),
      time: asOurs(dateFormat(tag, { timeStyle: "short", timeZone }).format(instant), direction),
    };
  }

  /** Whole numbers in order as `1, 3–6 and 9`, in English as `1, 3 to 6 and 9`. */
  function pageList(pages: number[]): string {
    const runs: [from: number, to: number][] = [];
    for (const page of pages.toSorted((one, other) => one - other)) {
      const last = runs.at(-1);
      if (last?.[1] === page - 1) last[1] = page;
      else runs.push([page, page]);
    }
    const numbers = numberFormat(tag, { useGrouping: false });
    const range = (from: number, to: number) =>
      language === "en" ? `${from} to ${to}` : numbers.formatRange(from, to);
    const words = runs.flatMap(([from, to]) =>
      to - from > 1 ? [range(from, to)] : from === to ? [String(from)] : [String(from), String(to)],
    );
    return asOurs(listFormat(tag).format(words), direction);
  }

  /** Words or names in their order, as a list within a sentence. */
  const list = (items: string[]): string => listFormat(tag).format(items);

  /** Sentences one after the other, without the empty ones. */
  const join = (...sentences: (string | false | undefined)[]): string =>
    sentences.filter(Boolean).join(language === "zh" ? "" : " ");

  return { language, direction, tag: tagOf(language), t, date, dayAndTime, pageList, list, join };
}

/** Arguments that choose a wording and are not shown. */
const choices = new Set(["why"]);
