import { create as contentDisposition } from "content-disposition";
import parseRange from "range-parser";
import { fileTypes } from "#lib/page-files/file-types.ts";
import { qrPng } from "#lib/page-files/seal/qr.ts";
import type { Files } from "#lib/storage/files/files.ts";
import type { Actor } from "../access.ts";
import { recordDownload } from "../audit/downloads.ts";
import { getPageFile, getPageThumbnail, getQrCode, getSealedPdf, getSealedPdfs } from "../contract/document-files.ts";
import { copyCode } from "./copies/copy-queries.ts";
import { findDocument, pageFileOf } from "./document-queries.ts";
import type { On } from "../http/endpoint.ts";
import { fileHeaders, zipReply } from "../http/file-reply.ts";
import { actorRequester } from "../files/requesters.ts";
import { cleanedFile, drawnPage } from "../files/derived-files.ts";
import { notFound } from "../http/errors.ts";
import { sealedPdf, sealedPdfs } from "../seal/sealed-files.ts";
import { codeAddress } from "../seal/code-address.ts";
import { refuseWithoutKey } from "../seal/keys/missing-key.ts";
import type { Services } from "../services.ts";
import { archived, sealedName } from "./sealed-archive.ts";

/** A document's pages, thumbnails, QR code and sealed PDF. */
export function serveDocumentFiles(on: On, services: Services) {
  const { db, files } = services;
  const withoutKey = refuseWithoutKey(services);

  const visible = async (actor: Actor, id: number) => {
    const document = await findDocument(db, actor, id);
    if (!document) throw notFound();
    return document;
  };

  on(getPageFile, async ({ actor, params, ...by }) => {
    const { request } = by;
    const document = await visible(actor, params.id);
    const file = await pageFileOf(db, document.id, params.n);
    if (!file) throw notFound();
    const key = await cleanedFile(services, actorRequester(actor, request.signal), document.folder, file);
    const name = `${file.name.replace(/\.\w+$/, "")}.${fileTypes[file.type].extension}`;
    const reply = await fileReply({ files, request }, key, { type: file.type, name });
    recordDownload(services, actor, { document, file: "Page file" }, by);
    return reply;
  });

  on(getPageThumbnail, async ({ actor, params, query, request }) => {
    const document = await visible(actor, params.id);
    const file = await pageFileOf(db, document.id, params.n);
    if (!file || query.page > file.pages) throw notFound();
    const page = { folder: document.folder, file, ...query };
    const key = await drawnPage(services, actorRequester(actor, request.signal), page);
    return fileReply({ files, request }, key, { type: "image/webp" });
  });

  on(getQrCode, async ({ actor, params, query }) => {
    const document = await visible(actor, params.id);
    const copy = await copyCode(db, document, query.copy);
    if (!copy) throw notFound();
    const png = qrPng(await codeAddress(services, document, copy));
    return new Response(Uint8Array.from(png), { headers: { ...fileHeaders, "content-type": "image/png" } });
  });

  on(getSealedPdf, async ({ actor, params, query: { copy }, ...by }) => {
    const { request } = by;
    const document = await visible(actor, params.id);
    if (copy > document.copies) throw notFound();
    const requester = actorRequester(actor, request.signal);
    const { key, sha256 } = await sealedPdf(services, requester, document, copy).catch(withoutKey);
    const name = `${sealedName(document, copy)}.pdf`;
    const reply = await fileReply({ files, request }, key, { type: "application/pdf", name, sha256 });
    recordDownload(services, actor, { document, file: "Sealed PDF" }, by);
    return reply;
  });

  on(getSealedPdfs, async ({ actor, params, ...by }) => {
    const document = await visible(actor, params.id);
    const requester = actorRequester(actor, by.request.signal);
    const copies = await sealedPdfs(services, requester, document).catch(withoutKey);
    recordDownload(services, actor, { document, file: "Sealed PDFs of all copies" }, by);
    return zipReply(`${document.number}.zip`, files, archived([{ ...document, files: copies }]));
  });
}

/** A file from the store, or the requested range of it. With a name it is an attachment, with a SHA-256 it is named by it. */
async function fileReply(
  { files, request }: { files: Files; request: Request },
  key: string,
  { type, name, sha256 }: { type: string; name?: string; sha256?: string },
) {
  const size = await files.size(key);
  const headers = new Headers({ ...fileHeaders, "content-type": type, "accept-ranges": "bytes" });
  if (name) headers.set("content-disposition", contentDisposition(name));
  const etag = sha256 && `"${sha256}"`;
  if (etag) {
    headers.set("etag", etag);
    headers.set("repr-digest", `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`);
  }
  // A part of another file would not fit to what the client has (RFC 9110, 13.1.5).
  const isOther = request.headers.has("if-range") && request.headers.get("if-range") !== etag;
  const ranges = parseRange(size, (!isOther && request.headers.get("range")) || "");
  if (ranges === -1) {
    headers.set("content-range", `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  // Several ranges and malformed ones get the whole file (RFC 9110).
  const range = Array.isArray(ranges) && ranges.type === "bytes" && ranges.length === 1 ? ranges[0] : undefined;
  headers.set("content-length", String(range ? range.end - range.start + 1 : size));
  if (range) headers.set("content-range", `bytes ${range.start}-${range.end}/${size}`);
  return new Response(await files.stream(key, range), { status: range ? 206 : 200, headers });
}
