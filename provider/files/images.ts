import { randomUUID } from "node:crypto";
import type { Received } from "#lib/intake/form-body.ts";
import { withWorkFile } from "#lib/storage/files/work-file.ts";
import type { Caller } from "../access.ts";
import { imageTooLarge } from "../contract/images.ts";
import { referencedKeys } from "./orphans.ts";
import { actorRequester } from "./requesters.ts";
import { invalid, notFound } from "../http/errors.ts";
import type { Services } from "../services.ts";

/** Pictures of users, branches and the company: re-encoded and stored under a key in their record. */

/** A change of a record's picture: null removes it, undefined leaves it. */
export type ImageChange = { image_key?: string | null };

/** The part of `HandlerInput` that pictures need. */
type ImageInput = { caller: Caller; received: Received[]; body: object; request: Request };

/**
 * Changes a record with the picture of its form. Afterwards the replaced picture is removed, or the new one if the
 * change failed.
 */
export async function withImage<T>(
  services: Services,
  input: ImageInput,
  before: string | null,
  change: (image: ImageChange) => Promise<T>,
): Promise<T> {
  const image = await storeImage(services, input);
  try {
    const changed = await change(image);
    if (image.image_key !== undefined) await removeUnusedImage(services, before);
    return changed;
  } catch (error) {
    await removeUnusedImage(services, image.image_key);
    throw error;
  }
}

/** Removes a picture, unless a record refers to it. */
export async function removeUnusedImage({ db, files, log }: Services, key: string | null | undefined) {
  if (!key) return;
  try {
    const [referenced] = await referencedKeys.images(db, [key]);
    if (!referenced) await files.remove(key);
  } catch (err) {
    log.error({ err, key }, "a picture could not be removed");
  }
}

/** Stores the picture of a form, re-encoded. Throws 422 for a file that is no picture. */
async function storeImage({ files, pageFiles }: Services, input: ImageInput): Promise<ImageChange> {
  const { caller, received, body, request } = input;
  const image = received[0];
  if (!image) return "remove_image" in body && body.remove_image === true ? { image_key: null } : {};
  if (image.truncated) throw invalid({ image: imageTooLarge });
  return withWorkFile(files, async (to) => {
    const refused = await pageFiles.work(actorRequester(caller, request.signal), (jobs) =>
      files.withLocalPaths([image.key], ([path]) => jobs.picture({ path: path!, to })),
    );
    if (refused) throw invalid({ image: refused.refused });
    const image_key = `images/${randomUUID()}`;
    await files.adopt(image_key, to);
    return { image_key };
  });
}

/** A picture's change as the audit trail shows it. */
export const imageAudit = ({ image_key }: ImageChange) =>
  image_key === undefined ? {} : { image: image_key ? "a new picture" : "no picture" };

/** The address of a record's picture, different for each picture; empty without one. */
export const imageUrl = (path: string, key: string | null) => (key ? `/api${path}/image?v=${key.slice(-12)}` : "");

/** A reply with a record's picture. */
export async function imageReply({ files }: Services, key: string | null | undefined) {
  if (!key) throw notFound();
  return webpReply(files, key, "private, no-store").catch(async (error: unknown) => {
    // A change since the record was read may have removed the file.
    throw (await files.exists(key)) ? error : notFound();
  });
}

/** A reply with a WebP file from the store. */
export async function webpReply(files: Services["files"], key: string, cacheControl: string) {
  const size = await files.size(key);
  return new Response(await files.stream(key), {
    headers: {
      "content-type": "image/webp",
      "content-length": String(size),
      "cache-control": cacheControl,
      "x-content-type-options": "nosniff",
    },
  });
}
