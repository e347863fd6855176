import type { Bucket } from "./bucket.ts";
import type { Files } from "./files.ts";
import { openFolder, workFolder } from "./folder.ts";
import { freeBelow, withReserve } from "./disk-reserve.ts";

type Location = {
  directory: string;
  bucket?: Bucket | undefined;
  reserve?: number;
};

export async function openFiles({ directory, bucket, reserve = 0 }: Location): Promise<Files> {
  return withReserve(await openStore(directory, bucket), reserve, freeBelow(directory));
}

async function openStore(directory: string, bucket: Bucket | undefined) {
  if (!bucket) return openFolder(directory);
  // The S3 client takes 40 MB of memory.
  const { openBucket } = await import("./bucket.ts");
  return openBucket(bucket, workFolder(directory));
}
