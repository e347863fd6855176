import { say } from "#lib/messages/staff.ts";
import { areaNames } from "../user/area-words.ts";
import { caseInWords } from "../scan/case-words.ts";
import { documentFieldTable } from "./document-fields.ts";
import { capital, entryOf } from "../text/format.ts";
import { fieldsOf, type RecordField } from "./record-fields.ts";
import { statusWords } from "../scan/state-words.ts";
import { branchSections, companySections, profileSections, userSections } from "./record-tables.ts";

/** The fields that entries of the audit trail show, by kind of record, with the labels of their pages where those show them. */

const named = (labels: Record<string, string>): RecordField[] =>
  Object.entries(labels).map(([name, label]) => ({ name, label }));

/** A field of which some values are words of the contract; others are shown as they are. */
const choiceField = (name: string, label: string, words: Record<string, string>): RecordField => ({
  name,
  label,
  inWords: (value) => entryOf(words, value) ?? value,
});

/** What stands in entries in place of a value. */
const standIns = {
  "(entered)": say("components.auditFields.entered"),
  "a new one": say("components.auditFields.newOne"),
  "a new one, at once": say("components.auditFields.newOneAtOnce"),
  "a new file": say("components.auditFields.newFile"),
  "a new picture": say("components.auditFields.newPicture"),
  "no picture": say("components.auditFields.noPicture"),
};

/** The fields of the records’ forms, without their pictures. */
const ofForms = (fields: RecordField[]) => fields.filter(({ type }) => type !== "image");

const user: RecordField[] = [
  ...ofForms(fieldsOf([...userSections, ...profileSections])),
  ...named({
    api_key: say("common.apiKey"),
    areas: say("components.auditFields.areas"),
    expires_on: say("components.apiKeyTable.validUntil"),
    // Of a session that was ended.
    sessions: say("components.sessionTable.sessions"),
  }),
  choiceField("scope", say("components.apiKeyTable.mayDo"), {
    read: say("components.apiKeyTable.read"),
    write: say("components.apiKeyTable.readChangeAndCreate"),
  }),
];

const branch: RecordField[] = [
  ...ofForms(fieldsOf(branchSections)),
  ...named({
    from: say("components.auditFields.fromBranch"),
    to: say("components.auditFields.toBranch"),
  }),
];

const company: RecordField[] = [
  ...ofForms(fieldsOf(companySections)),
  ...named({
    tariff: say("signed-in.tariffDialogs.tariff"),
    name_beside_keys: say("components.auditFields.nameBesideKeys"),
    seal_key: say("components.auditFields.sealKey"),
    next_seal_key: say("components.auditFields.nextSealKey"),
    issuer: say("branches.singleSignOnTab.issuer"),
    client_id: say("branches.singleSignOnTab.clientId"),
    groups_claim: say("branches.singleSignOnTab.groupsClaim"),
    passwords_off: say("components.auditFields.passwordsOff"),
    withdrawal_reason: say("components.auditFields.withdrawalReason"),
    withdrawal_text: say("branches.withdrawalReasonsTab.textForStrangers"),
    withdrawal_place: say("components.auditFields.placeInTheList"),
    bulk_issue: say("documents.bulk.list.bulkIssue"),
    rows: say("common.rows"),
    issued: say("common.issued"),
    refused: say("common.refused"),
  }),
  choiceField("client_secret", say("branches.singleSignOnTab.clientSecret"), standIns),
  choiceField("revoked_reason", say("components.auditFields.reasonForRevoking"), {
    compromised: say("branches.sealKeyDialogs.compromised"),
    superseded: say("branches.sealKeyDialogs.superseded"),
    unspecified: say("branches.sealKeyDialogs.anotherReason"),
  }),
];

const document: RecordField[] = [
  ...documentFieldTable,
  ...named({
    copies: say("common.copies"),
    withdrawal_reason: say("components.auditFields.withdrawalReason"),
    withdrawal_text: say("branches.withdrawalReasonsTab.textForStrangers"),
    withdrawal_note: say("components.auditFields.withdrawalNote"),
    withdrawn_note: say("components.auditFields.withdrawalNote"),
    replaced_by: say("documents.withdrawalFacts.replacedBy"),
    replaces: say("documents.withdrawalFacts.replaces"),
  }),
  choiceField("withdrawn_reason", say("components.auditFields.withdrawalReason"), {
    lost: say("documents.copyDialog.lost"),
    destroyed: say("documents.copyDialog.destroyed"),
    other: say("documents.copyDialog.anotherReason"),
  }),
];

function copyInWords(copy: string): string {
  const [, n, copies] = /^(\d+) of (\d+)$/.exec(copy) ?? [];
  return n && copies ? say("documents.copiesPanel.nOfCopies", { n, copies }) : copy;
}

const alert: RecordField[] = [
  ...named({
    note: say("common.note"),
    reopened_because: say("alerts.alertFacts.reopenedBecause"),
  }),
  {
    name: "case_state",
    label: say("components.viewColumns.caseState"),
    inWords: (state) => caseInWords(state) || capital(state),
  },
];

const alertRule = named({
  enabled: say("components.auditFields.raisesAlerts"),
  max_km_per_hour: say("alerts.ruleWords.speed"),
  min_km: say("alerts.ruleWords.distance"),
  devices: say("alerts.ruleWords.devices"),
  minutes: say("alerts.ruleWords.minutes"),
  grace_days: say("alerts.ruleWords.daysWithoutAnAlert"),
});

const webhook: RecordField[] = [
  ...named({
    url: say("common.address"),
    events: say("common.events"),
    enabled: say("components.auditFields.switchedOn"),
  }),
  // Of the address, entries have the beginning alone.
  choiceField("address", say("components.auditFields.wholeAddress"), standIns),
  choiceField("key", say("components.auditFields.key"), standIns),
  choiceField("disabled_because", say("components.auditFields.whySwitchedOff"), {
    user: say("webhooks.webhookWords.switchedOffByUser"),
    gone: say("webhooks.webhookWords.switchedOffByReceiver"),
    failing: say("webhooks.webhookWords.switchedOffAsFailing"),
    restored: say("webhooks.webhookWords.switchedOffWithoutKeys"),
  }),
];

const fields: Record<string, RecordField[]> = {
  company,
  branch,
  "access group": named({
    ...areaNames,
    identity_groups: say("common.groupsAtTheIdentityProvider"),
    requires_second_factor: say("components.auditFields.requiresSecondFactor"),
  }),
  user,
  document,
  alert,
  "alert rule": alertRule,
  template: [choiceField("file", say("components.auditFields.file"), standIns)],
  view: named({
    query: say("components.auditFields.filters"),
    shared: say("components.auditFields.shared"),
  }),
  webhook,
  // The filters of a list that was exported.
  list: named({
    alert: say("common.alertType"),
    actor: say("common.who"),
    action: say("common.what"),
    entity: say("common.record"),
    trail: say("audit.readAudit.trail"),
    text: say("components.auditFields.text"),
    expires: say("components.auditFields.expiresOn"),
    date_from: say("common.dateFrom"),
    date_to: say("common.dateTo"),
    bbox: say("components.auditFields.areaOfTheMap"),
    kind: say("common.kind"),
    view: say("common.view"),
    rows: say("common.rows"),
  }),
};

/** Of records of several kinds. */
const common: RecordField[] = [
  ...named({
    name: say("common.name"),
    number: say("common.number"),
    date: say("common.date"),
    email: say("common.email"),
    phone: say("common.phone"),
    role: say("common.role"),
    country: say("common.country"),
    city: say("common.city"),
    index: say("common.index"),
    branch: say("common.branch"),
    pages: say("common.pages"),
    active: say("common.active"),
    state: say("common.state"),
    user: say("common.user"),
    manager: say("common.manager"),
    owner: say("common.owner"),
    columns: say("common.columns"),
  }),
  { name: "copy", label: say("common.copy"), inWords: copyInWords },
  choiceField("image", say("components.imageField.image"), standIns),
  {
    name: "status",
    label: say("common.status"),
    inWords: (status) => entryOf(statusWords, status) ?? capital(status),
  },
];

/** Undefined for a field of another provider. */
export const auditField = (entity: string, name: string): RecordField | undefined =>
  [...(entryOf(fields, entity) ?? []), ...common].find((field) => field.name === name);
