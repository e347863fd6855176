import { Readable } from "node:stream";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { metrics } from "#metrics";
import type { Files, Stored } from "#storage/files.ts";
import { type Expected, FieldReader, type Fields, FormRefused, mostFields, readUrlencoded } from "./fields.ts";

const megabyte = 1024 * 1024;

/** A file that came with a form and is in the store now. */
export type Received = Stored & {
  /** The name it had on the sender's machine, without its folders. */
  name: string;
  /** Its key in the store. */
  key: string;
  /** Whether it was larger than allowed: the store has its beginning only. */
  cut: boolean;
};

export type ReceivedForm = { fields: Fields; received: Received[] };

export type UploadLimits = { fileBytes: number; files: number; totalBytes: number };

/** Where the files of a form go: those of one field, into the store as `folder/1`, `folder/2`, … */
export type Upload = { files: Files; folder: string; field: string; limits: UploadLimits };

/** How much longer than its files a form may be, in bytes. */
export const besideFiles = megabyte;

/** The length in bytes that a request's head tells of its body. */
export function declaredBytes({ headers }: Request): number | undefined {
  const length = Number(headers.get("content-length") ?? Number.NaN);
  return Number.isSafeInteger(length) && length >= 0 ? length : undefined;
}

export const isMultipart = (request: Request) =>
  /^multipart\/form-data\s*(;|$)/i.test(request.headers.get("content-type") ?? "");

/**
 * Reads a form that has no files, in either encoding, of at most `maxBytes`. Throws `FormRefused`.
 */
export async function readFields(request: Request, expected: Expected, maxBytes = megabyte): Promise<Fields> {
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
    await readParts(request, noFiles, { field, wants: () => false, file: async () => {} });
    return { fields: reader.read(), received: [] };
  }
  const { files, folder, limits } = upload;
  const received: Promise<Received>[] = [];
  try {
    await readParts(request, limits, {
      field,
      wants: (field) => field === upload.field || field === `${upload.field}[]`,
      file: (name, content) => {
        const key = `${folder}/${received.length + 1}`;
        const stored = files.put(key, content).then((result) => ({ ...result, name, key, cut: isCut(content) }));
        received.push(stored);
        return stored;
      },
    });
    const stored = await Promise.all(received);
    for (const { bytes, cut } of stored) {
      if (cut) metrics.uploadsRefused.inc({ reason: "too large" });
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

/** Counts a file by the first part of its key, which is ours. */
function count(folder: string, bytes: number) {
  const [to] = folder.split("/") as [string];
  metrics.uploads.inc({ to });
  metrics.uploadBytes.inc({ to }, bytes);
}

const isCut = (content: Readable) => (content as Readable & { truncated?: boolean }).truncated === true;

type Parts = {
  field(name: string, value: string): void;
  /** Whether files of a field are stored; others are read to their end and dropped. */
  wants(field: string): boolean;
  /** Stores a file; a rejection ends the reading. */
  file(name: string, content: Readable): Promise<unknown>;
};

const noFiles: UploadLimits = { fileBytes: 0, files: 0, totalBytes: megabyte };

/** The head of one part: a name, a file name and a type. */
const partHead = { headerPairs: 20, headerSize: 16 * 1024 };

/** How much more than allowed is read and thrown away before the connection is cut. */
const longestRest = 300 * megabyte;

function readParts(request: Request, limits: UploadLimits, parts: Parts) {
  return new Promise<void>((resolve, reject) => {
    const type = request.headers.get("content-type");
    if (!request.body || !type) return reject(new FormRefused("malformed"));
    let parser: BusboyInstance;
    try {
      parser = new Busboy({
        headers: { "content-type": type },
        limits: {
          ...partHead,
          fileSize: limits.fileBytes,
          fieldSize: besideFiles,
          parts: mostFields + limits.files + 1,
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
      // Browsers read the refusal only after they have sent everything: let them, within reason.
      body.resume();
    };
    body.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (!hasFailed && bytes > limits.totalBytes + besideFiles) fail(new FormRefused("too large"));
      if (bytes > limits.totalBytes + longestRest) body.destroy();
    });
    body.on("error", fail);
    parser.on("error", () => fail(new FormRefused("malformed")));
    parser.on("partsLimit", () => fail(new FormRefused("too many fields")));
    // A part's head may lack its name and its file name, whatever the types say.
    parser.on("field", (name: string | undefined = "", value) => {
      fieldBytes += name.length + value.length;
      if (hasFailed) return;
      if (fieldBytes > besideFiles) return fail(new FormRefused("too large"));
      try {
        parts.field(name, value);
      } catch (error) {
        // Thrown on into the parser, it would end the process.
        fail(error as Error);
      }
    });
    parser.on("file", (field: string | undefined = "", content, name: string | undefined) => {
      // Errors reach the code that reads the file; one without a reader would end the process.
      content.on("error", () => {});
      // A file input that nothing was chosen in arrives as a file without a name.
      if (!name || hasFailed) return content.resume();
      if (!parts.wants(field)) return content.resume();
      if (++files > limits.files) return fail(new FormRefused("too many files"));
      open.add(content);
      content.on("close", () => open.delete(content));
      // The parser would wait for a file that is not read to its end.
      parts.file(nameWithoutFolders(name), content).catch(fail);
    });
    parser.on("finish", resolve);
    body.pipe(parser);
  });
}

const sliceBytes = 64 * 1024;

/** A body in slices, after each of which the parser can be stopped. */
async function* inSlices(body: ReadableStream<Uint8Array>) {
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += sliceBytes) yield chunk.subarray(at, at + sliceBytes);
  }
}

/** A file name as it can be shown and offered again: no folders, no control characters of any kind, 200 characters at most. */
function nameWithoutFolders(name: string) {
  const base = name
    .normalize("NFC")
    // How forms write the one character that would end the name (HTML, "multipart/form-data").
    .replaceAll("%22", '"')
    .replace(/^.*[/\\]/s, "")
    // Control characters, line ends, and those that turn the direction of the text: “exe.gnp” must not read as “png.exe”.
    .replace(/[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu, "")
    .toWellFormed()
    .trim();
  if (base.length <= 200) return base || "file";
  const extension = /\.\w{1,5}$/.exec(base)?.[0] ?? "";
  return base.slice(0, 200 - extension.length) + extension;
}

/** A request's body as text, or undefined where it is longer than `maxBytes`. */
export async function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    // What is too long is read to its end all the same, within reason, so that the sender hears the refusal.
    if (bytes > maxBytes + longestRest) return undefined;
    if (bytes <= maxBytes) text += decoder.decode(chunk, { stream: true });
  }
  return bytes > maxBytes ? undefined : text + decoder.decode();
}
