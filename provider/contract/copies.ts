import { z } from "zod";
import { call } from "./call.ts";
import { copyWithdrawals, countedScans, maxCopies } from "./document-options.ts";
import { countUpTo, idParams, longText } from "./fields.ts";

/** The numbered copies of a document, each with a code of its own. */

const reasons = Object.keys(copyWithdrawals) as [keyof typeof copyWithdrawals];

/** Why and since which date a copy is withdrawn, while the document stays as it is. */
export const CopyWithdrawn = z.object({ reason: z.enum(reasons), since: z.string() });

const copyNumber = countUpTo(maxCopies, `Give the number of a copy, from 1 to ${maxCopies}`);

export const Copy = z
  .object({
    n: z.int().meta({ description: "Which copy, from 1" }),
    code: z.string().default("").meta({ description: "The end of its QR code's address" }),
    verify_url: z.string().default("").meta({ description: "The address in its QR code" }),
    withdrawn: CopyWithdrawn.optional().meta({ description: "Why and since which date (YYYY-MM-DD) it is withdrawn" }),
    note: z.string().default("").meta({ description: "About its withdrawal, for users" }),
    scans: z
      .int()
      .nullable()
      .default(null)
      .meta({
        description: `How often it was scanned, ${countedScans} at most; null for those who may not read alerts`,
      }),
    last_scan: z.string().nullable().default(null).meta({ description: "The instant of its newest scan" }),
  })
  .extend({
    awaiting_release: z.int().optional().meta({
      description: "Of the reply to a change: the id of the release in which it waits; omitted if it was made",
    }),
  })
  .meta({ id: "Copy", description: "One of several numbered copies of a document" });
export type Copy = z.output<typeof Copy>;

export const copyParams = idParams.extend({
  n: copyNumber.meta({ type: "integer", description: "Which copy, from 1" }),
});

/** Which copy a file is of, or is compared with. */
export const ofCopy = z.object({
  copy: copyNumber.default(1).meta({ type: "integer", description: "Which copy, from 1" }),
});

export const listCopies = call({
  method: "GET",
  path: "/documents/{id}/copies",
  summary: "The numbered copies of a document; none where it has one only",
  access: { area: "docs", right: "read" },
  params: idParams,
  reply: z.array(Copy),
  status: 200,
});

export const withdrawCopy = call({
  method: "POST",
  path: "/documents/{id}/copies/{n}/withdraw",
  summary: "Withdraw one copy: its scans say so, while the document stays as it is",
  access: { area: "docs", right: "write" },
  params: copyParams,
  body: z
    .object({
      reason: z.enum(reasons, "Choose why this copy is withdrawn"),
      note: longText("note", 1000).meta({ description: "Required for another reason; visitors do not see it" }),
    })
    .refine(({ reason, note }) => reason !== "other" || note !== "", {
      path: ["note"],
      message: "Enter the other reason in the note",
    }),
  reply: Copy,
  status: 200,
  refusals: [409],
});

export const restoreCopy = call({
  method: "POST",
  path: "/documents/{id}/copies/{n}/restore",
  summary: "Undo the withdrawal of one copy, which was found again",
  access: { area: "docs", right: "write" },
  params: copyParams,
  reply: Copy,
  status: 200,
  refusals: [409],
});
