import { draftForm } from "../../fixtures/forms.ts";
import type { Paper, Visitor } from "./visitor.ts";

export const pages = () => [new File(["a picture"], "page.png")];

/** The fields of a new document: types that ranges number, dates that end soon. */
export function draftOf(visitor: Visitor): Record<string, unknown> {
  const { me, choices, pick } = visitor;
  const [type, subtype] = pick([
    ["Contract", "Lease"],
    ["Permit", "Event"],
    ["Invoice", "Sales"],
  ] as const)!;
  const expiry = choices.happens(0.5)
    ? { expire_type: "date", expire_date: visitor.day(1 + choices.below(40)), prolongation: "1" }
    : {};
  const group = choices.happens(0.2) ? me.group : "Branch staff";
  const more = { access_type: pick(["QR access", "Open to all"]), copies: pick([1, 1, 2]) };
  const name = `${type} of ${me.name}`;
  return {
    document_type: type,
    document_subtype: subtype,
    name,
    date: visitor.day(),
    email: me.email,
    users_access_group: group,
    ...more,
    ...expiry,
  };
}

/** Issues a document, and remembers its paper if the reply came. */
export async function issue(visitor: Visitor, fields: Record<string, unknown>, headers = {}) {
  const body = draftForm(fields, pages());
  const reply = await visitor.call("storeDocument", { body, headers });
  if (reply.status === 201 && reply.json.id) visitor.company.papers.push(reply.json as Paper);
  return reply;
}

/** Saves the form of a document under another name. */
export function save(visitor: Visitor, document: any, name: string) {
  const {
    document_type,
    document_subtype,
    date,
    email,
    expire_type,
    expire_date,
    access_type,
    users_access_group,
    prolongation,
    version,
  } = document;
  const kept = { document_type, document_subtype, date, email, access_type, users_access_group, prolongation, version };
  const body = { ...kept, expire_type: expire_date ? "date" : expire_type, expire_date, name: name.slice(-150) };
  return visitor.call("updateDocument", { params: { id: document.id }, body });
}
