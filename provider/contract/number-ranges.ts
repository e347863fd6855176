import { z } from "zod";
import { call } from "./call.ts";
import { documentTypes } from "./document-options.ts";
import { flag, idParams, optionalId, requiredText } from "./fields.ts";

/** A company's number ranges: how it counts its documents, all together or by type and branch. */

const document_type = z
  .enum(["", ...(Object.keys(documentTypes) as (keyof typeof documentTypes)[])], "Choose a type from the list")
  .default("")
  .meta({ description: "Of which documents; empty for all types" });

export const NumberRange = z
  .object({
    id: z.int(),
    document_type,
    branch_id: z.int().nullable().default(null).meta({ description: "Of whose owners' documents; null for all" }),
    branch: z.string().default("").meta({ description: "The branch's name; empty for all" }),
    next_number: z.string().default("").meta({ description: "The number that the next document gets" }),
    restarts: z.boolean().default(false).meta({ description: "Whether each year begins with 1" }),
  })
  .meta({ id: "NumberRange", description: "How documents of a type or branch are numbered; the closest range counts" });
export type NumberRange = z.output<typeof NumberRange>;

const body = z.object({
  document_type,
  branch_id: optionalId("Choose a branch from the list").meta({
    description: "Of whose owners' documents; empty for all",
  }),
  next_number: requiredText("next number", 40)
    .refine((number) => /^$|\d$/.test(number), "End it with the running number, like HR-2026-00042")
    .refine((number) => !/\d{10}$/.test(number), "Shorten the running number to 9 digits")
    .meta({
      description:
        "As it is to look: the last digits count up, with as many zeros, and this year in it becomes the year of issue. Numbers that documents have are skipped",
    }),
  restarts: flag.meta({ description: "Whether each year begins with 1" }),
});
export type NumberRangeInput = z.output<typeof body>;

const access = { area: "co_profile", right: "write" } as const;

export const listNumberRanges = call({
  method: "GET",
  path: "/number-ranges",
  summary: "The company's number ranges, the closest first: of a type at a branch, a type, a branch, all",
  access: { area: "co_profile", right: "read" },
  reply: z.array(NumberRange),
  status: 200,
});

export const previewNumberRange = call({
  method: "GET",
  path: "/number-ranges/preview",
  summary: "The numbers that a range would give; nothing is stored",
  access,
  query: body,
  reply: z.object({
    numbers: z.array(z.string()).meta({ description: "The next ones" }),
    next_year: z.string().meta({ description: "The first one of the next year, if no other is given before" }),
  }),
  status: 200,
});

export const createNumberRange = call({
  method: "POST",
  path: "/number-ranges",
  summary: "Add a number range. Documents get its numbers from now on; issued ones keep theirs",
  access,
  body,
  reply: NumberRange,
  status: 201,
});

export const updateNumberRange = call({
  method: "PUT",
  path: "/number-ranges/{id}",
  summary: "Change a number range; issued documents keep their numbers",
  access,
  params: idParams,
  body,
  reply: NumberRange,
  status: 200,
});

export const removeNumberRange = call({
  method: "DELETE",
  path: "/number-ranges/{id}",
  summary: "Remove a number range; issued documents keep their numbers",
  access,
  params: idParams,
  reply: null,
  status: 204,
});
