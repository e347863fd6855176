import { randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import { data } from "react-router";
import type { z } from "zod";
import { type Fields, FormRefused } from "#intake/fields.ts";
import { isMultipart, receiveForm } from "#intake/form-body.ts";
import { errorsByField } from "#provider/contract/fields.ts";
import { imageTooLarge, imageUploads } from "#provider/contract/images.ts";
import { aboutPage, onPage, readForm, refusalAt, refuseForm } from "./forms.ts";
import { asFailure } from "../provider/failure.ts";
import type { Picture } from "../provider/client.ts";
import { resources } from "../process/resources.ts";
import { toUserFailure } from "../user-failure.ts";

/** Forms of records (a user, a branch, the company): fields, and a picture where the form has one. */

/** A record's form as it came. */
export type SentRecord = {
  form: Fields;
  /** Its name on the sender's machine, and the key under which it is put aside. */
  picture?: { name: string; key: string } | undefined;
  /** Why the picture can't be sent on. */
  refused?: string | undefined;
  /** Removes what was put aside, if anything was. */
  discard?(): Promise<void>;
};

/** Reads a record's form, of the fields of these schemas; a picture is stored until `handleRecord` has sent it on. */
export async function readRecord(request: Request, ...schemas: z.ZodObject[]): Promise<SentRecord> {
  if (!isMultipart(request)) return { form: await readForm(request, ...schemas) };
  const { files } = resources();
  const folder = `uploads/${randomUUID()}`;
  const upload = { files, folder, field: "image", limits: imageUploads };
  const { fields, received } = await receiveForm(request, onPage(schemas), upload).catch((error: unknown) => {
    if (error instanceof FormRefused) return refuseForm(error);
    // A browser that went away looks like a store that did.
    throw request.signal.aborted ? error : toUserFailure(error);
  });
  const [image] = received;
  return {
    form: fields,
    picture: image && { name: image.name, key: image.key },
    refused: image?.cut ? imageTooLarge : undefined,
    discard: () => files.removeAll(folder),
  };
}

/** What a record's form is given back with: what was typed, why it was refused, and whether somebody saved meanwhile. */
export type Refusal = { values: Record<string, string>; errors: Record<string, string[]>; isStale: boolean };

type Handling<Schema extends z.ZodObject> = {
  schema: Schema;
  /** Calls the provider; what it returns (a redirect, mostly) is the action's answer. */
  save(value: z.output<Schema>, image: Picture | undefined): Promise<Response>;
  /** Fields that are never sent back to the browser. */
  secrets?: string[];
};

/**
 * A record's form through an action: checked with the contract's own schema, saved, or given back with what was typed.
 * The form without a schema of its own keeps the browser's part small.
 */
export async function handleRecord<Schema extends z.ZodObject>(
  { form, picture, refused, discard }: SentRecord,
  { schema, save, secrets = [] }: Handling<Schema>,
) {
  const go = form.get("go");
  const typed = { ...Object.fromEntries(form.parameters(schema)), ...(go !== null && { go }) };
  const values = Object.fromEntries(Object.entries(typed).filter(([name]) => !secrets.includes(name)));
  const refuse = (errors: Refusal["errors"], status: number) => {
    // Browsers never give a chosen file back.
    const lost = picture && !errors.image && { image: ["Choose the picture again"] };
    return data<Refusal>({ values, errors: { ...errors, ...lost }, isStale: status === 409 }, { status });
  };
  try {
    const parsed = schema.safeParse(form.values(schema));
    const errors = { ...(parsed.error && errorsByField(parsed.error)), ...(refused && { image: [refused] }) };
    if (!parsed.success || refused) return refuse(errors, 422);
    return await withContent(picture, (image) => save(parsed.data, image));
  } catch (thrown) {
    const failed = asFailure(thrown);
    if (!failed || aboutPage.includes(failed.status)) throw thrown;
    const { fieldErrors, formErrors } = refusalAt(failed, [...Object.keys(typed), ...secrets, "image"]);
    return refuse({ ...fieldErrors, ...(formErrors.length > 0 && { "": formErrors }) }, failed.status);
  } finally {
    await discard?.();
  }
}

/** The picture's content is read from the disk while it is sent on. */
async function withContent<T>(picture: SentRecord["picture"], send: (image: Picture | undefined) => Promise<T>) {
  if (!picture) return send(undefined);
  const { files } = resources();
  const { name, key } = picture;
  const sent = files.atHand([key], async ([path]) => send({ name, content: await openAsBlob(path!) }));
  return sent.catch((error: unknown) => {
    throw toUserFailure(error);
  });
}
