import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Received } from "#storage/form-body.ts";
import type { Actor } from "./access.ts";
import { imageTooLarge } from "./contract/images.ts";
import { ofActor } from "./page-work.ts";
import { invalid, notFound } from "./refused.ts";
import type { Services } from "./services.ts";

/**
 * Pictures of users, branches and the company: drawn anew and kept under a key that their record names. One that no
 * record names any more, because it was replaced or its change was refused, goes with the next sweep (`orphans.ts`).
 */

/** What a change does to a record's picture: nothing, a new one, or none any more. */
export type ImageChange = { image_key?: string | null };

type Brought = { received: Received[]; folder: string; body: object; request: Request };

/** Takes the picture that came with a form, drawn anew. Refuses what is none. */
export async function takeImage({ files, pageFiles }: Services, actor: Actor, brought: Brought): Promise<ImageChange> {
  const { received, folder, body, request } = brought;
  const image = received[0];
  if (!image) return "remove_image" in body && body.remove_image === true ? { image_key: null } : {};
  const to = await files.workPath(randomUUID());
  try {
    if (image.cut) throw invalid({ image: imageTooLarge });
    const refused = await pageFiles.work(ofActor(actor, request.signal), (jobs) =>
      files.atHand([image.key], ([path]) => jobs.picture({ path: path!, to })),
    );
    if (refused) throw invalid({ image: refused.refused });
    const image_key = `images/${randomUUID()}`;
    await files.adopt(image_key, to);
    return { image_key };
  } finally {
    await Promise.all([files.removeAll(folder), rm(to, { force: true })]);
  }
}

/** What the audit trail says of a picture. */
export const imageAudit = ({ image_key }: ImageChange) =>
  image_key === undefined ? {} : { image: image_key ? "a new picture" : "no picture" };

/** The address of a record's picture, new with every picture, so that browsers may keep it; empty where there is none. */
export const imageUrl = (path: string, key: string | null) => (key ? `/api${path}/image?v=${key.slice(-12)}` : "");

/** A record's picture as an answer. */
export async function imageReply({ files }: Services, key: string | null | undefined) {
  if (!key || !(await files.exists(key))) throw notFound();
  return webpReply(files, key, 86_400);
}

/** A drawn picture from the store, which browsers may keep for some seconds. */
export async function webpReply(files: Services["files"], key: string, seconds: number) {
  const size = await files.size(key);
  return new Response(await files.stream(key), {
    headers: {
      "content-type": "image/webp",
      "content-length": String(size),
      "cache-control": `private, max-age=${seconds}`,
      "x-content-type-options": "nosniff",
    },
  });
}
