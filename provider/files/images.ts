import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Received } from "#intake/form-body.ts";
import type { Caller } from "../access.ts";
import { imageTooLarge } from "../contract/images.ts";
import { referencedKeys } from "./orphans.ts";
import { actorRequester } from "./requesters.ts";
import { invalid, notFound } from "../http/errors.ts";
import type { Services } from "../services.ts";

/**
 * Pictures of users, branches and the company: drawn anew and stored under a key that their record names.
 */

/** What a change does to a record's picture: nothing, a new one, or none any more. */
export type ImageChange = { image_key?: string | null };

/** What a call brought: `HandlerInput`, as far as pictures need it. */
type ImageInput = { caller: Caller; received: Received[]; body: object; request: Request };

/**
 * Changes a record with the picture that came with its form. Of a change that is refused the new picture is removed,
 * else the one `before`. What a process that dies leaves goes with the next sweep.
 */
export async function withImage<T>(
  services: Services,
  brought: ImageInput,
  before: string | null,
  change: (image: ImageChange) => Promise<T>,
): Promise<T> {
  const image = await storeImage(services, brought);
  try {
    const changed = await change(image);
    if (image.image_key !== undefined) await removeUnusedImage(services, before);
    return changed;
  } catch (error) {
    await removeUnusedImage(services, image.image_key);
    throw error;
  }
}

/** Removes a picture that no record names any more. */
export async function removeUnusedImage({ db, files, log }: Services, key: string | null | undefined) {
  if (!key) return;
  try {
    const [used] = await referencedKeys.images(db, [key]);
    if (!used) await files.remove(key);
  } catch (err) {
    log.error({ err, key }, "a picture could not be removed");
  }
}

/** Takes the picture that came with a form, drawn anew. Refuses what is none. */
async function storeImage({ files, pageFiles }: Services, brought: ImageInput): Promise<ImageChange> {
  const { caller, received, body, request } = brought;
  const image = received[0];
  if (!image) return "remove_image" in body && body.remove_image === true ? { image_key: null } : {};
  const to = await files.workPath(randomUUID());
  try {
    if (image.truncated) throw invalid({ image: imageTooLarge });
    const refused = await pageFiles.work(actorRequester(caller, request.signal), (jobs) =>
      files.withLocalPaths([image.key], ([path]) => jobs.picture({ path: path!, to })),
    );
    if (refused) throw invalid({ image: refused.refused });
    const image_key = `images/${randomUUID()}`;
    await files.adopt(image_key, to);
    return { image_key };
  } finally {
    await rm(to, { force: true });
  }
}

/** What the audit trail says of a picture. */
export const imageAudit = ({ image_key }: ImageChange) =>
  image_key === undefined ? {} : { image: image_key ? "a new picture" : "no picture" };

/** The address of a record's picture, new with every picture, so that open pages show it; empty where there is none. */
export const imageUrl = (path: string, key: string | null) => (key ? `/api${path}/image?v=${key.slice(-12)}` : "");

/** A record's picture as an answer. */
export async function imageReply({ files }: Services, key: string | null | undefined) {
  if (!key) throw notFound();
  return webpReply(files, key, "private, no-store").catch(async (error: unknown) => {
    // Replaced since the record was read.
    throw (await files.exists(key)) ? error : notFound();
  });
}

/** A drawn picture from the store, and whether browsers may store it. */
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
