import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";
import { type Expected, FieldReader, type Fields } from "#lib/intake/fields.ts";
import { readFields } from "#lib/intake/form-body.ts";
import { isMultipart, readMultipart, type UploadLimits } from "#lib/intake/multipart.ts";

/** A file while it arrives, and the fields that came before it. */
export type ArrivingFile = { field: string; name: string; content: Readable; before: Fields };

type Passing = { fields: string[]; limits: UploadLimits; pass(file: ArrivingFile): Promise<void> };

/** Reads a form whose files are passed on while they arrive; `pass` may leave the rest of one unread. Throws `FormRefused`. */
export async function passForm(request: Request, expected: Expected, passing: Passing): Promise<Fields> {
  if (!isMultipart(request)) return readFields(request, expected);
  const reader = new FieldReader(expected);
  const passed: Promise<void>[] = [];
  await readMultipart(request, passing.limits, {
    field: (name, value) => reader.add(name, value),
    accepts: (field) => passing.fields.includes(field),
    file(name, content, field) {
      const done = passing.pass({ field, name, content, before: reader.read() }).finally(() => content.resume());
      passed.push(done);
      return done;
    },
  });
  await Promise.all(passed);
  return reader.read();
}

/** A form of some fields and an arriving file, to be sent on. */
export function formAround({ field, name, content }: ArrivingFile, fields: Record<string, string>): Request {
  const boundary = randomUUID();
  const mimeHeader = (header: string) => `${header}\r\n`;
  const disposition = (about: string) => mimeHeader(`--${boundary}\r\nContent-Disposition: form-data; ${about}`);
  async function* parts() {
    for (const [name, value] of Object.entries(fields)) {
      yield Buffer.from(`${disposition(mimeHeader(`name="${name}"`))}${value}\r\n`);
    }
    const filename = mimeHeader(`name="${field}"; filename="${name.replaceAll('"', "%22")}"`);
    yield Buffer.from(disposition(filename + mimeHeader("Content-Type: application/octet-stream")));
    // The rest of a file that is not wanted belongs to its own form all the same.
    yield* content.iterator({ destroyOnReturn: false });
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  const init = { method: "POST", headers, body: ReadableStream.from(parts()), duplex: "half" };
  return new Request("http://form", init as RequestInit);
}
