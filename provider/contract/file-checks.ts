import { z } from "zod";
import { call } from "./call.ts";
import { ofCopy } from "./copies.ts";
import { idParams } from "./fields.ts";
import { codeParams } from "./verify.ts";

/** Whether a file is a document's: compared with its sealed PDF and its page files, and not stored. */

/** The best first. `not compared` if no difference was found, but parts could not be compared. */
const fileVerdicts = [
  "same file",
  "page file",
  "looks the same",
  "changed",
  "not compared",
  "another document",
] as const;

const pageNumber = z.int().default(0);

const moreKinds = [
  "actions",
  "attachments",
  "notes",
  "links",
  "form fields",
  "layers",
  "media",
  "bookmarks",
  "other",
] as const;

const uncomparedReasons = ["fonts", "pictures", "settings", "complex", "small", "beyond"] as const;
const uncomparedMeaning =
  "'fonts' are not in the file, 'pictures' can't be decoded surely, 'settings' are shown by each program in its way, the page is too 'complex' to tell, " +
  "or was drawn too 'small', or it is the first 'beyond' the number of pages that are compared";

const signatureStates = ["intact", "covers a part", "broken", "of another key", "none", "not checked"] as const;
const signatureMeaning =
  "'intact' where the sealed PDF's key signed all of the file: other bytes are in the signature's own space alone; 'none' where it is gone; " +
  "'not checked' where no page was compared";

export const FileCheck = z
  .object({
    verdict: z.enum(fileVerdicts),
    copy: z.int().default(0).meta({ description: "Of which of several copies it is the sealed PDF; else 0" }),
    page_file: pageNumber.meta({ description: "Which of the page files it is, from 1; else 0" }),
    pages: pageNumber.meta({ description: "Of the document, if pages were compared" }),
    file_pages: pageNumber.meta({ description: "Of the file, if pages were compared" }),
    is_appended: z
      .boolean()
      .default(false)
      .meta({ description: "Whether the file is the sealed PDF with something appended" }),
    has_more: z.boolean().default(false).meta({
      description:
        "Whether it has something that the sealed PDF has not and that isn't drawn here: other programs or a printer may show it",
    }),
    more: z
      .array(z.enum(moreKinds))
      .default([])
      .meta({ description: "What the file has more: 'notes' are annotations of any appearance" }),
    not_compared: z
      .array(
        z.object({
          page: pageNumber.meta({ description: "Of the document, from 1" }),
          file_page: pageNumber.meta({ description: "Of the file, from 1" }),
          reason: z.enum(uncomparedReasons).meta({ description: uncomparedMeaning }),
          fonts: z.array(z.string()).default([]).meta({ description: "Names of at most ten of them" }),
        }),
      )
      .default([])
      .meta({ description: "Pages that other programs may show differently; it could not be determined" }),
    signature: z.enum(signatureStates).default("not checked").meta({ description: signatureMeaning }),
    changes: z
      .array(
        z.object({
          change: z.enum(["changed", "moved", "removed", "added"]),
          page: pageNumber.meta({ description: "Of the document, from 1; 0 for an added page" }),
          file_page: pageNumber.meta({ description: "Of the file, from 1; 0 for a removed page" }),
        }),
      )
      .default([])
      .meta({ description: "Of a changed file, what became of its pages" }),
    pictures: z
      .array(
        z.object({
          page: pageNumber,
          file_page: pageNumber,
          document: z
            .string()
            .meta({ description: "The document’s page: WebP as Base64, with a frame around the change" }),
          file: z.string().meta({ description: "The file’s page" }),
        }),
      )
      .default([])
      .meta({ description: "Of the first changed pages; to visitors, of 'Open to all' documents in force only" }),
  })
  .meta({ id: "FileCheck", description: "How a file compares with a document" });
export type FileCheck = z.output<typeof FileCheck>;

export const checkFile = call({
  method: "POST",
  path: "/verify/{code}/file",
  summary: "Whether a file is the document of a code: the file is compared and not stored",
  access: "public",
  params: codeParams,
  body: z.object({}),
  file: "file",
  reply: FileCheck,
  status: 200,
  refusals: [413, 422, 429, 503],
});

export const checkDocumentFile = call({
  method: "POST",
  path: "/documents/{id}/file-check",
  summary: "Whether a file is a document: the file is compared and not stored",
  access: { area: "docs", right: "read" },
  params: idParams,
  body: ofCopy,
  file: "file",
  reply: FileCheck,
  status: 200,
  refusals: [413, 422, 429, 503],
});
