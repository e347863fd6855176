import { t } from "#lib/messages/staff.ts";
import {
  accessActions,
  auditActions,
  auditTrails,
  type AuditEntity,
  type AuditEntry,
} from "#provider/contract/audit.ts";
import type { FilterOf } from "#provider/contract/calls.ts";
import { isoDate } from "#provider/contract/fields.ts";
import { actionWords, entityInWords, trailWords } from "../../components/record/audit-actions.server.ts";
import { dayOf, entryOf } from "../../components/text/format.ts";
import type { FilterField } from "../../components/list/filter-control.tsx";
import type { Context } from "../../server/request/router-context.ts";
import { getUser, requireRight, timeZoneOf } from "../../server/sessions/current-user.ts";
import { containsText, parseListQuery } from "../../server/lists/lists.ts";

export const filterFields: FilterField<FilterOf<"listAudit">>[] = [
  { name: "actor", label: t("common.who") },
  {
    name: "action",
    label: t("common.what"),
    all: t("audit.readAudit.allActions"),
    choices: [...auditActions, ...accessActions].map((action) => ({
      value: action,
      label: actionWords[action],
    })),
  },
  { name: "entity", label: t("common.record"), isFolded: true },
  {
    name: "trail",
    label: t("audit.readAudit.trail"),
    all: t("audit.readAudit.bothTrails"),
    choices: auditTrails.map((trail) => ({ value: trail, label: trailWords[trail] })),
    isFolded: true,
  },
  { name: "date_from", label: t("common.dateFrom"), isDate: true },
  { name: "date_to", label: t("common.dateTo"), isDate: true },
];

/** The URL's query of the audit trail. Throws 403 for users other than administrators. */
export function parseAuditQuery(context: Context, url: URL) {
  requireRight(context, "roles", "write", t("audit.readAudit.action"));
  const timeZone = timeZoneOf(getUser(context));
  const query = parseListQuery(
    url,
    "listAudit",
    filterFields.map(({ name }) => name),
  );
  const { trail = "", ...filters } = query.filters;
  const isTrail = auditTrails.some((one) => one === trail.toLowerCase());
  const day = ({ at }: AuditEntry) => dayOf(at, timeZone);
  const customFilters = {
    entity: ({ entity, entity_name }: AuditEntry, text: string) =>
      containsText(text, entity) || containsText(text, entity_name),
    date_from: (entry: AuditEntry, text: string) => day(entry) >= isoDate(text),
    date_to: (entry: AuditEntry, text: string) => day(entry) <= isoDate(text),
  };
  // An unknown one is ignored, as by other lists.
  return { query: isTrail ? query : { ...query, filters }, timeZone, options: { customFilters } };
}

/** The page of a record by kind, if records of the kind have one. */
const pages: Record<AuditEntity, ((id: number) => string) | null> = {
  "access group": (id) => `/users/group?id=${id}`,
  alert: (id) => `/alerts/${id}`,
  "alert rule": () => "/alerts/rules",
  branch: (id) => `/branches/view/${id}`,
  company: () => "/branches/profile",
  document: (id) => `/documents/${id}`,
  user: (id) => `/users/view/${id}`,
  release: (id) => `/documents/releases/${id}`,
  template: null,
  view: null,
  webhook: (id) => `/webhooks/${id}`,
  recipient: null,
};

/** The record of an entry, with its page unless it was removed. */
export const recordOf = ({ action, entity, entity_id, entity_name }: AuditEntry) => ({
  name: entity_name,
  kind: entityInWords(entity),
  page:
    action === "removed" || action === "given up" || entity_id === 0 ? undefined : entryOf(pages, entity)?.(entity_id),
});
