import type { Readable } from "node:stream";
import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, paginateListObjectsV2 } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { mebibytesInBytes } from "../../units.ts";
import { type Bucket, openClient } from "../files/bucket.ts";
import type { Place } from "./place.ts";

/** S3 takes 10,000 parts: 312 GiB. One is in memory at a time. */
const partSize = mebibytesInBytes(32);

export function bucketPlace(bucket: Bucket, prefix: string): Place {
  const client = openClient(bucket);
  const object = (name: string) => ({ Bucket: bucket.name, Key: prefix + name });
  const head = (name: string) => client.send(new HeadObjectCommand(object(name)));
  return {
    title: `s3://${bucket.name}/${prefix}`,
    async names(folder) {
      const below = prefix + (folder && `${folder}/`);
      const names: string[] = [];
      const query = { Bucket: bucket.name, Prefix: below, Delimiter: "/" };
      for await (const { Contents = [], CommonPrefixes = [] } of paginateListObjectsV2({ client }, query)) {
        names.push(...Contents.map(({ Key = "" }) => Key.slice(below.length)));
        names.push(...CommonPrefixes.map(({ Prefix = "" }) => Prefix.slice(below.length, -1)));
      }
      return names.toSorted();
    },
    has: (name) =>
      head(name).then(
        () => true,
        (error: { $metadata?: { httpStatusCode?: number } }) => {
          if (error.$metadata?.httpStatusCode === 404) return false;
          throw error;
        },
      ),
    size: async (name) => (await head(name)).ContentLength ?? 0,
    read: async (name) => (await client.send(new GetObjectCommand(object(name)))).Body as Readable,
    async write(name, content, signal) {
      const upload = new Upload({ client, params: { ...object(name), Body: content }, partSize, queueSize: 1 });
      const abort = () => void upload.abort();
      signal.addEventListener("abort", abort);
      await upload.done().finally(() => signal.removeEventListener("abort", abort));
    },
    remove: async (name) => void (await client.send(new DeleteObjectCommand(object(name)))),
  };
}
