/** The choices of bulk issues. Without zod, which would make pages large. */

export const bulkLimits = {
  rows: 10_000,
  columns: 100,
  /** Characters of a cell. */
  cell: 2000,
  archiveFiles: 10_000,
  /** Bulk issues of a user, and of a company, that are not finished. */
  unfinished: { user: 10, company: 50 },
} as const;

export const bulkContents = ["zip", "template"] as const;
export type BulkContent = (typeof bulkContents)[number];

/** draft and checked can be changed; running, paused and waiting go on; done and cancelled stay. */
export const bulkIssueStates = [
  "draft",
  "checking",
  "checked",
  "running",
  "paused",
  "waiting",
  "done",
  "cancelled",
] as const;
export type BulkIssueState = (typeof bulkIssueStates)[number];

export const rowStates = ["waiting", "issued", "refused", "left out"] as const;
export type RowState = (typeof rowStates)[number];

/** The fields that a column can have, beside the template's. */
export const bulkFields = {
  number: "Document number",
  name: "Document name",
  email: "User email",
  date: "Creation date",
  expire_date: "Expire date",
  file: "Page file in the ZIP",
  recipient_name: "Recipient’s name",
  recipient_email: "Recipient’s email address",
  recipient_language: "Language of the recipient’s mail",
  custom: "Custom field with the column’s name",
} as const;
export type BulkField = keyof typeof bulkFields;

/** The value of a field of the template in a mapping. */
export const templateField = (name: string) => `template:${name}`;
