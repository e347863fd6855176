import type { Bucket } from "./bucket.ts";
import type { Files } from "./files.ts";
import { openFolder, workFolder } from "./folder.ts";
import { freeBelow, withReserve } from "./disk-reserve.ts";

type Location = {
  directory: string;
  bucket?: Bucket | undefined;
  /** Bytes of the disk of `directory` that uploads must leave free. */
  reserve?: number;
};

/** Opens a bucket, or else the folder `directory`, which has temporary files either way. */
export async function openFiles({ directory, bucket, reserve = 0 }: Location): Promise<Files> {
  return withReserve(await openStore(directory, bucket), reserve, freeBelow(directory));
}

async function openStore(directory: string, bucket: Bucket | undefined) {
  if (!bucket) return openFolder(directory);
  // The S3 client takes 40 MB of memory.
  const { openBucket } = await import("./bucket.ts");
  return openBucket(bucket, workFolder(directory));
}
