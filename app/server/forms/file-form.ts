import { randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import { data } from "react-router";
import type { z } from "zod";
import { type Fields, FormRefused } from "#lib/intake/fields.ts";
import { receiveForm } from "#lib/intake/form-body.ts";
import { isMultipart, type UploadLimits } from "#lib/intake/multipart.ts";
import { t } from "#lib/messages/staff.ts";
import { imageTooLarge, imageUploads } from "#provider/contract/images.ts";
import { handleForm, onPage, readForm, refuseForm } from "./forms.ts";
import type { Picture } from "../provider/client-types.ts";
import { resources } from "../process/resources.ts";
import { noteForm } from "../request/request-context.ts";
import { toUserFailure } from "../user-failure.ts";

/** The one file that a form may have, with its messages. */
export type FileOfForm = {
  field: string;
  limits: UploadLimits;
  tooLarge: string;
  again: string;
};

const image: FileOfForm = {
  field: "image",
  limits: imageUploads,
  tooLarge: imageTooLarge,
  again: t("server.forms.fileForm.chooseTheImageAgain"),
};

export type FileForm = {
  form: Fields;
  of: FileOfForm;
  file?: { name: string; key: string } | undefined;
  refused?: string | undefined;
  discard?(): Promise<void>;
};

export const readPictureForm = (request: Request, ...schemas: z.ZodObject[]) => readFileForm(request, image, schemas);

/** The file is stored until `handleFileForm` has sent it on. */
export async function readFileForm(request: Request, of: FileOfForm, schemas: z.ZodObject[]): Promise<FileForm> {
  if (!isMultipart(request)) return { form: await readForm(request, ...schemas), of };
  const { files } = resources();
  const folder = `uploads/${randomUUID()}`;
  const upload = { files, folder, field: of.field, limits: of.limits };
  const { fields, received } = await receiveForm(request, onPage(schemas), upload).catch((error: unknown) => {
    if (error instanceof FormRefused) return refuseForm(error);
    // An aborted upload looks like a storage failure.
    throw request.signal.aborted ? error : toUserFailure(error);
  });
  const [file] = received;
  return {
    form: noteForm(fields),
    of,
    file: file && { name: file.name, key: file.key },
    refused: file?.truncated ? of.tooLarge : undefined,
    discard: () => files.removeAll(folder),
  };
}

type Handling<Schema extends z.ZodObject> = {
  schema: Schema;
  save(value: z.output<Schema>, image: Picture | undefined): Promise<Response>;
  secrets?: string[];
};

export async function handleFileForm<Schema extends z.ZodObject>(
  { form, of, file, refused, discard }: FileForm,
  { save, ...handling }: Handling<Schema>,
) {
  try {
    const answer = await handleForm(form, {
      ...handling,
      files: [of.field],
      errors: refused ? { [of.field]: [refused] } : {},
      save: (value) => withContent(file, (content) => save(value, content)),
    });
    if (answer instanceof Response || !file || answer.data.error?.[of.field]) return answer;
    // Browsers never give a chosen file back.
    return data({ ...answer.data, error: { ...answer.data.error, [of.field]: [of.again] } }, answer.init!);
  } finally {
    await discard?.();
  }
}

async function withContent<T>(file: FileForm["file"], send: (file: Picture | undefined) => Promise<T>) {
  if (!file) return send(undefined);
  const { files } = resources();
  const { name, key } = file;
  const reply = files.withLocalPaths([key], async ([path]) => send({ name, content: await openAsBlob(path!) }));
  return reply.catch((error: unknown) => {
    throw toUserFailure(error);
  });
}
