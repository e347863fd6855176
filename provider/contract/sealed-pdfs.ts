import { z } from "zod";
import { selection } from "./bulk-actions.ts";
import { call } from "./call.ts";
import { flag } from "./fields.ts";

/** The sealed PDFs of chosen documents. */

export const maxSealedPdfs = 2000;
/** For each the provider reads more than its bytes. */
export const maxProofs = 200;

const left = z.object({
  id: z.int(),
  number: z.string().default(""),
  name: z.string().default(""),
  reason: z.enum(["no pages", "not sealed yet"]),
});

export const SealedPdfsPlan = z
  .object({
    documents: z.int().meta({ description: "Documents whose sealed PDFs are in the archive" }),
    files: z.int().meta({ description: "With one for each copy" }),
    bytes: z.int(),
    left_out: z
      .array(left)
      .default([])
      .meta({ description: "Documents that are not in it; those not sealed yet are queued" }),
  })
  .meta({ id: "SealedPdfsPlan", description: "What an archive of sealed PDFs would have" });

const chosen = { access: { area: "docs", right: "read" }, query: z.object(selection), status: 200 } as const;

export const planSealedPdfs = call({
  ...chosen,
  method: "GET",
  path: "/sealed-pdfs",
  summary: "What the archive of chosen documents' sealed PDFs would have, and leave out",
  reply: SealedPdfsPlan,
});

export const getChosenSealedPdfs = call({
  ...chosen,
  method: "GET",
  path: "/sealed-pdfs.zip",
  summary: `The sealed PDFs of chosen documents, up to ${maxSealedPdfs}; left-out.txt lists documents without one`,
  query: z.object({
    ...selection,
    proof: flag.meta({
      description: `1 for a proof bundle of up to ${maxProofs} files: with certificates, keys, status list, signed codes and instructions`,
    }),
  }),
  reply: { mediaTypes: ["application/zip"] },
  refusals: [503],
});
