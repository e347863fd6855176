import { fold, foldEmail } from "#lib/text.ts";
import { type Actor, usersWithin } from "../access.ts";
import { everyone } from "../contract/document-options.ts";
import type { NewDocument } from "../contract/document-form.ts";
import { groupNamed } from "../access-groups/access-group-queries.ts";
import { TRUE } from "../db/flags.ts";
import type { Db } from "../db/tables.ts";
import { throwIfErrors } from "../http/errors.ts";

/** A document's columns from its form, when it is issued and when it is changed. */

type Names = { email: string; users_access_group: string };
export type OwnerAndGroup = { owner_id: number; branch_id: number | null; access_group_id: number | null };
/** The owner that a document has, with the branch that it was issued at. */
type CurrentOwner = { owner_id: number; branch_id: number | null; email_key: string };
type Write = { right: "create" | "write"; current?: CurrentOwner | undefined };

/** The owner, their branch and the access group that a form names. Throws 422 for names that the actor may not use. */
export async function resolveOwnerAndGroup(
  db: Db,
  actor: Actor,
  { email, users_access_group }: Names,
  { right, current }: Write,
): Promise<OwnerAndGroup> {
  // A current owner may have moved or left since: then they and the branch stay.
  const isSame = current && current.email_key === foldEmail(email);
  const owner = isSame ? current : await findOwner(db, actor, email, right);
  const group = await groupNamed(db, actor.company_id, users_access_group);
  const isKnownGroup = group || fold(users_access_group) === fold(everyone);
  throwIfErrors({
    email: owner ? undefined : unknownOwner[right],
    users_access_group: isKnownGroup ? undefined : "Choose an access group of your company",
  });
  return { owner_id: owner!.owner_id, branch_id: owner!.branch_id, access_group_id: group?.id ?? null };
}

/** The same for users who are unknown and who are out of reach, so that addresses can't be probed. */
const unknownOwner = {
  create: "No user with this email, or you can’t issue for them",
  write: "No user with this email, or you can’t change their documents",
};

const findOwner = (db: Db, actor: Actor, email: string, right: "create" | "write") =>
  db
    .selectFrom("users")
    .where("email_key", "=", foldEmail(email))
    .where("active", "=", TRUE)
    .where(usersWithin(actor, "docs", right))
    .select(["id as owner_id", "branch_id"])
    .executeTakeFirst();

export const documentColumns = (
  fields: Omit<NewDocument, "number" | "copies" | "replaces" | "replaces_version" | "release" | "release_version">,
  ownerAndGroup: OwnerAndGroup,
) => ({
  ...ownerAndGroup,
  name: fields.name,
  name_key: fold(fields.name),
  document_type: fields.document_type,
  document_subtype: fields.document_subtype,
  access_type: fields.access_type,
  date: fields.date,
  expire_type: fields.expire_type,
  expire_date: fields.expire_type === "date" ? fields.expire_date : null,
  prolongation: fields.prolongation ? 1 : 0,
  qr_placing: fields.qr_placing,
});

/** Inserts a document's custom fields in their order. */
export async function insertCustomFields(db: Db, documentId: number, fields: NewDocument["custom_fields"]) {
  if (fields.length === 0) return;
  await db
    .insertInto("custom_fields")
    .values(fields.map(({ name, value }, index) => ({ document_id: documentId, n: index + 1, name, value })))
    .execute();
}
