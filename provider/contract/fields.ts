import { z } from "zod";
import { cursor } from "./cursors.ts";

/** Kinds of fields that several records share. Their messages say what to do, in the words of the forms. */

/** Characters that turn the direction of all that follows, so that a name reads as another. */
const turning = /[\u202A-\u202E\u2066-\u2069]/;

/** Whole characters, none that turn the text around, and of control characters those in `allowed` only. */
const isStorable = (text: string, allowed: RegExp) =>
  text.isWellFormed() && !turning.test(text) && !/\p{Cc}/u.test(text.replace(allowed, ""));

/** Tabs and everything that ends a line. */
const lineEnds = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** A text on one line: tabs and line ends, as they come with what is pasted, become spaces. */
export const onOneLine = (text: string) => text.replace(lineEnds, " ");

const storable = (given: z.ZodString, { label, max, allowed }: { label: string; max: number; allowed: RegExp }) =>
  given
    .trim()
    .normalize("NFC")
    .max(max, `Shorten the ${label} to ${max} characters`)
    .refine((text) => isStorable(text, allowed), `Type the ${label} again: it contains a character that can’t be kept`);

const required = (given: z.ZodString, label: string) =>
  given.default("").refine((value) => value !== "", `Enter the ${label}`);

const oneLine = (label: string, max: number) =>
  storable(z.string().overwrite(onOneLine), { label, max, allowed: lineEnds });
const severalLines = (label: string, max: number) => storable(z.string(), { label, max, allowed: /[\t\n\r]/g });

/** One line of text, trimmed and in Unicode's composed form; empty where it is not given. */
export const text = (label: string, max: number) => oneLine(label, max).default("");

/** The same where it must be given. */
export const requiredText = (label: string, max: number) => required(oneLine(label, max), label);

/** Text of several lines, trimmed and in Unicode's composed form; empty where it is not given. */
export const longText = (label: string, max: number) => severalLines(label, max).default("");

/** The same where it must be given. */
export const requiredLongText = (label: string, max: number) => required(severalLines(label, max), label);

/** A name that is unique: what looks alike is alike, so spaces within it count once. */
export const uniqueName = (name: string, most: number) =>
  requiredText(name, most).overwrite((value) => value.replace(/ {2,}/g, " "));

/** An email address of at most 254 characters (RFC 5321); empty where it is not given. */
export const optionalEmail = (label = "email address") =>
  text(label, 254).refine(
    (value) => value === "" || z.regexes.email.test(value),
    "Enter an email address like name@company.example",
  );

/** The same where it must be given. */
export const email = (label = "email address") =>
  optionalEmail(label).refine((value) => value !== "", `Enter the ${label}`);

/** `19-11-2026`, `19/11/2026`, `19.11.2026` and `2026-11-19` as `2026-11-19`; anything else as it is. */
export function isoDate(written: string) {
  const [, day, month, year] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(written.trim()) ?? [];
  return year ? `${year}-${month!.padStart(2, "0")}-${day!.padStart(2, "0")}` : written.trim();
}

/** Whether a text is a day of the calendar, as `YYYY-MM-DD`. */
export const isRealDate = (iso: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(iso) && !Number.isNaN(Date.parse(iso)) && new Date(iso).toISOString().slice(0, 10) === iso;

/** A calendar date `YYYY-MM-DD`; `DD-MM-YYYY` is understood. Empty where it is not given. */
export const date = (label: string) =>
  z
    .string()
    .overwrite(isoDate)
    .refine((value) => value === "" || isRealDate(value), `Enter the ${label} as day, month, year, like 19-11-2026`)
    .refine((value) => !isRealDate(value) || value >= "1900-01-01", `Enter a ${label} from 1900 on`)
    .default("")
    .meta({ description: "YYYY-MM-DD; DD-MM-YYYY is understood" });

/** A date in a reply, whoever wrote it: as `YYYY-MM-DD` where it can be read as a date. */
export const shownDate = z.string().overwrite(isoDate).default("").meta({ description: "YYYY-MM-DD" });

/** An instant in a reply. */
export const instant = z.string().default("").meta({ description: "ISO-8601, UTC" });

/** Yes or no: `1` and `0` in forms, as are the words that browsers send for a checkbox. */
export const flag = z
  .union([z.boolean(), z.stringbool({ truthy: ["1", "true", "on", "yes"], falsy: ["0", "false", "off", "no", ""] })])
  .default(false)
  .meta({ description: "1 or 0 in forms, true or false in JSON" });

/** The largest number that both databases give a record. */
const largestId = 2 ** 31 - 1;

/** The number of a record in its path. */
export const idParams = z.object({
  id: z.coerce.number<string>().int().positive().max(largestId).meta({ type: "integer" }),
});

/** The number of a record that a field names. */
export const idOf = (message: string) =>
  z.coerce
    .number<string | number>(message)
    .int(message)
    .positive(message)
    .max(largestId, message)
    .meta({ type: "integer" });

/** The same where there may be none: empty then. */
export const optionalId = (message: string) => z.union([z.literal(""), z.null(), idOf(message)], message).default("");

/** How many changes a record has seen. A PUT that sends it and is behind is refused with 409. */
export const version = z.coerce.number<string | number>().int().positive();

/** What somebody prefers who needs no count of a list. */
export const uncounted = "count=none";

/**
 * The part of a list that is asked for (`docs/contract.md`, "Lists"). Without `page` the whole list comes. The reply's headers
 * tell of it: `X-Total-Count` how many rows the filters leave, `X-Total-Is-Capped: 1` that counting ended there,
 * `X-Search-Is-Partial: 1` that a text of one or two letters was looked for among the newest rows only, and `Link` the
 * addresses of the parts beside it. Whoever asks for the first part and sends `Prefer: count=none` (RFC 7240) may be
 * told of its rows only, capped where there are others.
 */
export const listQuery = <const Columns extends readonly string[]>(columns: Columns) => {
  const orders = columns.flatMap((column) => [column, `-${column}`] as const) as (
    | Columns[number]
    | `-${Columns[number]}`
  )[];
  return z.object({
    page: z.coerce.number<string>().int().min(1).max(1_000_000).optional().meta({ type: "integer" }),
    per_page: z.coerce.number<string>().int().min(1).max(100).default(5).meta({ type: "integer" }),
    after: cursor.meta({ type: "string", description: 'From the last reply’s Link: rel="next"; goes before page' }),
    before: cursor.meta({ type: "string", description: 'From its rel="prev"' }),
    sort: z.enum(orders).optional().meta({ description: "A column; with - in front from the last to the first" }),
  });
};

/** A filter on a list: a piece of the value, in any case, unless the contract says that it is exact. */
export const filter = z
  .string()
  // What can't be kept can't be found either, and PostgreSQL refuses to look for it.
  .overwrite((value) =>
    onOneLine(value)
      .toWellFormed()
      .replace(/\p{Cc}/gu, ""),
  )
  .trim()
  .normalize("NFC")
  .max(200)
  .optional();

/** What a schema refused, by field as forms name it: `custom_fields[0][name]`. The first message of each comes first. */
export function errorsByField({ issues }: z.ZodError): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const { path, message } of issues) {
    const [first, ...rest] = path.map(String);
    (errors[(first ?? "") + rest.map((part) => `[${part}]`).join("")] ??= []).push(message);
  }
  return errors;
}

/** Every refusal. `errors` comes with 422 only: the messages of each field, the first one first. */
export const Refusal = z
  .object({ message: z.string(), errors: z.record(z.string(), z.array(z.string())).optional() })
  .meta({ id: "Refusal", description: "Why a call was refused, in words for the user" });
