import { z } from "zod";
import { call } from "./call.ts";
import { shownDate } from "./fields.ts";
import { codeParams, signedDigits } from "./verify.ts";

/** Results of the check of a signed code (`docs/contract.md`, "Signed codes"). */
export const signatureVerdicts = [
  "confirmed",
  "changed since",
  "contradicts",
  "no record",
  "newer",
  "altered",
  "unknown key",
  "revoked key",
  "unreadable",
] as const;
export type SignatureVerdict = (typeof signatureVerdicts)[number];

const statedFields = ["number", "type", "date", "last day", "pages", "copy"] as const;

export const StatusReference = z
  .object({
    status_list: z.object({
      idx: z.int().meta({ description: "The code’s place in the list, which it keeps" }),
      uri: z.string().meta({ description: "The list’s address" }),
    }),
  })
  .meta({
    id: "StatusReference",
    description: "Where a code’s status is: the `status` claim of IETF Token Status List",
  });

export const Signature = z
  .object({
    verdict: z.enum(signatureVerdicts),
    company: z.string().default("").meta({ description: "Whose key signed it; empty if no known key did" }),
    differs: z
      .array(
        z.object({
          field: z.enum(statedFields),
          paper: z.string().meta({ description: "As signed when the paper was made; dates as YYYY-MM-DD" }),
          record: z.string().meta({ description: "As the record is now; empty for no end" }),
        }),
      )
      .default([])
      .meta({ description: "What paper and record say differently" }),
    revoked: shownDate.meta({ description: "When the key was revoked (YYYY-MM-DD); empty if it was not" }),
    status: StatusReference.optional().meta({ description: "Of a code that a known key signed" }),
  })
  .meta({ id: "Signature", description: "What the signature of a scanned code shows" });
export type Signature = z.output<typeof Signature>;

export const checkSignature = call({
  method: "POST",
  path: "/verify/{code}/signature",
  summary: "Whether a signed code is genuine, and what its paper and its record say differently; records nothing",
  access: "public",
  params: codeParams,
  body: z.object({ digits: signedDigits }),
  reply: Signature,
  status: 200,
  refusals: [422, 429],
});
