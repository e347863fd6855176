import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "react-router";
import { z } from "zod";
import { type Expected, type Fields, fieldsFrom, FormRefused } from "#intake/fields.ts";
import { readFields } from "#intake/form-body.ts";
import { discardBody } from "#storage/discard-body.ts";
import { asFailure, failure } from "../provider/failure.ts";

export { discardBody, type Fields, fieldsFrom };

/** Refusals that are about the page rather than the form: they become a page of their own. */
export const aboutPage = [403, 404];

/** On every form of a page: the button that was pressed. */
const button = z.object({ intent: z.string() });

/**
 * Fields that Conform reserves for itself. No page sends them, so they are not passed on to it, whatever they say: an
 * intent names places in lists by itself.
 */
const controlFields = new Map<string, z.ZodType>([
  [
    "__intent__",
    z.object({
      type: z.enum(["validate", "update", "reset", "insert", "remove", "reorder"]),
      payload: z.object({ name: z.string().optional() }),
    }),
  ],
  ["__state__", z.record(z.string(), z.unknown())],
]);

const longestControl = 10_000;

function isMalformed(name: string, value: string): boolean {
  const schema = controlFields.get(name);
  if (!schema) return false;
  try {
    return value.length > longestControl || !schema.safeParse(JSON.parse(value)).success;
  } catch {
    return true;
  }
}

/** What a page's form may have: the fields of its schemas, and `intent`, the button that was pressed. */
export const onPage = (schemas: readonly z.ZodObject[]): Expected => ({ schemas: [...schemas, button], isMalformed });

/**
 * A posted form's fields: of all that was sent, those that `onPage` names. Throws a failure of status 413 for a form of
 * more than 1 MB or 200 fields, and 400 for one that can't be read.
 */
export const readForm = (request: Request, ...schemas: z.ZodObject[]): Promise<Fields> =>
  readFields(request, onPage(schemas)).catch(refuseForm);

/** Says in words why a form was not read. */
export function refuseForm(error: unknown): never {
  if (!(error instanceof FormRefused)) throw error;
  const { status, message } = refusals[error.reason];
  throw failure(status, { kind: "refused", message });
}

const unread = { status: 400, message: "The form could not be read. Open the page again, then send it once more." };
const refusals: Record<FormRefused["reason"], { status: number; message: string }> = {
  "too large": { status: 413, message: "The form is too large." },
  "too many fields": { status: 413, message: "The form has too many fields. Nothing was saved: send fewer." },
  "too many files": { status: 413, message: "The form has too many files." },
  malformed: unread,
  "control field": unread,
};

type Handling<Schema extends z.ZodObject> = {
  schema: Schema;
  /** Calls the provider; what it returns (a redirect, mostly) is the action's answer. */
  save(value: z.output<Schema>): Promise<Response>;
  /** Fields that are never sent back to the browser. */
  secrets?: string[];
  /** Where a refusal without fields is shown; above the form if not set. */
  loneMessageAt?: string;
};

/**
 * A form's way through an action: parsed, saved, or given back with what was typed and why it was refused, be it by the
 * schema or by the provider.
 */
export async function handleForm<Schema extends z.ZodObject>(
  form: Fields,
  { schema, save, secrets = [], loneMessageAt }: Handling<Schema>,
) {
  const submission = parseWithZod(form.parameters(schema), { schema });
  if (submission.status !== "success") return data(submission.reply({ hideFields: secrets }), { status: 422 });
  try {
    return await save(submission.value);
  } catch (thrown) {
    const refused = asFailure(thrown);
    if (!refused || aboutPage.includes(refused.status)) throw thrown;
    const errors = refusalAt(refused, Object.keys(submission.payload), loneMessageAt);
    const { status, retryAfter } = refused;
    const headers = retryAfter ? { "retry-after": String(retryAfter) } : undefined;
    return data(submission.reply({ ...errors, hideFields: secrets }), { status, ...(headers && { headers }) });
  }
}

/** For routes whose refusals say when to try again. */
export const actionHeaders = ({ actionHeaders }: { actionHeaders: Headers }) => actionHeaders;

type Refused = { message: string; errors?: Record<string, string[]> };

/** A provider's refusal as a form's errors: known fields at their places, everything else above the form. */
export function refusalAt({ message, errors = {} }: Refused, knownFields: string[], loneMessageAt?: string) {
  const fieldErrors: Record<string, string[]> = {};
  const formErrors: string[] = [];
  for (const [field, messages] of Object.entries(errors)) {
    const first = messages.slice(0, 1);
    if (knownFields.some((known) => field === known || field.startsWith(`${known}[`))) fieldErrors[field] = first;
    else formErrors.push(...first);
  }
  if (Object.keys(errors).length === 0) {
    if (loneMessageAt) fieldErrors[loneMessageAt] = [message];
    else formErrors.push(message);
  }
  return { fieldErrors, formErrors };
}
