import { create as contentDisposition } from "content-disposition";
import { zipOf } from "../files/zip.ts";

/** Not stored by browsers, which users may share. */
export const fileHeaders = {
  "cache-control": "private, no-store",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** A PDF that was made in memory, to save under a name. */
export const madePdfReply = (pdf: Uint8Array, name: string) =>
  new Response(Uint8Array.from(pdf), {
    headers: {
      ...fileHeaders,
      "content-type": "application/pdf",
      "content-length": String(pdf.length),
      "content-disposition": contentDisposition(name),
    },
  });

/** A ZIP of stored files and texts, to save under a name. */
export async function zipReply(...[name, ...content]: [name: string, ...Parameters<typeof zipOf>]) {
  const { stream, bytes } = await zipOf(...content);
  const headers = {
    ...fileHeaders,
    "content-type": "application/zip",
    "content-length": String(bytes),
    "content-disposition": contentDisposition(name),
  };
  return new Response(stream, { headers });
}
