import { createReadStream, createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { S3Driver } from "flydrive/drivers/s3";
import { type Files, measureStream } from "./files.ts";
import { withWorkFile } from "./work-file.ts";

/** A bucket of an S3 server. Without keys, the machine's role is used. */
export type Bucket = {
  name: string;
  endpoint?: string | undefined;
  region: string;
  accessKeyId?: string | undefined;
  secretAccessKey?: string | undefined;
};

const timeoutsMs = { connectionTimeout: 2000, socketTimeout: 30_000 };

/** Stores files in a bucket. They are written to `work` first, as S3 requires their length. */
export function openBucket(bucket: Bucket, work: Pick<Files, "workPath" | "clearWork">): Omit<Files, "ensureSpace"> {
  const client = openClient(bucket);
  const driver = new S3Driver({ client, bucket: bucket.name, visibility: "private", supportsACL: false });

  async function send(key: string, path: string, bytes: number) {
    // The driver drops a length of 0, and S3 refuses a stream without one.
    if (bytes === 0) return driver.put(key, new Uint8Array());
    const put = () => {
      const content = createReadStream(path);
      return driver.putStream(key, content, { contentLength: bytes }).finally(() => content.destroy());
    };
    // The client sends no stream again, though the server may close a reused connection just then. An answer counts.
    await put().catch((error) => (error.$metadata?.httpStatusCode ? Promise.reject(error) : put()));
  }

  async function get(key: string, range?: { start: number; end: number }) {
    const part = range && { Range: `bytes=${range.start}-${range.end}` };
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket.name, Key: key, ...part }));
    return Body as Readable;
  }

  async function* below(prefix: string, recursive: boolean) {
    let paginationToken: string | undefined;
    do {
      const page = await driver.listAll(prefix, { recursive, ...(paginationToken && { paginationToken }) });
      yield* page.objects;
      paginationToken = page.paginationToken;
    } while (paginationToken);
  }

  const fetchTo = async (key: string, path: string) => pipeline(await get(key), createWriteStream(path));

  const files: Omit<Files, "ensureSpace"> = {
    ...work,
    put: (key, content) =>
      withWorkFile(work, async (path) => {
        const measured = measureStream();
        await pipeline(content, measured.pass, createWriteStream(path));
        const stored = measured.result();
        await send(key, path, stored.bytes);
        return stored;
      }),
    async adopt(key, path) {
      const { size } = await stat(path);
      await send(key, path, size);
      await rm(path);
    },
    exists: (key) => driver.exists(key),
    size: async (key) => (await driver.getMetaData(key)).contentLength,
    stream: async (key, range) => Readable.toWeb(await get(key, range)) as ReadableStream<Uint8Array>,
    withLocalPaths(keys, use) {
      const [key, ...others] = keys;
      if (key === undefined) return use([]);
      return withWorkFile(work, async (path) => {
        await fetchTo(key, path);
        return files.withLocalPaths(others, (paths) => use([path, ...paths]));
      });
    },
    remove: (key) => driver.delete(key),
    async removeAll(prefix) {
      await driver.delete(prefix);
      await driver.deleteAll(`${prefix}/`);
    },
    async *keys() {
      for await (const object of below("", true)) {
        if (object.isFile && !object.key.startsWith("work/")) yield object.key;
      }
    },
    async *list(prefix) {
      for await (const { name } of below(`${prefix}/`, false)) yield name;
    },
    async changedAt(key) {
      let newest: number | undefined;
      for await (const object of below(`${key}/`, true)) {
        if (!object.isFile) continue;
        newest = Math.max(newest ?? 0, (await object.getMetaData()).lastModified.getTime());
      }
      if (newest !== undefined) return newest;
      return driver.getMetaData(key).then(({ lastModified }) => lastModified.getTime(), Date.now);
    },
  };
  return files;
}

const ignore = () => {};

export function openClient({ endpoint, region, accessKeyId, secretAccessKey }: Bucket) {
  return new S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    // Many S3-compatible servers take the newer checksums for content.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: timeoutsMs,
    // It writes plain text about failures that it throws as well.
    logger: { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore },
    maxAttempts: 2,
  });
}
