import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import qs from "qs";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { figures } from "#metrics";
import type { Files, Stored } from "./files.ts";

/** A file that came with a form and is in the store now. */
export type Received = Stored & {
  /** The form's field. */
  field: string;
  /** The name it had on the sender's machine, without its folders. */
  name: string;
  /** Its key in the store. */
  key: string;
  /** Whether it was larger than allowed: the store has its beginning only. */
  cut: boolean;
};

export type ReceivedForm = { fields: URLSearchParams; received: Received[] };

export type UploadLimits = { fileBytes: number; files: number; totalBytes: number };

/** The form is larger than allowed as a whole, or not a form at all. What it brought is gone from the store. */
export class FormRefused extends Error {
  readonly reason: "too large" | "too many files" | "malformed";
  constructor(reason: FormRefused["reason"]) {
    super(`The form is ${reason}`);
    this.reason = reason;
  }
}

/**
 * Reads a multipart form while it arrives: fields into memory (1 MB at most), files into the store as `folder/1`,
 * `folder/2`, … Throws `FormRefused`, or what broke the connection.
 */
export async function receiveForm(
  request: Request,
  files: Files,
  folder: string,
  limits: UploadLimits,
): Promise<ReceivedForm> {
  const fields = new URLSearchParams();
  const received: Promise<Received>[] = [];
  try {
    await readParts(request, limits, {
      field: (name, value) => fields.append(name, value),
      file: (field, name, content) => {
        const key = `${folder}/${received.length + 1}`;
        const stored = files.put(key, content).then((result) => ({ ...result, field, name, key, cut: isCut(content) }));
        stored.catch(() => {}); // seen below, once the whole form has been read
        received.push(stored);
      },
    });
    const stored = await Promise.all(received);
    for (const { bytes, cut } of stored) {
      if (cut) figures.uploadsRefused.inc({ reason: "too large" });
      else count(folder, bytes);
    }
    return { fields, received: stored };
  } catch (error) {
    if (error instanceof FormRefused) figures.uploadsRefused.inc({ reason: error.reason });
    await Promise.allSettled(received);
    await files.removeAll(folder);
    throw error;
  }
}

/** Counts a file by the first part of its key, which is ours. */
function count(folder: string, bytes: number) {
  const [to] = folder.split("/") as [string];
  figures.uploads.inc({ to });
  figures.uploadBytes.inc({ to }, bytes);
}

const isCut = (content: Readable) => (content as Readable & { truncated?: boolean }).truncated === true;

type Parts = {
  field(name: string, value: string): void;
  file(field: string, name: string, content: Readable): void;
};

const megabyte = 1024 * 1024;
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
        limits: { fileSize: limits.fileBytes, files: limits.files + 1, fields: 1000, fieldSize: megabyte },
      });
    } catch {
      return reject(new FormRefused("malformed"));
    }
    const body = Readable.fromWeb(request.body as NodeReadableStream);
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
      if (!hasFailed && bytes > limits.totalBytes + megabyte) fail(new FormRefused("too large"));
      if (bytes > limits.totalBytes + longestRest) body.destroy();
    });
    body.on("error", fail);
    parser.on("error", () => fail(new FormRefused("malformed")));
    parser.on("field", (name, value) => {
      fieldBytes += name.length + value.length;
      if (hasFailed) return;
      if (fieldBytes > megabyte) fail(new FormRefused("too large"));
      else parts.field(name, value);
    });
    parser.on("file", (field, content, name) => {
      // A file input that nothing was chosen in arrives as a file without a name.
      if (!name || hasFailed) return content.resume();
      if (++files > limits.files) return fail(new FormRefused("too many files"));
      // Whoever reads it hears of errors; before that, none must end the process.
      content.on("error", () => {});
      open.add(content);
      content.on("close", () => open.delete(content));
      parts.file(field, nameWithoutFolders(name), content);
    });
    parser.on("finish", resolve);
    body.pipe(parser);
  });
}

/** A file name as it can be shown and offered again: no folders, no control characters of any kind, 200 characters at most. */
function nameWithoutFolders(name: string) {
  const base = name
    .normalize("NFC")
    // How forms write the one character that would end the name (HTML, "multipart/form-data").
    .replaceAll("%22", '"')
    .replace(/^.*[/\\]/s, "")
    // Control characters, and those that turn the direction of the text: “exe.gnp” must not read as “png.exe”.
    .replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, "")
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

/** Fields named `custom_fields[0][name]` as objects in lists. Of a name that comes twice, the last value counts. */
export const nested = (fields: URLSearchParams): Record<string, unknown> =>
  qs.parse(fields.toString(), {
    depth: 3,
    arrayLimit: 1000,
    parameterLimit: 5000,
    duplicates: "last",
    allowPrototypes: false,
  });
