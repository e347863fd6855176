import { fold } from "#lib/text.ts";
import { createBranch, updateBranch } from "../contract/branches.ts";
import type { ImportKind } from "../contract/imports.ts";
import { createUser, updateUser } from "../contract/users.ts";
import { invalid } from "../http/errors.ts";

/** The columns of each kind, as exported lists are headed, and the record's field in each. */
const fieldsByHeading: Record<ImportKind, Record<string, string>> = {
  users: {
    name: "name",
    email: "email",
    phone: "phone",
    role: "role",
    "access group": "staff",
    country: "country",
    city: "city",
    index: "index",
    branch: "branch",
    "additional information": "info",
    id: "id",
  },
  branches: {
    name: "name",
    email: "email",
    phone: "phone",
    country: "country",
    city: "city",
    index: "index",
    address: "address",
    manager: "manager",
    id: "id",
  },
};

/** The fields that match a row without an id to its record. */
export const keyFields = { users: "email", branches: "name" } as const satisfies Record<ImportKind, string>;

export const bodies = {
  users: { create: createUser.body, update: updateUser.body },
  branches: { create: createBranch.body, update: updateBranch.body },
} as const;

/** The field of each column, undefined for columns that are not imported. */
export const fieldsOf = (kind: ImportKind, columns: string[]): (string | undefined)[] =>
  columns.map((column) => {
    const heading = fold(column);
    return Object.hasOwn(fieldsByHeading[kind], heading) ? fieldsByHeading[kind][heading] : undefined;
  });

/** The columns that are not imported. */
export const ignoredColumns = (kind: ImportKind, columns: string[]) => {
  const fields = fieldsOf(kind, columns);
  return columns.filter((_, at) => fields[at] === undefined);
};

/** Throws 422 if rows could not be matched to records. */
export function requireColumns(kind: ImportKind, columns: string[]) {
  const fields = fieldsOf(kind, columns);
  if (fields.includes("id") || fields.includes(keyFields[kind])) return;
  const key = keyFields[kind] === "email" ? "Email" : "Name";
  throw invalid({ file: `The first row of the table needs a column “ID” or “${key}”, as in an exported list` });
}

/** A field's name for its user. */
export function headingOf(kind: ImportKind, field: string): string {
  const [heading] = Object.entries(fieldsByHeading[kind]).find(([, name]) => name === field) ?? [field];
  return heading === "id" ? "ID" : heading.charAt(0).toUpperCase() + heading.slice(1);
}
