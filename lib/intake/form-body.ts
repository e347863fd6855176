import { Readable } from "node:stream";
import { ReadableStream as NodeReadableStream } from "node:stream/web";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { metrics } from "../metrics.ts";
import type { Files, Stored } from "../storage/files/files.ts";
import { type Expected, FieldReader, type Fields, FormRefused, maxFields, readUrlencoded } from "./fields.ts";
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

export type UploadLimits = { fileBytes: number; files: number; totalBytes: number };

/** Stores the files of one field as `folder/1`, `folder/2`, … */
export type Upload = { files: Pick<Files, "put" | "removeAll">; folder: string; field: string; limits: UploadLimits };

/** Bytes of a form beside its files. */
export const formOverheadBytes = mebibytesInBytes(1);

/** The Content-Length of a request. */
export function declaredBytes({ headers }: Request): number | undefined {
  const length = Number(headers.get("content-length") ?? Number.NaN);
  return Number.isSafeInteger(length) && length >= 0 ? length : undefined;
}

export const isMultipart = (request: Request) =>
  /^multipart\/form-data\s*(;|$)/i.test(request.headers.get("content-type") ?? "");

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
    await readParts(request, noFiles, { field, accepts: () => false, file: async () => {} });
    return { fields: reader.read(), received: [] };
  }
  const { files, folder, limits } = upload;
  const received: Promise<Received>[] = [];
  try {
    await readParts(request, limits, {
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

/** Bytes of a form that are searched for its first fields. */
const maxPeekedBytes = 16 * 1024;

/**
 * The value of a field near the beginning of a form, of letters, digits, `-`, `_` and `.`; undefined without it. The body can
 * still be read as if it had not been.
 */
export async function peekField(request: Request, name: string): Promise<string | undefined> {
  const { body } = request;
  if (!body) return undefined;
  const field = isMultipart(request)
    ? new RegExp(`\\bname="${name}"\\r\\n\\r\\n([\\w.-]*)\\r\\n`)
    : new RegExp(`(?:^|&)${name}=([\\w.-]*)&`);
  const [chunks, decoder, reader] = [[] as Uint8Array[], new TextDecoder("latin1"), body.getReader()];
  let text = "";
  let isComplete = false;
  while (!isComplete && text.length < maxPeekedBytes && !field.test(text)) {
    const { done, value } = await reader.read();
    isComplete = done;
    // A field that ends with the body has no separator.
    text += done ? "&" : decoder.decode(value, { stream: true });
    if (value) chunks.push(value);
  }
  reader.releaseLock();
  const whole = NodeReadableStream.from(rejoined(chunks, body));
  const configurable = true;
  Object.defineProperties(request, { body: { value: whole, configurable }, bodyUsed: { value: false, configurable } });
  return field.exec(text)?.[1];
}

async function* rejoined(chunks: Uint8Array[], rest: ReadableStream<Uint8Array>) {
  yield* chunks;
  yield* rest;
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
    await readParts(request, { ...noFiles, totalBytes: maxFileBytes }, { field, accepts, file });
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

type Parts = {
  field(name: string, value: string): void;
  /** Whether files of a field are stored; others are drained. */
  accepts(field: string): boolean;
  /** Stores a file; a rejection aborts the form. */
  file(name: string, content: Readable): Promise<unknown>;
};

const noFiles: UploadLimits = { fileBytes: 0, files: 0, totalBytes: mebibytesInBytes(1) };

const partHeaderLimits = { headerPairs: 20, headerSize: 16 * 1024 };

/** Beyond the limits, before the connection is closed. */
const maxDrainedBytes = mebibytesInBytes(300);

function readParts(request: Request, limits: UploadLimits, parts: Parts) {
  return new Promise<void>((resolve, reject) => {
    const type = request.headers.get("content-type");
    if (!request.body || !type) return reject(new FormRefused("malformed"));
    let parser: BusboyInstance;
    try {
      parser = new Busboy({
        headers: { "content-type": type },
        limits: {
          ...partHeaderLimits,
          fileSize: limits.fileBytes,
          fieldSize: formOverheadBytes,
          parts: maxFields + limits.files + 1,
        },
      });
    } catch {
      return reject(new FormRefused("malformed"));
    }
    const body = Readable.from(inSlices(request.body));
    let [bytes, files, fieldBytes] = [0, 0, 0];
    const open = new Set<Readable>();
    let hasFailed = false;
    const fail = (error: Error) => {
      hasFailed = true;
      reject(error);
      body.unpipe(parser);
      for (const content of open) content.destroy(error);
      // Browsers read the response only once they have sent everything.
      body.resume();
    };
    body.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (!hasFailed && bytes > limits.totalBytes + formOverheadBytes) fail(new FormRefused("too large"));
      if (bytes > limits.totalBytes + maxDrainedBytes) body.destroy();
    });
    body.on("error", fail);
    // The reading of a body that has stalled notices no end of its request.
    const stop = () => fail(new Error("The request ended"));
    request.signal.addEventListener("abort", stop, { once: true });
    if (request.signal.aborted) stop();
    parser.on("error", () => fail(new FormRefused("malformed")));
    parser.on("partsLimit", () => fail(new FormRefused("too many fields")));
    // Despite its types, the parser passes undefined for missing names.
    parser.on("field", (name: string | undefined = "", value) => {
      fieldBytes += name.length + value.length;
      if (hasFailed) return;
      if (fieldBytes > formOverheadBytes) return fail(new FormRefused("too large"));
      try {
        parts.field(name, value);
      } catch (error) {
        // Thrown inside the parser, it would end the process.
        fail(error as Error);
      }
    });
    parser.on("file", (field: string | undefined = "", content, name: string | undefined) => {
      // Without a listener, the error of an unread file would end the process.
      content.on("error", () => {});
      // An empty file input arrives as a file without a name.
      if (!name || hasFailed) return content.resume();
      if (!parts.accepts(field)) return content.resume();
      if (++files > limits.files) return fail(new FormRefused("too many files"));
      open.add(content);
      content.on("close", () => open.delete(content));
      // The parser waits until a file is read to its end.
      parts.file(nameWithoutFolders(name), content).catch(fail);
    });
    parser.on("finish", resolve);
    body.pipe(parser);
  });
}

const sliceBytes = 64 * 1024;

/** Slices, after each of which the parser can be stopped. */
async function* inSlices(body: ReadableStream<Uint8Array>) {
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += sliceBytes) yield chunk.subarray(at, at + sliceBytes);
  }
}

/** A file name of at most 200 characters without folders and control characters. */
function nameWithoutFolders(name: string) {
  const base = name
    .normalize("NFC")
    // The HTML standard's escape in multipart/form-data.
    .replaceAll("%22", '"')
    .replace(/^.*[/\\]/s, "")
    // Also line ends and direction overrides: “exe.gnp” must not read as “png.exe”.
    .replace(/[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu, "")
    .toWellFormed()
    .trim();
  if (base.length <= 200) return base || "file";
  const extension = /\.\w{1,5}$/.exec(base)?.[0] ?? "";
  return base.slice(0, 200 - extension.length) + extension;
}

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
