import { create as contentDisposition } from "content-disposition";
import parseRange from "range-parser";
import type { Requester } from "#lib/page-files/process/requesters.ts";
import { PageWorkBusy, PageWorkFailed } from "#lib/page-files/refusals.ts";
import type { Files } from "#lib/storage/files/files.ts";
import { drawnPage } from "../files/derived-files.ts";
import { webpReply } from "../files/images.ts";
import { companyRequester } from "../files/requesters.ts";
import { HttpError, notFound } from "../http/errors.ts";
import { fileHeaders, zipReply } from "../http/file-reply.ts";
import { refuseWithoutKey } from "../seal/keys/missing-key.ts";
import { sealedPdf } from "../seal/sealed-files.ts";
import type { SealableDocument } from "../seal/sealing.ts";
import type { Services } from "../services.ts";
import { pageFileOf } from "./document-queries.ts";
import { proofTexts } from "./proof/proof-bundle.ts";
import { archived, sealedName, withSealed } from "./sealed-archive.ts";

/** Files of documents as replies, to whoever may have them. */

type Sealed = {
  request: Request;
  requester: Requester;
  document: SealableDocument & { number: string; copies: number };
  copy: number;
};

/** The sealed PDF of a copy, to save. Throws as `sealedPdf` does, and 503 while no key can sign. */
export async function sealedReply(services: Services, { request, requester, document, copy }: Sealed) {
  const sealed = sealedPdf(services, requester, document, copy);
  const { key, sha256 } = await sealed.catch(refuseWithoutKey(services));
  const name = `${sealedName(document, copy)}.pdf`;
  return fileReply({ files: services.files, request }, key, { type: "application/pdf", name, sha256 });
}

/** The same with what proves it without a server, as a ZIP. Throws as `sealedReply`, and 503 until all copies are sealed. */
export async function proofReply(services: Services, { requester, document, copy }: Omit<Sealed, "request">) {
  await sealedPdf(services, requester, document, copy).catch(refuseWithoutKey(services));
  const pdfs = archived(await withSealed(services, [document])).filter((file) => file.copy === copy);
  if (pdfs.length === 0) throw stillPreparing({ retryAfter: 10 });
  const texts = await proofTexts(services, document.company_id, pdfs, {});
  const zipped = Object.entries(texts).map(([name, text]) => ({ name, text, at: services.now() }));
  return zipReply("proof.zip", services.files, pdfs, zipped);
}

type ShownPage = { n: number; page: number; signal: AbortSignal };

/** An image of a page for visitors. Throws 404, 422 and 503. */
export async function visitorsPage(
  services: Services,
  { id, company_id, folder }: { id: number; company_id: number; folder: string },
  { n, page, signal }: ShownPage,
) {
  const file = await pageFileOf(services.db, id, n);
  if (!file || page > file.pages) throw notFound();
  const requester = companyRequester(company_id, "public", signal);
  const drawn = drawnPage(services, requester, { folder, file, page, size: "large" });
  const key = await drawn.catch((error: unknown) => {
    if (error instanceof PageWorkFailed) throw new HttpError(422, "This page can’t be shown.");
    throw error instanceof PageWorkBusy ? stillPreparing(error) : error;
  });
  return webpReply(services.files, key, "private, max-age=60");
}

const stillPreparing = ({ retryAfter }: Pick<PageWorkBusy, "retryAfter">) =>
  new HttpError(503, "This is still being prepared. Try again in a moment.", { retryAfter });

/** A file from the store, or the requested range of it. With a name it is an attachment, with a SHA-256 it is named by it. */
export async function fileReply(
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
