import { Readable } from "node:stream";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { FormRefused, maxFields } from "./fields.ts";
import { mebibytesInBytes } from "../units.ts";

export type UploadLimits = { fileBytes: number; files: number; totalBytes: number };

/** Bytes of a form beside its files. */
export const formOverheadBytes = mebibytesInBytes(1);

export const isMultipart = (request: Request) =>
  /^multipart\/form-data\s*(;|$)/i.test(request.headers.get("content-type") ?? "");

type Parts = {
  field(name: string, value: string): void;
  /** Whether files of a field are stored; others are drained. */
  accepts(field: string): boolean;
  /** Stores a file; a rejection aborts the form. */
  file(name: string, content: Readable, field: string): Promise<unknown>;
};

export const noFiles: UploadLimits = { fileBytes: 0, files: 0, totalBytes: mebibytesInBytes(1) };

const partHeaderLimits = { headerPairs: 20, headerSize: 16 * 1024 };

/** Beyond the limits, before the connection is closed. */
export const maxDrainedBytes = mebibytesInBytes(300);

/** Reads a form in multipart/form-data while it arrives. Throws `FormRefused`, or what broke the connection. */
export function readMultipart(request: Request, limits: UploadLimits, parts: Parts) {
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
      parts.file(nameWithoutFolders(name), content, field).catch(fail);
    });
    parser.on("finish", resolve);
    body.pipe(parser);
  });
}

const sliceBytes = 64 * 1024;

/** Splits the body so that the parser can be stopped after each slice. */
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
