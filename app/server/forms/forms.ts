import { parse, type Submission, type SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "react-router";
import { z } from "zod";
import { type Expected, type Fields, fieldsFrom, FormRefused, maxFields } from "#intake/fields.ts";
import { readFields } from "#intake/form-body.ts";
import { asFailure, failure } from "../provider/failure.ts";

export { type Fields, fieldsFrom, maxFields };

/** The field of the button that was pressed, on every form. */
const button = z.object({ intent: z.string() });

/** Conform's own fields. No page sends them, and they are never passed on: an intent names paths in lists by itself. */
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

/** What a page's form may have: the fields of its schemas, and `intent`. */
export const onPage = (schemas: readonly z.ZodObject[]): Expected => ({ schemas: [...schemas, button], isMalformed });

/**
 * A posted form's fields: of all that was sent, those that `onPage` names. Throws a failure of status 413 for a form of
 * more than 1 MB or 200 fields, and 400 for one that can't be read.
 */
export const readForm = (request: Request, ...schemas: z.ZodObject[]): Promise<Fields> =>
  readFields(request, onPage(schemas)).catch(refuseForm);

/** Throws the failure that says why a form was not read. */
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

/** Messages by field, in Conform's spelling (`custom_fields[0].name`); those of the form itself under `""`. */
export type FormErrors = Record<string, string[]>;

type FormReply = ReturnType<typeof replyTo>;

type Handling<Schema extends z.ZodObject> = {
  schema: Schema;
  /** Calls the provider. Returns what the action answers, mostly a redirect. */
  save(value: z.output<Schema>): Promise<Response | FormReply>;
  /** Fields that are never sent back to the browser. */
  secrets?: string[];
  /** Errors that were found while the form was read; it is then not saved. */
  errors?: FormErrors;
  /** The form's file inputs, which refusals can name as well. */
  files?: string[];
  /** Where a refusal without field errors is shown; above the form if not set. */
  messageField?: string;
};

/** Refusals about the page rather than the form: they become a page of their own. */
const aboutPage = [403, 404];

/**
 * Parses a form by its schema and saves it. Returns what `save` returns or, where the schema or the provider refuses the
 * form, Conform's reply: what was typed, and the errors at their fields.
 */
export async function handleForm<Schema extends z.ZodObject>(
  form: Fields,
  { schema, save, secrets = [], errors = {}, files = [], messageField = "" }: Handling<Schema>,
) {
  const submission = parseWithZod(parametersOf(form, schema), {
    schema,
    // Texts stay as they came: the contract's schemas read forms by themselves.
    disableAutoCoercion: true,
    formatError: (issues: { message: string }[]) => issues.slice(0, 1).map(({ message }) => message),
  });
  const refuse = (found: FormErrors, init: ResponseInit) => replyTo(submission, { errors: found, secrets, init });
  if (submission.status !== "success" || hasAny(errors)) return refuse(errors, { status: 422 });
  try {
    return await save(submission.value);
  } catch (thrown) {
    const refused = asFailure(thrown);
    if (!refused || aboutPage.includes(refused.status)) throw thrown;
    const { status, retryAfter } = refused;
    const headers: HeadersInit = retryAfter ? { "retry-after": String(retryAfter) } : {};
    // A secret can be asked for by a refusal, and have no field before.
    const known = [...Object.keys(submission.payload), ...secrets, ...files];
    return refuse(errorsOf(refused, known, messageField), { status, headers });
  }
}

/** Gives a form back unchecked, as its button asks or with errors that its action found; status 422 with errors. */
export function giveBack(form: Fields, schema: z.ZodObject, errors: FormErrors = {}): FormReply {
  const submission = parse<null, string[]>(parametersOf(form, schema), { resolve: () => ({ value: null }) });
  return replyTo(submission, { errors, init: { status: hasAny(errors) ? 422 : 200 } });
}

/** A schema's fields and the pressed button, under flat names. */
function parametersOf(form: Fields, schema: z.ZodObject): URLSearchParams {
  const parameters = form.parameters(schema);
  const intent = form.get("intent");
  if (intent !== null) parameters.set("intent", intent);
  return parameters;
}

const hasAny = (errors: FormErrors) => Object.keys(errors).length > 0;

type Replying = { errors: FormErrors; secrets?: string[]; init: ResponseInit };

function replyTo(submission: Submission<unknown, string[], unknown>, { errors, secrets = [], init }: Replying) {
  const reply = submission.reply({ fieldErrors: errors, hideFields: secrets });
  return data<SubmissionResult>({ ...reply, ...(reply.error && { error: inFormOrder(reply) }) }, init);
}

/** The errors as the form has their fields; those of the form itself last. */
function inFormOrder({ error = {}, fields = [] }: SubmissionResult) {
  const position = ([name]: [string, unknown]) => (fields.includes(name) ? fields.indexOf(name) : fields.length);
  return Object.fromEntries(Object.entries(error).toSorted((one, other) => position(one) - position(other)));
}

/** For routes whose refusals say when to try again. */
export const actionHeaders = ({ actionHeaders }: { actionHeaders: Headers }) => actionHeaders;

type Refused = { status: number; message: string; errors?: Record<string, string[]> };

/**
 * A provider's refusal as a form's errors: the first message of each field that the form has, all others at the form
 * itself. A conflict is an error of `version`, where the form has that field.
 */
function errorsOf({ status, message, errors = {} }: Refused, fields: string[], messageField = ""): FormErrors {
  const found: FormErrors = {};
  for (const [name, [first]] of Object.entries(errors)) {
    if (first === undefined) continue;
    const field = conformName(name);
    const isKnown = fields.includes(field.split(/[.[]/, 1)[0]!);
    (found[isKnown ? field : ""] ??= []).push(first);
  }
  if (hasAny(found)) return found;
  return { [status === 409 && fields.includes("version") ? "version" : messageField]: [message] };
}

/** `custom_fields[0][name]` as Conform writes it: `custom_fields[0].name`. */
export const conformName = (name: string) => name.replaceAll(/\[(\D[^\]]*)\]/g, ".$1");
