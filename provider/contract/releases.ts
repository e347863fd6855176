import { z } from "zod";
import { AuditEntry } from "./audit.ts";
import { call } from "./call.ts";
import { PageFile, pageParams, thumbnailQuery } from "./document-files.ts";
import { CustomField } from "./documents.ts";
import { idParams, instant, listQuery, requiredLongText, shownDate, version } from "./fields.ts";

/** What waits until users other than its drafter release it (`release-rules.ts`). */

/** Issuing a document, and changes of one that verification shows. */
const releaseActs = ["issue", "change", "prolong", "exit", "reactivate", "withdraw copy", "restore copy"] as const;
export type ReleaseAct = (typeof releaseActs)[number];

const releaseStates = ["waiting", "returned", "released"] as const;
export type ReleaseState = (typeof releaseStates)[number];

export const ReleaseRow = z
  .object({
    id: z.int(),
    act: z.enum(releaseActs).meta({ description: "What is to be done; exit withdraws" }),
    state: z.enum(releaseStates).meta({ description: "waiting: awaits release; returned: to its drafter" }),
    name: z.string().default(""),
    number: z.string().default("").meta({ description: "Of the document; of one to be issued it is reserved" }),
    document_type: z.string().default(""),
    user: z.string().default("").meta({ description: "The name of the document's owner" }),
    branch: z.string().default(""),
    users_access_group: z.string().default(""),
    drafter: z.string().default("").meta({ description: "The name of who asks for it" }),
    is_own: z.boolean().default(false).meta({ description: "Whether the caller is that user" }),
    may_give_up: z
      .boolean()
      .default(false)
      .meta({ description: "Whether the caller may: its drafter, or who may release it once its drafter was removed" }),
    may_release: z.boolean().default(false).meta({ description: "Whether the caller may release or return it now" }),
    releasers: z.int().default(1).meta({ description: "How many users have to release it" }),
    released_by: z.string().default("").meta({ description: "Who has released it until now" }),
    reason: z.string().default("").meta({ description: "Why it was returned" }),
    document: z
      .int()
      .nullable()
      .default(null)
      .meta({ description: "The id of the document that it is about, or that was issued" }),
    created_at: instant,
    version: z.int().default(1),
  })
  .meta({ id: "ReleaseRow", description: "What other users than its drafter have to release, as listed" });
export type ReleaseRow = z.output<typeof ReleaseRow>;

export const Release = ReleaseRow.extend({
  document_subtype: z.string().default(""),
  date: shownDate,
  email: z.string().default("").meta({ description: "The owner's email address" }),
  expire_type: z.string().default(""),
  expire_date: shownDate,
  access_type: z.string().default(""),
  prolongation: z.boolean().default(false),
  qr_placing: z.string().default("none"),
  copies: z.int().default(1),
  custom_fields: z.array(CustomField).default([]),
  files: z.array(PageFile).default([]).meta({ description: "Of a document to be issued" }),
  replaces: z
    .object({ id: z.int(), number: z.string().default(""), version: z.int().default(1) })
    .optional()
    .meta({ description: "The document that it is to replace, if the reader may see that" }),
  changes: AuditEntry.shape.changes.unwrap().default([]).meta({
    description: "What differs from the document as it is now, or from the one that it is to replace",
  }),
}).meta({ id: "Release", description: "What awaits release, with all that its releaser has to see" });
export type Release = z.output<typeof Release>;

const readAccess = { area: "docs", right: "read" } as const;

export const listReleases = call({
  method: "GET",
  path: "/releases",
  summary: "What awaits release or did: of the user's own drafts, and of what the user may release",
  access: readAccess,
  query: listQuery(["created_at"]).extend({
    state: z.enum(releaseStates).optional().meta({ description: "All of them if omitted" }),
    whose: z
      .enum(["release", "own"])
      .optional()
      .meta({ description: "release: what the caller may release now; own: what they drafted; all if omitted" }),
  }),
  reply: z.array(ReleaseRow),
  status: 200,
});

export const getRelease = call({
  method: "GET",
  path: "/releases/{id}",
  summary: "One of those, with everything in it",
  access: readAccess,
  params: idParams,
  reply: Release,
  status: 200,
});

export const getReleasePage = call({
  method: "GET",
  path: "/releases/{id}/pages/{n}",
  summary: "A page file of a document that awaits release, without metadata; for its drafter as it was uploaded",
  access: readAccess,
  params: pageParams,
  reply: { mediaTypes: ["image/jpeg", "image/png", "image/webp", "application/pdf"] },
  status: 200,
});

export const getReleaseThumbnail = call({
  method: "GET",
  path: "/releases/{id}/pages/{n}/thumbnail",
  summary: "An image of one page of such a file",
  access: readAccess,
  params: pageParams,
  query: thumbnailQuery,
  reply: { mediaTypes: ["image/webp"] },
  status: 200,
  refusals: [422, 503],
});

const seen = {
  version: version.meta({ description: "The version that the user saw: 409 if it was changed since" }),
};

/** By a user who sees it: no program lets a document go. */
const decision = { params: idParams, access: { area: "docs", right: "release" }, keys: false } as const;

export const releaseDraft = call({
  method: "POST",
  path: "/releases/{id}/release",
  summary: "Release what another user drafted, in the version that was seen; of two users, each does",
  ...decision,
  body: z.object(seen),
  reply: ReleaseRow,
  status: 200,
  refusals: [409, 422],
});

export const returnDraft = call({
  method: "POST",
  path: "/releases/{id}/return",
  summary: "Return it to its drafter with a reason",
  ...decision,
  body: z.object({ ...seen, reason: requiredLongText("reason", 1000) }),
  reply: ReleaseRow,
  status: 200,
  refusals: [409],
});

export const discardDraft = call({
  method: "DELETE",
  path: "/releases/{id}",
  summary:
    "Give up what one drafted, or a removed user did, and nobody has released: its pages go, and its number is free again",
  access: readAccess,
  keys: false,
  params: idParams,
  reply: null,
  status: 204,
  refusals: [409],
});
