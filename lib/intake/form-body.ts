import type { Readable } from "node:stream";
import { metrics } from "../metrics.ts";
import type { Files, Stored } from "../storage/files/files.ts";
import { type Expected, FieldReader, type Fields, FormRefused, maxFields, readUrlencoded } from "./fields.ts";
import { isMultipart, maxDrainedBytes, noFiles, readMultipart, type UploadLimits } from "./multipart.ts";
import { mebibytesInBytes } from "../units.ts";

/** A stored file of a form. */
export type Received = Stored & {
  /** The name on the sender's machine, without folders. */
  name: string;
  key: string;
  /** Larger than allowed, and stored in part. */
  truncated: boolean;
};

export type ReceivedForm = { fields: Fields; received: Received[] };

/** Stores the files of one field as `folder/1`, `folder/2`, … */
export type Upload = { files: Pick<Files, "put" | "removeAll">; folder: string; field: string; limits: UploadLimits };

/** The Content-Length of a request. */
export function declaredBytes({ headers }: Request): number | undefined {
  const length = Number(headers.get("content-length") ?? Number.NaN);
  return Number.isSafeInteger(length) && length >= 0 ? length : undefined;
}

/**
 * Reads a form that has no files, in either encoding, of at most `maxBytes`. Throws `FormRefused`.
 */
export async function readFields(
  request: Request,
  expected: Expected,
  maxBytes = mebibytesInBytes(1),
): Promise<Fields> {
  if (isMultipart(request)) return (await receiveForm(request, expected)).fields;
  const text = await readText(request, maxBytes);
  if (text === undefined) throw new FormRefused("too large");
  return readUrlencoded(text, expected);
}

/**
 * Reads a form that may have files while it arrives: fields into memory (1 MB at most), the files of `upload` into the
 * store; other files are dropped. Throws `FormRefused`, or what broke the connection.
 */
export async function receiveForm(request: Request, expected: Expected, upload?: Upload): Promise<ReceivedForm> {
  if (!isMultipart(request)) return { fields: await readFields(request, expected), received: [] };
  const reader = new FieldReader(expected);
  const field = (name: string, value: string) => reader.add(name, value);
  if (!upload) {
    await readMultipart(request, noFiles, { field, accepts: () => false, file: async () => {} });
    return { fields: reader.read(), received: [] };
  }
  const { files, folder, limits } = upload;
  const received: Promise<Received>[] = [];
  try {
    await readMultipart(request, limits, {
      field,
      accepts: (field) => field === upload.field || field === `${upload.field}[]`,
      file: (name, content) => {
        const key = `${folder}/${received.length + 1}`;
        const stored = files
          .put(key, content)
          .then((result) => ({ ...result, name, key, truncated: isTruncated(content) }));
        received.push(stored);
        return stored;
      },
    });
    const stored = await Promise.all(received);
    for (const { bytes, truncated } of stored) {
      if (truncated) metrics.uploadsRefused.inc({ reason: "too large" });
      else count(folder, bytes);
    }
    return { fields: reader.read(), received: stored };
  } catch (error) {
    if (error instanceof FormRefused) metrics.uploadsRefused.inc({ reason: error.reason });
    await Promise.allSettled(received);
    await files.removeAll(folder);
    throw error;
  }
}

type Dropping = { maxFileBytes?: number; onFile?(field: string): void };

/**
 * Reads the fields of a form in either encoding, whatever their names, and drops its files, of `maxFileBytes` at most.
 * Undefined for a form that is unreadable, or has more than `maxFields` fields or `maxBytes` bytes of them.
 */
export async function readAnyFields(
  request: Request,
  maxBytes: number,
  { maxFileBytes = maxDroppedBytes, onFile }: Dropping = {},
): Promise<URLSearchParams | undefined> {
  if (!isMultipart(request)) {
    const text = await readText(request, maxBytes);
    const fields = text === undefined ? undefined : new URLSearchParams(text);
    return fields && fields.size <= maxFields ? fields : undefined;
  }
  const fields = new URLSearchParams();
  let bytes = 0;
  const field = (name: string, value: string) => {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    if (bytes > maxBytes || fields.size >= maxFields) throw new FormRefused("too large");
    fields.append(name, value);
  };
  try {
    const accepts = (name: string) => (onFile?.(name), false);
    await readMultipart(request, { ...noFiles, totalBytes: maxFileBytes }, { field, accepts, file });
  } catch {
    return undefined;
  }
  return fields;
}

const file = () => Promise.resolve();
const maxDroppedBytes = mebibytesInBytes(20);

/** Counts a file by the first part of its key. */
function count(folder: string, bytes: number) {
  const [to] = folder.split("/") as [string];
  metrics.uploads.inc({ to });
  metrics.uploadBytes.inc({ to }, bytes);
}

const isTruncated = (content: Readable) => (content as Readable & { truncated?: boolean }).truncated === true;

/** A request's body as text; undefined if it is longer than `maxBytes`. */
export async function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    // The rest is drained, so that the sender can read the response.
    if (bytes > maxBytes + maxDrainedBytes) return undefined;
    if (bytes <= maxBytes) text += decoder.decode(chunk, { stream: true });
  }
  return bytes > maxBytes ? undefined : text + decoder.decode();
}
