import { parse, type Submission, type SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "react-router";
import { z } from "zod";
import { type Expected, type Fields, fieldsFrom, FormRefused, maxFields } from "#lib/intake/fields.ts";
import { readFields } from "#lib/intake/form-body.ts";
import { isMultipart } from "#lib/intake/multipart.ts";
import { t } from "#lib/messages/staff.ts";
import { asFailure, failure } from "../provider/failure.ts";
import { isRestoring, noteForm } from "../request/request-context.ts";

export { type Fields, fieldsFrom, maxFields };

/** Beside the fields of a form: its button, and the dialog that it was in (`components/dialog/dialog.tsx`). */
const fieldsOfAll = z.object({ intent: z.string(), dialog: z.string(), at: z.string() });

/** Conform's own fields, which no page sends; never passed on, as an intent could change lists by itself. */
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

const maxControlLength = 10_000;

function isMalformed(name: string, value: string): boolean {
  const schema = controlFields.get(name);
  if (!schema) return false;
  try {
    return value.length > maxControlLength || !schema.safeParse(JSON.parse(value)).success;
  } catch {
    return true;
  }
}

export const onPage = (schemas: readonly z.ZodObject[]): Expected => ({
  schemas: [...schemas, fieldsOfAll],
  isMalformed,
});

/** Throws a failure with status 413 for more than 1 MB or 200 fields, and 400 for an unreadable form. */
export const readForm = (request: Request, ...schemas: z.ZodObject[]): Promise<Fields> =>
  readFields(request, onPage(schemas)).then(noteForm, refuseForm);

/** The same; undefined for a form with a file, which goes on to the provider while it arrives. */
export const readPlainForm = async (request: Request, ...schemas: z.ZodObject[]): Promise<Fields | undefined> =>
  isMultipart(request) ? undefined : readForm(request, ...schemas);

export function refuseForm(error: unknown): never {
  if (!(error instanceof FormRefused)) throw error;
  const { status, message } = refusals[error.reason];
  throw failure(status, { kind: "refused", message });
}

const unread = { status: 400, message: t("server.forms.forms.unreadable") };
const refusals: Record<FormRefused["reason"], { status: number; message: string }> = {
  "too large": { status: 413, message: t("server.forms.forms.tooLarge") },
  "too many fields": { status: 413, message: t("server.forms.forms.tooManyFields") },
  "too many files": { status: 413, message: t("server.forms.forms.tooManyFiles") },
  malformed: unread,
  "control field": unread,
};

export const unreadableForm = () => failure(unread.status, { kind: "refused", message: unread.message });

/** Messages by field, in Conform's spelling (`custom_fields[0].name`); those of the form itself under `""`. */
export type FormErrors = Record<string, string[]>;

type FormReply = ReturnType<typeof replyTo>;

type Handling<Schema extends z.ZodObject> = {
  schema: Schema;
  save(value: z.output<Schema>): Promise<Response | FormReply>;
  secrets?: string[];
  errors?: FormErrors;
  /** Names of file inputs, which can have errors as well. */
  files?: string[];
  /** Where a refusal without field errors is shown; above the form if not set. */
  messageField?: string;
};

const errorPageStatuses = [403, 404];

/** Returns the result of `save` or, if the schema or provider refuses it, Conform's reply with values and errors. */
export async function handleForm<Schema extends z.ZodObject>(
  form: Fields,
  { schema, save, secrets = [], errors = {}, files = [], messageField = "" }: Handling<Schema>,
) {
  if (isRestoring() || changesNothing(form)) return replyUnchecked(form, schema, {}, secrets);
  const parameters = parametersOf(form, schema);
  const submission = parseWithZod(parameters, {
    schema,
    // The contract's schemas read texts themselves.
    disableAutoCoercion: true,
    formatError: (issues: { message: string }[]) => issues.slice(0, 1).map(({ message }) => message),
  });
  const refuse = (found: FormErrors, init: ResponseInit) => replyTo(submission, { errors: found, secrets, init });
  if (submission.status !== "success" || hasAny(errors)) return refuse(errors, { status: 422 });
  try {
    return await save(submission.value);
  } catch (thrown) {
    const refused = asFailure(thrown);
    if (!refused || errorPageStatuses.includes(refused.status)) throw thrown;
    const { status, retryAfter } = refused;
    const headers: HeadersInit = retryAfter ? { "retry-after": String(retryAfter) } : {};
    // A refusal can ask for a secret that had no field before.
    const fieldNames = [...[...parameters.keys()].map((name) => name.replace("[]", "")), ...secrets, ...files];
    return refuse(errorsOf(refused, fieldNames, messageField), { status, headers });
  }
}

/** Whether a form was sent by a button that opens a dialog or leads back from it (`components/dialog/dialog-button.tsx`). */
const changesNothing = (form: Fields) => /^(open-[a-z-]+|back)$/.test(form.get("intent") ?? "");

/** Returns a form unchecked, as its button asks or with an action's errors; status 422 with errors. */
export function replyUnchecked(
  form: Fields,
  schema: z.ZodObject,
  errors: FormErrors = {},
  secrets: string[] = [],
): FormReply {
  const submission = parse<null, string[]>(parametersOf(form, schema), { resolve: () => ({ value: null }) });
  return replyTo(submission, { errors, secrets, init: { status: hasAny(errors) ? 422 : 200 } });
}

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

function inFormOrder({ error = {}, fields = [] }: SubmissionResult) {
  const position = ([name]: [string, unknown]) => (fields.includes(name) ? fields.indexOf(name) : fields.length);
  return Object.fromEntries(Object.entries(error).toSorted((one, other) => position(one) - position(other)));
}

/** For routes whose refusals carry `retry-after`. */
export const actionHeaders = ({ actionHeaders }: { actionHeaders: Headers }) => actionHeaders;

type Refused = { status: number; message: string; errors?: Record<string, string[]> };

/** Messages at the controls that stand for their fields, or at the form itself; a conflict at `version`. */
function errorsOf({ status, message, errors = {} }: Refused, fields: string[], messageField = ""): FormErrors {
  const byField: FormErrors = {};
  for (const [name, [first]] of Object.entries(errors)) {
    if (first === undefined) continue;
    const control = controlOf(conformName(name), fields);
    const field = byField[control] ? "" : control;
    if (!Object.values(byField).flat().includes(first) || field !== "") (byField[field] ??= []).push(first);
  }
  if (hasAny(byField)) return byField;
  return { [status === 409 && fields.includes("version") ? "version" : messageField]: [message] };
}

/** The control of that name, else the one around it, else the first one inside it. */
function controlOf(name: string, fields: string[]): string {
  const controls = fields.filter((field) => field !== "intent");
  for (let outer = name; outer !== ""; outer = outerOf(outer)) if (controls.includes(outer)) return outer;
  return (name && controls.find((field) => field.startsWith(`${name}.`) || field.startsWith(`${name}[`))) || "";
}

function outerOf(name: string) {
  const outer = name.replace(/(\.[^.[\]]+|\[\d+\])$/, "");
  return outer === name ? "" : outer;
}

/** `custom_fields[0][name]`, `custom_fields.0.name` and `files[]` as Conform has them. */
export function conformName(name: string): string {
  const [first = "", ...rest] = name.split(/[.[\]]+/).filter(Boolean);
  return first + rest.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join("");
}
