import { isRealDate } from "#lib/dates.ts";
import { z } from "zod";
import { asciiDomain, withoutUnseen } from "#lib/text.ts";
import { cursor } from "./cursors.ts";

/** Kinds of fields that records share. Their messages say what to do, in the words of the forms. */

/** Characters that reverse the text after them, so that a name reads as another. */
const directional = /[\u202A-\u202E\u2066-\u2069]/;

/** Well-formed, without directional characters, and of control characters only those in `allowed`. */
const isStorable = (text: string, allowed: RegExp) =>
  text.isWellFormed() && !directional.test(text) && !/\p{Cc}/u.test(text.replace(allowed, ""));

/** Tabs and line ends. */
const lineEnds = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** A text on one line: tabs and line ends, as in pasted text, become spaces. */
export const onOneLine = (text: string) => text.replace(lineEnds, " ");

type Storable = { label: string; max: number; allowed: RegExp; tidied?: (text: string) => string };

/** Its checks are added in one step: schemas keep each step that they were made in, and there are a hundred of these. */
const storable = ({ label, max, allowed, tidied = (text) => text }: Storable) =>
  z.string().check(
    z.overwrite((text) => tidied(text).trim().normalize("NFC")),
    z.maxLength(max, `Shorten the ${label} to ${max} characters`),
    z.refine(
      (text) => isStorable(text, allowed),
      `Type the ${label} again: it contains a character that can’t be stored`,
    ),
  );

const required = (string: z.ZodString, label: string) =>
  string.default("").refine((value) => value !== "", `Enter the ${label}`);

/** Without invisible characters. */
const tidiedLine = (text: string) => withoutUnseen(onOneLine(text));

const oneLine = (label: string, max: number) => storable({ label, max, allowed: lineEnds, tidied: tidiedLine });
const severalLines = (label: string, max: number) => storable({ label, max, allowed: /[\t\n\r]/g });

/** One line of text, trimmed and NFC; empty if omitted. */
export const text = (label: string, max: number) => oneLine(label, max).default("");

/** The same, required. */
export const requiredText = (label: string, max: number) => required(oneLine(label, max), label);

/** Text of several lines, trimmed and NFC; empty if omitted. */
export const longText = (label: string, max: number) => severalLines(label, max).default("");

/** The same, required. */
export const requiredLongText = (label: string, max: number) => required(severalLines(label, max), label);

/** A unique name. Repeated spaces count once, so that names that look alike are alike. */
export const uniqueName = (label: string, max: number) =>
  requiredText(label, max).overwrite((value) => value.replace(/ {2,}/g, " "));

/** The number of a document, in which joiners and marks of direction have no meaning either. */
export const documentNumber = () => text("document number", 50).overwrite((number) => number.replace(/\p{Cf}/gu, ""));

/** The local part of an address (RFC 5321). */
const localPart = /^(?:[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*|"(?:[ !#-[\]-~]|\\[ -~])+")$/;

/** Why a text is no email address of at most 254 characters (RFC 5321); undefined if it is one. */
function emailRefusal(value: string) {
  const at = value.lastIndexOf("@");
  const [local, domain] = [value.slice(0, at), asciiDomain(value.slice(at + 1))];
  const isOne = at > 0 && domain !== undefined;
  // Not every mail server on the way would carry it (RFC 6531).
  if (isOne && /[^ -~]/.test(local)) return "Enter an email address with letters from a to z before the @";
  return isOne && localPart.test(local) && local.length <= 64 && at + domain.length < 254
    ? undefined
    : "Enter an email address like name@company.example";
}

/** An email address, also of an international domain; empty if omitted. */
export const optionalEmail = (label = "email address") =>
  text(label, 254).superRefine((value, context) => {
    const message = value === "" ? undefined : emailRefusal(value);
    if (message) context.addIssue({ code: "custom", message });
  });

/** The same, required. */
export const email = (label = "email address") =>
  optionalEmail(label).refine((value) => value !== "", `Enter the ${label}`);

/** `19-11-2026`, `19/11/2026`, `19.11.2026` and `2026-11-19` as `2026-11-19`; anything else unchanged. */
export function isoDate(text: string) {
  const [, day, month, year] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(text.trim()) ?? [];
  return year ? `${year}-${month!.padStart(2, "0")}-${day!.padStart(2, "0")}` : text.trim();
}

/** That a month lacks a day, as `2027-02-29`. */
function missingDay(iso: string): string | undefined {
  const [, year, month, day] = /^(\d{4})-(0[1-9]|1[0-2])-(29|3[01])$/.exec(iso) ?? [];
  if (!year) return undefined;
  const name = new Date(Date.UTC(2000, Number(month) - 1)).toLocaleDateString("en-GB", {
    month: "long",
    timeZone: "UTC",
  });
  return `There is no ${day} ${name} in ${year}`;
}

/** A calendar date `YYYY-MM-DD`; `DD-MM-YYYY` is accepted. Empty if omitted. */
export const date = (label: string) =>
  z
    .string()
    .overwrite(isoDate)
    .refine((value) => value === "" || isRealDate(value), {
      error: ({ input }) => missingDay(String(input)) ?? `Enter the ${label} as day, month, year, like 19-11-2026`,
    })
    .refine((value) => !isRealDate(value) || value >= "1900-01-01", `Enter a ${label} from 1900 on`)
    .default("")
    .meta({ description: "YYYY-MM-DD; DD-MM-YYYY is accepted" });

/** A date in any provider's reply: `YYYY-MM-DD` if it is readable as a date, or the text as it is. */
export const shownDate = z
  .string()
  .overwrite((text) => (isRealDate(isoDate(text)) ? isoDate(text) : text))
  .default("")
  .meta({ description: "YYYY-MM-DD" });

/** An instant in a reply. */
export const instant = z.string().default("").meta({ description: "ISO-8601, UTC" });

/** Yes or no: `1` and `0` in forms, or what browsers send for a checkbox. */
export const flag = z
  .union([z.boolean(), z.stringbool({ truthy: ["1", "true", "on", "yes"], falsy: ["0", "false", "off", "no", ""] })])
  .default(false)
  .meta({ description: "1 or 0 in forms, true or false in JSON" });

/** The largest id in both databases. */
const largestId = 2 ** 31 - 1;

/** A record's id in the path. */
export const idParams = z.object({
  id: z.coerce.number<string>().int().positive().max(largestId).meta({ type: "integer" }),
});

/** The id of a record in a field. */
export const idOf = (message: string) =>
  z.coerce
    .number<string | number>(message)
    .int(message)
    .positive(message)
    .max(largestId, message)
    .meta({ type: "integer" });

/** The same, optional: empty for none. */
export const optionalId = (message: string) => z.union([z.literal(""), z.null(), idOf(message)], message).default("");

/** How often a record was changed. A PUT with an older version is refused with 409. */
export const version = z.coerce.number<string | number>().int().positive();

/** The `Prefer` header of clients that need no total. */
export const uncounted = "count=none";

/**
 * A page of a list (`docs/contract.md`, "Lists"); without `page`, `per_page` and a cursor the whole list. The reply's headers: `X-Total-Count`, how
 * many rows the filters leave; `X-Total-Is-Capped: 1`, counting stopped there; `X-Search-Is-Partial: 1`, a text of one or
 * two letters was searched among the newest rows only; `Link`, the neighbouring pages. With `Prefer: count=none`
 * (RFC 7240) the first page may count its own rows only, capped if there are more.
 */
export const listQuery = <const Columns extends readonly string[]>(columns: Columns) => {
  const orders = columns.flatMap((column) => [column, `-${column}`] as const) as (
    | Columns[number]
    | `-${Columns[number]}`
  )[];
  return z.object({
    page: z.coerce.number<string>().int().min(1).max(1_000_000).optional().meta({
      type: "integer",
      description: "From 1, which is the default with per_page, after or before; without any of these the whole list",
    }),
    per_page: z.coerce.number<string>().int().min(1).max(100).default(5).meta({
      type: "integer",
      description: "Rows of a page; without page the first one of that size",
    }),
    after: cursor.meta({
      type: "string",
      description: 'From the last reply’s Link: rel="next"; takes precedence over page',
    }),
    before: cursor.meta({ type: "string", description: 'From its rel="prev"' }),
    sort: z.enum(orders).optional().meta({ description: "A column; with - in front in descending order" }),
  });
};

/** A filter on a list: a case-insensitive substring, unless described as exact. */
export const filter = z
  .string()
  // Such characters are never stored, and PostgreSQL refuses some of them in queries.
  .overwrite((value) =>
    tidiedLine(value)
      .toWellFormed()
      .replace(/\p{Cc}/gu, ""),
  )
  .trim()
  .normalize("NFC")
  .max(200)
  .optional();

/** A schema's messages by field as forms name it: `custom_fields[0][name]`. */
export function errorsByField({ issues }: z.ZodError): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const { path, message } of issues) {
    const [first, ...rest] = path.map(String);
    (errors[(first ?? "") + rest.map((part) => `[${part}]`).join("")] ??= []).push(message);
  }
  return errors;
}

/** Refusals that a user can put right by one call (`contract/second-factors.ts`). */
export const refusalKinds = ["proof", "second factor"] as const;

/** Every refusal. With 422 `errors` has each field's messages, the most important first. */
export const Refusal = z
  .object({
    message: z.string(),
    errors: z.record(z.string(), z.array(z.string())).optional(),
    error: z.string().optional().meta({ description: "Of 400: the error code of OAuth 2.0 or OpenID4VCI" }),
    kind: z.enum(refusalKinds).optional().meta({
      description: "Of 403: what the user has to do first, to prove to be present or to set up a second factor",
    }),
  })
  .meta({ id: "Refusal", description: "Why a call was refused, in words for the user" });

/** A whole number from 1 to `max`, as a number or in decimal digits: coercion alone would read 0x10 and 1e1 too. */
export function countUpTo(max: number, refusal: string) {
  const digits = z
    .string()
    .trim()
    .regex(/^\d{1,9}$/, refusal);
  const number = z.coerce.number<string | number>().min(1, refusal).max(max, refusal);
  return z.union([z.int(refusal), digits], refusal).pipe(number);
}
