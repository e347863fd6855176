import { fileTypes } from "#lib/page-files/file-types.ts";
import { qrPng } from "#lib/page-files/seal/qr.ts";
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
import { sealedPdfs } from "../seal/sealed-files.ts";
import { codeAddress } from "../seal/code-address.ts";
import { refuseWithoutKey } from "../seal/keys/missing-key.ts";
import type { Services } from "../services.ts";
import { fileReply, sealedReply } from "./document-file-replies.ts";
import { archived } from "./sealed-archive.ts";

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
    const reply = await sealedReply(services, { request, requester, document, copy });
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
