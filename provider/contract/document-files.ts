import { z } from "zod";
import { call } from "./call.ts";
import { ofCopy } from "./copies.ts";
import { idParams } from "./fields.ts";

/** A document's page files, and the files made from them. */

export const PageFile = z
  .object({
    n: z.int().meta({ description: "Position among the document's page files, from 1" }),
    name: z.string().default(""),
    type: z.string().default(""),
    bytes: z.int().default(0),
    pages: z.int().min(0).max(10_000).default(1).meta({ description: "Pages in this file" }),
    width: z.int().default(0).meta({ description: "Of the first page: pixels, for a PDF points" }),
    height: z.int().default(0),
    sha256: z.string().default("").meta({ description: "Of the uploaded file, hexadecimal" }),
    covered: z
      .string()
      .max(40_000)
      .default("")
      .meta({
        description:
          "Where a QR code would lie over something: four characters a page, for top-left, top-right, bottom-left and " +
          "bottom-right, how many of the sizes would (large, medium, small), or ? for a page that was not looked at",
      }),
  })
  .meta({ id: "PageFile", description: "An uploaded file with pages of a document" });
export type PageFile = z.output<typeof PageFile>;

const readAccess = { area: "docs", right: "read" } as const;

export const pageParams = idParams.extend({
  n: idParams.shape.id.meta({ type: "integer", description: "Of the page file, from 1" }),
});

export const thumbnailQuery = z.object({
  page: idParams.shape.id.default(1).meta({ type: "integer", description: "Page of the file, from 1" }),
  size: z.enum(["small", "large"]).default("small"),
});

export const getPageFile = call({
  method: "GET",
  path: "/documents/{id}/pages/{n}",
  summary: "A page file without metadata; answers ranges",
  access: readAccess,
  params: pageParams,
  reply: { mediaTypes: ["image/jpeg", "image/png", "image/webp", "application/pdf"] },
  status: 200,
  refusals: [422, 503],
});

export const getPageThumbnail = call({
  method: "GET",
  path: "/documents/{id}/pages/{n}/thumbnail",
  summary: "An image of one page of a page file",
  access: readAccess,
  params: pageParams,
  query: thumbnailQuery,
  reply: { mediaTypes: ["image/webp"] },
  status: 200,
  refusals: [422, 503],
});

export const getQrCode = call({
  method: "GET",
  path: "/documents/{id}/qrcode.png",
  summary: "The document’s QR code, or that of a copy: its signed address once it is sealed",
  access: readAccess,
  params: idParams,
  query: ofCopy,
  reply: { mediaTypes: ["image/png"] },
  status: 200,
});

export const getSealedPdf = call({
  method: "GET",
  path: "/documents/{id}/sealed.pdf",
  summary:
    "All pages in order as one signed PDF, with the QR code where qr_placing says; answers ranges, with its SHA-256 as Repr-Digest",
  access: readAccess,
  params: idParams,
  query: ofCopy,
  reply: { mediaTypes: ["application/pdf"] },
  status: 200,
  refusals: [409, 422, 503],
});

export const getSealedPdfs = call({
  method: "GET",
  path: "/documents/{id}/sealed.zip",
  summary: "The sealed PDFs of all copies",
  access: readAccess,
  params: idParams,
  reply: { mediaTypes: ["application/zip"] },
  status: 200,
  refusals: [409, 422, 503],
});

export const getReceipt = call({
  method: "GET",
  path: "/documents/{id}/receipt.pdf",
  summary:
    "What is known of a document as a signed PDF: its fields, files, seal, scans and history, with the same as JSON attached",
  access: readAccess,
  params: idParams,
  reply: { mediaTypes: ["application/pdf"] },
  status: 200,
  refusals: [429, 503],
});
