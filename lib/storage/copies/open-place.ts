import type { Bucket } from "../files/bucket.ts";
import { folderPlace, type Place } from "./place.ts";

/** The place at an absolute path, or at `s3://BUCKET/PREFIX` of a server. */
export async function openPlace(at: string, server: Omit<Bucket, "name">): Promise<Place> {
  const [, name, prefix = ""] = /^s3:\/\/([^/]+)\/?(.*?)\/?$/.exec(at) ?? [];
  if (name === undefined) return folderPlace(at);
  const { bucketPlace } = await import("./bucket-place.ts");
  return bucketPlace({ ...server, name }, prefix && `${prefix}/`);
}
