import type { z } from "zod";
import { FormRefused } from "#lib/intake/fields.ts";
import { readFields, readText, receiveForm, type Received, type Upload } from "#lib/intake/form-body.ts";
import { isMultipart } from "#lib/intake/multipart.ts";
import { readJson } from "#lib/intake/json.ts";
import { mebibytesInBytes } from "#lib/units.ts";
import { HttpError } from "./errors.ts";

/** A call's body: the fields that its schema names, nested as there, and the uploaded files. */
export type Body = { fields: unknown; received: Received[] };

const fieldsBytes = mebibytesInBytes(2);

/** Reads multipart, urlencoded and JSON bodies; ignores fields that the schema does not name. `tooLarge` says why files are. */
export async function readBody(
  request: Request,
  schema: z.ZodObject,
  upload?: Upload,
  tooLarge?: () => Error,
): Promise<Body> {
  try {
    return await read(request, schema, upload);
  } catch (error) {
    if (!(error instanceof FormRefused)) throw error;
    if (error.reason === "too large" && isMultipart(request) && tooLarge) throw tooLarge();
    const { status, message } = refusals[error.reason];
    throw new HttpError(status, message);
  }
}

async function read(request: Request, schema: z.ZodObject, upload: Upload | undefined): Promise<Body> {
  const expected = { schemas: [schema] };
  if (isMultipart(request)) {
    const { fields, received } = await receiveForm(request, expected, upload);
    return { fields: fields.values(schema), received };
  }
  if (!isJson(request))
    return { fields: (await readFields(request, expected, fieldsBytes)).values(schema), received: [] };
  const text = await readText(request, fieldsBytes);
  if (text === undefined) throw new FormRefused("too large");
  // Of a call whose body is optional.
  if (text === "") return { fields: {}, received: [] };
  return { fields: readJson(text, schema), received: [] };
}

const isJson = (request: Request) => /^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? "");

const unreadable = {
  status: 422,
  message: "The body could not be read: send it again as its content type says",
} as const;
const refusals = {
  "too large": { status: 413, message: "The body is too large" },
  "too many files": { status: 413, message: "The form has too many files" },
  "too many fields": { status: 413, message: "The body has too many fields" },
  malformed: unreadable,
  "control field": unreadable,
} as const;
