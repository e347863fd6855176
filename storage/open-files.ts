import type { Bucket } from "./bucket.ts";
import type { Files } from "./files.ts";
import { openFolder, workFolder } from "./folder.ts";

/** Opens the store: a bucket of an S3 server, or else the folder `directory`, where files in the making are either way. */
export async function openFiles(at: { directory: string; bucket?: Bucket | undefined }): Promise<Files> {
  if (!at.bucket) return openFolder(at.directory);
  // Loaded only where it is used: it takes 40 MB of memory.
  const { openBucket } = await import("./bucket.ts");
  return openBucket(at.bucket, workFolder(at.directory));
}
