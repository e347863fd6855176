import type { Received } from "#lib/intake/form-body.ts";
import { adoptPageImage } from "#lib/page-files/derived-files.ts";
import { tooLarge } from "#lib/page-files/file-types.ts";
import type { ReadTemplate } from "#lib/page-files/templates/template.ts";
import { passingFiles } from "#lib/storage/files/passing-files.ts";
import { withWorkFile } from "#lib/storage/files/work-file.ts";
import type { Actor } from "../access.ts";
import { actorRequester } from "../files/requesters.ts";
import { HttpError, invalid } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { newTemplateFolder, templateFolder, templateKey } from "./keys.ts";

/** A template's file in the store, and its columns. */
export type StoredTemplate = ReadTemplate & { key: string; bytes: number };

type Upload = { actor: Actor; received: Received[]; request: Request };

/**
 * Stores the file of a form as a template's and calls `use` with it, or with undefined for a form without a file. If `use`
 * fails the file is removed again. Throws 422 for a file that can't be a template.
 */
export async function withReceivedTemplate<T>(
  services: Services,
  { actor, received: [file], request }: Upload,
  use: (stored: StoredTemplate | undefined) => Promise<T>,
): Promise<T> {
  // Browsers send an empty file if none was chosen.
  if (!file || (file.bytes === 0 && file.name === "")) return use(undefined);
  if (file.truncated) {
    const refusal = `“${file.name}” ${tooLarge}`;
    throw new HttpError(413, refusal, { errors: { file: [refusal] } });
  }
  const stored = await storeTemplate(services, file, { actor, request });
  try {
    return await use(stored);
  } catch (error) {
    await removeTemplateFile(services, stored.key);
    throw error;
  }
}

async function storeTemplate(
  { files, pageFiles }: Services,
  file: Received,
  { actor, request }: Pick<Upload, "actor" | "request">,
): Promise<StoredTemplate> {
  const path = await passingFiles(files).pathOf(file.key);
  const key = templateKey(newTemplateFolder());
  return withWorkFile(files, async (image) => {
    const template = await pageFiles.work(actorRequester(actor, request.signal), (jobs) =>
      jobs.readTemplate({ path, image }),
    );
    if ("refused" in template) throw invalid({ file: `“${file.name}” ${template.refused}` });
    await files.adopt(key, path);
    await adoptPageImage(files, key, image);
    return { ...template, key, bytes: file.bytes };
  });
}

/** Removes a template's file with its image, unless a record refers to it. On errors the next sweep does. */
export async function removeTemplateFile({ db, files, log }: Services, key: string) {
  try {
    const template = await db.selectFrom("templates").where("file_key", "=", key).select("id").executeTakeFirst();
    if (!template) await files.removeAll(templateFolder(key));
  } catch (err) {
    log.error({ err, key }, "a template's file could not be removed");
  }
}
