import { z } from "zod";
import { call } from "./call.ts";
import { filter, idParams, instant, isoDate, listQuery } from "./fields.ts";
import type { Area } from "./permissions.ts";

/** The kinds of records in the audit trail. */
const auditEntities = [
  "company",
  "branch",
  "access group",
  "user",
  "document",
  "release",
  "alert",
  "alert rule",
  "template",
  "view",
  "webhook",
  "recipient",
] as const;
export type AuditEntity = (typeof auditEntities)[number];

/** The two parts of the audit trail: changes of records, and access: sign-ins, refusals, exports, downloads. */
export const auditTrails = ["changes", "access"] as const;
export type AuditTrail = (typeof auditTrails)[number];

/** Of a branch: users who came from another one, and who left for another. */
export const moveActions = ["user moved in", "user moved out"] as const;

/** Of a user: of their second factor. */
export const factorActions = [
  "second factor set up",
  "second factor replaced",
  "second factor removed",
  "second factor cleared",
  "recovery codes made",
  "passkey added",
  "passkey removed",
] as const;

/** Of a company: of its keys, lists and jobs, not of the fields of its form. */
export const companyActions = [
  "seal key made",
  "seal key rotated",
  "seal key revoked",
  "seal key naming changed",
  "wallets changed",
  "withdrawal reason added",
  "withdrawal reason changed",
  "withdrawal reason moved",
  "withdrawal reason removed",
  "number range added",
  "number range changed",
  "number range removed",
  "release rule added",
  "release rule changed",
  "release rule removed",
  "single sign-on changed",
  "single sign-on removed",
  "host requested",
  "host confirmed",
  "host missing",
  "host lost",
  "host removed",
  "calendar address made",
  "calendar address removed",
  "API key made",
  "API key revoked",
  "bulk issue started",
  "bulk issue paused",
  "bulk issue resumed",
  "bulk issue cancelled",
  "bulk issue finished",
  "recipient settings changed",
] as const;

/** Actions on records. */
export const auditActions = [
  "founded",
  "added",
  "changed",
  "removed",
  ...moveActions,
  "invited",
  "joined",
  "password changed",
  "password reset",
  ...factorActions,
  "issued",
  "archived",
  "restored",
  "exited",
  "reactivated",
  "prolonged",
  "copy withdrawn",
  "copy restored",
  "submitted",
  "released",
  "returned",
  "given up",
  "wallet offer made",
  "completed",
  "reopened",
  "first seen",
  "assigned",
  "commented",
  "comment removed",
  "place removed",
  "erased",
  "identity connected",
  "earlier access ended",
  "sent",
  "reminded",
  "link ended",
  ...companyActions,
] as const;
export type AuditAction = (typeof auditActions)[number];

/** Entries about access. */
export const accessActions = [
  "signed in",
  "sign-in failed",
  "sign-ins slowed down",
  "sign-ins limited",
  "second factor failed",
  "signed out",
  "session ended",
  "access refused",
  "exported",
  "downloaded",
] as const;
export type AccessAction = (typeof accessActions)[number];

/** Subjects of access entries beside records. */
export type AccessEntity = "list" | "request";

const value = z
  .union([z.string(), z.number(), z.boolean()])
  .nullable()
  .meta({ description: "As in the record's field, names instead of ids; null if empty" });

export const AuditEntry = z
  .object({
    id: z.int(),
    at: instant,
    actor: z.string().default("").meta({ description: "The actor's name at the time" }),
    api_key: z.string().default("").meta({ description: "The API key with which the actor did it; empty without one" }),
    action: z.string().default("").meta({ description: "changed, archived, …" }),
    entity: z.string().default("").meta({ description: "The kind of record: document, user, …" }),
    entity_id: z.int().default(0),
    entity_name: z.string().default("").meta({ description: "The record's name at the time" }),
    changes: z
      .array(z.object({ field: z.string(), before: value, after: value }))
      .default([])
      .meta({ description: "By the contract's field names; a custom field is custom_fields[NAME]. Never a secret" }),
    trail: z.enum(auditTrails).default("changes").meta({ description: "Whether it is about a change or about access" }),
    count: z.int().default(1).meta({ description: "How many times it happened; only access is counted" }),
    first_at: instant.nullable().default(null).meta({ description: "The first of several times; at is the last" }),
    browser: z.string().default("").meta({ description: "Of access: for example Firefox on Windows" }),
    network: z.string().default("").meta({ description: "Of access: the client's IPv4 /24 or IPv6 /48" }),
  })
  .meta({ id: "AuditEntry", description: "Who did what to which record, with the changes" });
export type AuditEntry = z.output<typeof AuditEntry>;

/** The newest first, always in pages: the trail only grows. */
const query = listQuery(["at"]);
const inPages = query.extend({
  page: query.shape.page.unwrap().default(1).meta({ type: "integer" }),
});

const day = filter.transform((text) => text && isoDate(text));

export const listAudit = call({
  method: "GET",
  path: "/audit",
  summary: "The company's audit trail, for administrators",
  access: { area: "roles", right: "write" },
  query: inPages.extend({
    actor: filter,
    action: filter,
    trail: filter
      .transform((name) => name?.toLowerCase())
      .pipe(z.enum(["", ...auditTrails]).optional())
      .meta({ type: "string", description: "changes or access; both if omitted" }),
    entity: filter.meta({ description: "Part of the record's kind or name" }),
    date_from: day.meta({ description: "The first day, in the company's time zone" }),
    date_to: day.meta({ description: "The last day, in the company's time zone" }),
  }),
  reply: z.array(AuditEntry),
  status: 200,
});

/** A record's history, for users who may read the record. */
const history = <const Path extends string>(path: Path, area: Area, summary: string) =>
  call({
    method: "GET",
    path,
    summary,
    access: { area, right: "read" },
    params: idParams,
    query: inPages,
    reply: z.array(AuditEntry),
    status: 200,
  });

export const documentHistory = history("/documents/{id}/history", "docs", "A document's audit trail");
export const userHistory = history("/users/{id}/history", "users", "A user's audit trail");
export const branchHistory = history("/branches/{id}/history", "branches", "A branch's audit trail");
export const alertHistory = history("/alerts/{id}/history", "alerts", "An alert's audit trail");
export const accessGroupHistory = history("/access-groups/{id}/history", "roles", "An access group's audit trail");
