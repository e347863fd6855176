import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "react-router";
import type { z } from "zod";
import { nested, readText } from "#storage/form-body.ts";
import { asFailure, failure } from "./provider/failure.ts";

/** Refusals that are about the page rather than the form: they become a page of their own. */
export const aboutPage = [403, 404];

const longestForm = 1024 * 1024;

/** A posted form's fields. Refuses more than 1 MB before it is read. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const text = await readText(request, longestForm);
  if (text === undefined) throw failure(413, { kind: "refused", message: "The form is too large." });
  return new URLSearchParams(text);
}

type Handling<Schema extends z.ZodType> = {
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
export async function handleForm<Schema extends z.ZodType>(
  form: URLSearchParams,
  { schema, save, secrets = [], loneMessageAt }: Handling<Schema>,
) {
  const submission = parseWithZod(form, { schema });
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

export { nested };
