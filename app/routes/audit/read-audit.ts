import type { RouterContextProvider } from "react-router";
import { accessActions, auditActions, auditTrails, type AuditEntry } from "#provider/contract/audit.ts";
import { isoDate } from "#provider/contract/fields.ts";
import { capital } from "../../components/audit-words.ts";
import { dayOf } from "../../components/format.ts";
import type { FilterField } from "../../components/filter-control.tsx";
import { getUser, mustBeAllowed, timeZoneOf } from "../../server/sessions/current-user.ts";
import { isIn, readWish } from "../../server/lists/lists.ts";

export const filterFields: FilterField[] = [
  { name: "actor", label: "Who" },
  { name: "action", label: "What", all: "Everything", choices: [...auditActions, ...accessActions].map(capital) },
  { name: "entity", label: "On what" },
  { name: "trail", label: "Trail", all: "Both", choices: auditTrails.map(capital) },
  { name: "date_from", label: "From", isDate: true },
  { name: "date_to", label: "To", isDate: true },
];

/** What the address asks for of the audit trail, which only administrators may see, and how it is read. */
export function wishOf(context: Readonly<RouterContextProvider>, url: URL) {
  mustBeAllowed(context, "roles", "write", "see the audit trail");
  const timeZone = timeZoneOf(getUser(context));
  const wish = readWish(
    url,
    filterFields.map(({ name }) => name),
    ["at"],
  );
  const day = ({ at }: AuditEntry) => dayOf(at, timeZone);
  const own = {
    entity: ({ entity, entity_name }: AuditEntry, text: string) => isIn(text, entity) || isIn(text, entity_name),
    date_from: (entry: AuditEntry, text: string) => day(entry) >= isoDate(text),
    date_to: (entry: AuditEntry, text: string) => day(entry) <= isoDate(text),
  };
  return { wish, timeZone, reading: { own } };
}
