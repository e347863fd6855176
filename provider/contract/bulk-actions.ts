import { z } from "zod";
import { completeAlert } from "./alerts.ts";
import { call } from "./call.ts";
import { flag, idParams, instant, listQuery, longText, optionalId, text } from "./fields.ts";

/** Acts on many records at once: a stored action that a job finishes, row by row. */

const bulkNouns = ["documents", "alerts", "users"] as const;
export type BulkNoun = (typeof bulkNouns)[number];

/** The most records of one action. */
export const maxBulkRows = 10_000;

/** Acts on many records of a kind. */
export const bulkActs = {
  documents: ["archive", "restore", "exit", "reactivate", "prolong", "group", "remind"],
  alerts: ["complete", "reopen", "assign"],
  users: ["deactivate", "reactivate", "group"],
} as const satisfies Record<BulkNoun, readonly string[]>;

const rowStates = ["waiting", "done", "skipped", "refused"] as const;
export type BulkRowState = (typeof rowStates)[number];

const rowState = z.enum(rowStates).meta({
  description: "skipped: it was so already; refused: the record's state or the user's rights did not allow it",
});

const count = z.int().default(0);

export const BulkAction = z
  .object({
    id: z.int(),
    noun: z.enum(bulkNouns),
    act: z.string().default(""),
    group: z.string().default("").meta({ description: "The access group that was given" }),
    note: z.string().default("").meta({ description: "The note or reason that was given" }),
    owner: z.string().default("").meta({ description: "The name of the owner that was given, or nobody" }),
    reason: z.string().default("").meta({ description: "The name of the withdrawal reason that was given" }),
    outcome: z.string().default("").meta({ description: "Of completed alerts" }),
    created_at: instant,
    finished_at: instant.unwrap().nullable().default(null).meta({ description: "Null while rows are waiting" }),
    total: count,
    waiting: count,
    done: count,
    skipped: count,
    refused: count,
    reasons: z
      .array(z.object({ state: rowState, reason: z.string(), count: z.int() }))
      .default([])
      .meta({ description: "Why rows were skipped or refused, the most frequent first" }),
    undo_of: z.int().nullable().default(null).meta({ description: "The action that this one reverses" }),
    undone_by: z.int().nullable().default(null).meta({ description: "The action that reverses this one" }),
    may_undo: z.boolean().default(false).meta({ description: "Whether it can be reversed now" }),
  })
  .meta({ id: "BulkAction", description: "An act on many records, with how far it is" });
export type BulkAction = z.output<typeof BulkAction>;

export const BulkActionRow = z
  .object({
    id: z.int(),
    record_id: z.int(),
    label: z.string().default("").meta({ description: "The record's name when the action began" }),
    state: rowState,
    reason: z.string().default("").meta({ description: "Why it was skipped or refused" }),
  })
  .meta({ id: "BulkActionRow", description: "What became of one record of a bulk action" });
export type BulkActionRow = z.output<typeof BulkActionRow>;

export const BulkCheck = z
  .object({
    total: count.meta({ description: "How many records are selected" }),
    ready: count.meta({ description: "To how many of them it can be done now" }),
    reasons: BulkAction.shape.reasons,
  })
  .meta({ id: "BulkCheck", description: "What a bulk action would do now" });
export type BulkCheck = z.output<typeof BulkCheck>;

/** Ten thousand ids of seven digits with their commas, and more. */
const maxIdsLength = 110_000;
const listed = z
  .string()
  .trim()
  .max(maxIdsLength, "Select fewer records")
  .regex(/^(\d{1,10}(,\d{1,10})*)?$/, "Send ids with commas between them, like 3,4,5")
  .default("")
  .transform((ids) => [...new Set(ids.split(",").filter(Boolean).map(Number))])
  .meta({ type: "string", description: "Ids with commas between them; not read with all" });

export const selection = {
  ids: listed,
  all: flag.meta({ description: "Whether all records that match the filters are selected" }),
  filters: z.string().max(2000, "Use shorter filters").default("").meta({
    description: "With all: the list's filters as in its address, such as branch=Preston&validity=expired",
  }),
};

const allow = flag.meta({
  description: "For prolong: whether documents that are not meant to be prolonged get that, and are prolonged too",
});

const start = <const Noun extends BulkNoun>(noun: Noun) =>
  z.object({
    act: z.enum(bulkActs[noun] as (typeof bulkActs)[Noun] & readonly string[], "Choose what to do"),
    ...selection,
    expected: z.coerce.number<string | number>().int().min(0).optional().meta({
      type: "integer",
      description: "How many records the user was shown; 409 if as many are not selected any more",
    }),
    group: text("access group", 100).meta({ description: "For group: the access group's name" }),
    note: longText("note", 1000).meta({ description: "For complete and reopen, and for exit, where it is optional" }),
    owner: text("owner", 254).meta({
      description:
        "For assign: email address or id of a user, me, or nobody; alerts that they may not read are refused",
    }),
    reason: optionalId("Choose a reason from the list").meta({
      description: "For exit: the id of a withdrawal reason; optional",
    }),
    allow,
    outcome: completeAlert.body.shape.outcome.meta({ description: "For complete: fake, false alarm or done" }),
    key: text("key", 64).meta({ description: "Sent again with the same key, it is the same action" }),
  });

const access = {
  documents: { area: "docs", right: "write" },
  alerts: { area: "alerts", right: "write" },
  users: { area: "users", right: "write" },
} as const;

const startCall = <const Path extends string, const Noun extends BulkNoun>(path: Path, noun: Noun) =>
  call({
    method: "POST",
    path,
    summary: `Do something to many ${noun}; what a second does not suffice for is done afterwards`,
    access: access[noun],
    // The job works with the rights of the user, which may be more than those of the key.
    keys: false,
    body: start(noun),
    reply: BulkAction,
    status: 201,
    refusals: [409],
  });

const checkCall = <const Path extends string, const Noun extends BulkNoun>(path: Path, noun: Noun) =>
  call({
    method: "GET",
    path,
    summary: `How many ${noun} are selected, and to how many of them something can be done`,
    access: access[noun],
    query: z.object({ act: start(noun).shape.act, ...selection, allow }),
    reply: BulkCheck,
    status: 200,
  });

export const startDocumentActions = startCall("/documents/bulk-actions", "documents");
export const startAlertActions = startCall("/alerts/bulk-actions", "alerts");
export const startUserActions = startCall("/users/bulk-actions", "users");
export const checkDocumentActions = checkCall("/documents/bulk-actions/check", "documents");
export const checkAlertActions = checkCall("/alerts/bulk-actions/check", "alerts");
export const checkUserActions = checkCall("/users/bulk-actions/check", "users");

export const getBulkAction = call({
  method: "GET",
  path: "/bulk-actions/{id}",
  summary: "One of the user's own bulk actions",
  access: "signed-in",
  params: idParams,
  reply: BulkAction,
  status: 200,
});

export const listBulkActionRows = call({
  method: "GET",
  path: "/bulk-actions/{id}/rows",
  summary: "What became of each record of a bulk action: refused, skipped, waiting, done",
  access: "signed-in",
  params: idParams,
  query: listQuery(["label"]).extend({ state: z.enum(["", ...rowStates]).optional() }),
  reply: z.array(BulkActionRow),
  status: 200,
});

export const undoBulkAction = call({
  method: "POST",
  path: "/bulk-actions/{id}/undo",
  summary: "Reverse a bulk action on the records that have not changed since",
  access: "signed-in",
  params: idParams,
  reply: BulkAction,
  status: 201,
  refusals: [409],
});
