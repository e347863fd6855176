import type { Bucket } from "./bucket.ts";
import type { Files } from "./files.ts";
import { openFolder, workFolder } from "./folder.ts";
import { freeBelow, withReserve } from "./reserve.ts";

type Where = {
  directory: string;
  bucket?: Bucket | undefined;
  /** How many bytes of the disk with `directory` stay free of uploads (`reserve.ts`). */
  reserve?: number;
};

/** Opens the store: a bucket of an S3 server, or else the folder `directory`, where files in the making are either way. */
export async function openFiles({ directory, bucket, reserve = 0 }: Where): Promise<Files> {
  return withReserve(await openStore(directory, bucket), reserve, freeBelow(directory));
}

async function openStore(directory: string, bucket: Bucket | undefined) {
  if (!bucket) return openFolder(directory);
  // Loaded only where it is used: it takes 40 MB of memory.
  const { openBucket } = await import("./bucket.ts");
  return openBucket(bucket, workFolder(directory));
}
