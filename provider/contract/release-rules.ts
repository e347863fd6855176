import { z } from "zod";
import { call } from "./call.ts";
import { storeDocument } from "./document-form.ts";
import { documentTypes } from "./document-options.ts";
import { flag, idParams, optionalId, text, version } from "./fields.ts";

/** A company's rules for what waits until users other than its drafter release it. */

export const maxReleaseRules = 30;

const ruleFields = {
  document_type: z
    .enum(["", ...(Object.keys(documentTypes) as (keyof typeof documentTypes)[])], "Choose a type from the list")
    .default("")
    .meta({ description: "Of which documents; empty for all types" }),
  branch_id: optionalId("Choose a branch from the list").meta({ description: "Of whose owners'; empty for all" }),
  access_group_id: optionalId("Choose an access group from the list").meta({
    description: "Documents that name it; empty for all",
  }),
  field: text("custom field", 100).meta({
    description:
      "A custom field with an amount. Documents without it, and with one that is not a plain number, wait too",
  }),
  at_least: text("amount", 20)
    .refine((value) => /^(\d{1,15}(\.\d{1,2})?)?$/.test(value), "Enter the amount in digits, like 10000 or 2500.50")
    .meta({ description: "From which amount in that field on" }),
  releasers: z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^[12]$/)
          .transform(Number),
      ],
      "Choose one user or two",
    )
    .pipe(z.literal([1, 2], "Choose one user or two"))
    .default(1)
    .meta({ type: "integer", description: "How many users have to release them: 1 or 2" }),
  withdrawals: flag.meta({ description: "Whether withdrawals of such documents wait as well" }),
};

const rule = z
  .object(ruleFields)
  .refine(({ field, at_least }) => field === "" || at_least !== "", {
    path: ["at_least"],
    message: "Enter the amount from which they wait, or empty the custom field",
  })
  .refine(({ field, at_least }) => at_least === "" || field !== "", {
    path: ["field"],
    message: "Enter the custom field that has the amount, or empty the amount",
  });

export const ReleaseRule = z
  .object({
    id: z.int(),
    document_type: z.string().default(""),
    branch_id: z.int().nullable().default(null),
    branch: z.string().default("").meta({ description: "The branch's name; empty for all" }),
    access_group_id: z.int().nullable().default(null),
    access_group: z.string().default("").meta({ description: "The access group's name; empty for all" }),
    field: z.string().default(""),
    at_least: z.string().default(""),
    releasers: z.int().default(1),
    withdrawals: z.boolean().default(false),
    version: z.int().default(1),
  })
  .meta({ id: "ReleaseRule", description: "Which documents wait to be released; of several rules each holds" });
export type ReleaseRule = z.output<typeof ReleaseRule>;

const ruleAccess = { area: "roles", right: "write" } as const;

export const listReleaseRules = call({
  method: "GET",
  path: "/release-rules",
  summary: "The company's rules for what waits to be released",
  access: ruleAccess,
  reply: z.array(ReleaseRule),
  status: 200,
});

export const createReleaseRule = call({
  method: "POST",
  path: "/release-rules",
  summary: "Add such a rule; it holds for what is drafted from now on",
  access: ruleAccess,
  proof: true,
  body: rule,
  reply: ReleaseRule,
  status: 201,
  refusals: [409],
});

export const updateReleaseRule = call({
  method: "PUT",
  path: "/release-rules/{id}",
  summary: "Change such a rule; what waits goes on waiting as it did",
  access: ruleAccess,
  proof: true,
  params: idParams,
  body: rule.safeExtend({ version: version.optional() }),
  reply: ReleaseRule,
  status: 200,
  refusals: [409],
});

export const removeReleaseRule = call({
  method: "DELETE",
  path: "/release-rules/{id}",
  summary: "Remove such a rule; what waits goes on waiting",
  access: ruleAccess,
  proof: true,
  params: idParams,
  reply: null,
  status: 204,
});

const { document_type, email, users_access_group, custom_fields, replaces, release } = storeDocument.body.shape;

export const checkReleaseRules = call({
  method: "POST",
  path: "/release-rules/check",
  summary: "Whether a draft would await release, and by which rules; nothing is stored",
  access: { area: "docs", right: "create" },
  body: z.object({ document_type, email, users_access_group, custom_fields, replaces, release }),
  reply: z
    .object({
      releasers: z.int().default(0).meta({ description: "How many users would have to release it; 0 for none" }),
      rules: z.array(ReleaseRule).default([]).meta({ description: "Those of the company that hold it back" }),
    })
    .meta({ id: "ReleaseCheck", description: "What holds a draft back" }),
  status: 200,
  refusals: [409],
});
