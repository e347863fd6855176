import { randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import { data } from "react-router";
import type { z } from "zod";
import { type Fields, FormRefused } from "#intake/fields.ts";
import { isMultipart, receiveForm } from "#intake/form-body.ts";
import { imageTooLarge, imageUploads } from "#provider/contract/images.ts";
import { handleForm, onPage, readForm, refuseForm } from "./forms.ts";
import type { Picture } from "../provider/client-types.ts";
import { resources } from "../process/resources.ts";
import { noteForm } from "../request/request-context.ts";
import { toUserFailure } from "../user-failure.ts";

export type PictureForm = {
  form: Fields;
  picture?: { name: string; key: string } | undefined;
  refused?: string | undefined;
  discard?(): Promise<void>;
};

/** The picture is stored until `handlePictureForm` has sent it on. */
export async function readPictureForm(request: Request, ...schemas: z.ZodObject[]): Promise<PictureForm> {
  if (!isMultipart(request)) return { form: await readForm(request, ...schemas) };
  const { files } = resources();
  const folder = `uploads/${randomUUID()}`;
  const upload = { files, folder, field: "image", limits: imageUploads };
  const { fields, received } = await receiveForm(request, onPage(schemas), upload).catch((error: unknown) => {
    if (error instanceof FormRefused) return refuseForm(error);
    // An aborted upload looks like a storage failure.
    throw request.signal.aborted ? error : toUserFailure(error);
  });
  const [image] = received;
  return {
    form: noteForm(fields),
    picture: image && { name: image.name, key: image.key },
    refused: image?.truncated ? imageTooLarge : undefined,
    discard: () => files.removeAll(folder),
  };
}

type Handling<Schema extends z.ZodObject> = {
  schema: Schema;
  save(value: z.output<Schema>, image: Picture | undefined): Promise<Response>;
  secrets?: string[];
};

export async function handlePictureForm<Schema extends z.ZodObject>(
  { form, picture, refused, discard }: PictureForm,
  { save, ...handling }: Handling<Schema>,
) {
  try {
    const answer = await handleForm(form, {
      ...handling,
      files: ["image"],
      errors: refused ? { image: [refused] } : {},
      save: (value) => withContent(picture, (image) => save(value, image)),
    });
    if (answer instanceof Response || !picture || answer.data.error?.image) return answer;
    // Browsers never give a chosen file back.
    return data({ ...answer.data, error: { ...answer.data.error, image: ["Choose the image again"] } }, answer.init!);
  } finally {
    await discard?.();
  }
}

async function withContent<T>(picture: PictureForm["picture"], send: (image: Picture | undefined) => Promise<T>) {
  if (!picture) return send(undefined);
  const { files } = resources();
  const { name, key } = picture;
  const sent = files.withLocalPaths([key], async ([path]) => send({ name, content: await openAsBlob(path!) }));
  return sent.catch((error: unknown) => {
    throw toUserFailure(error);
  });
}
