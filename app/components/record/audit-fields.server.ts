import { t } from "#lib/messages/staff.ts";
import { areaNames } from "../user/area-words.ts";
import { caseInWords } from "../scan/case-words.ts";
import { documentFieldTable, placingField } from "./document-fields.ts";
import { capital, entryOf } from "../text/format.ts";
import { fieldsOf, type RecordField } from "./record-fields.ts";
import { statusWords } from "../scan/state-words.ts";
import { branchSections, companySections, profileSections, userSections } from "./record-tables.ts";

/** The fields that entries of the audit trail show, by kind of record, with the labels of their pages if those show them. */

const named = (labels: Record<string, string>): RecordField[] =>
  Object.entries(labels).map(([name, label]) => ({ name, label }));

/** A field whose values may be terms of the contract, which are translated; others are shown unchanged. */
const choiceField = (name: string, label: string, words: Record<string, string>): RecordField => ({
  name,
  label,
  inWords: (value) => entryOf(words, value) ?? value,
});

/** What stands in entries in place of a value. */
const standIns = {
  "(entered)": t("components.auditFields.entered"),
  "a new one": t("components.auditFields.newOne"),
  "a new one, at once": t("components.auditFields.newOneAtOnce"),
  "a new file": t("components.auditFields.newFile"),
  "a new picture": t("components.auditFields.newPicture"),
  "no picture": t("components.auditFields.noPicture"),
};

/** The fields of the records’ forms, without their pictures. */
const ofForms = (fields: RecordField[]) => fields.filter(({ type }) => type !== "image");

const user: RecordField[] = [
  ...ofForms(fieldsOf([...userSections, ...profileSections])),
  ...named({
    api_key: t("common.apiKey"),
    access_group: t("common.accessGroup"),
    areas: t("components.auditFields.areas"),
    expires_on: t("components.apiKeyTable.validUntil"),
    // Of a session that was ended.
    sessions: t("components.sessionTable.sessions"),
  }),
  choiceField("scope", t("components.apiKeyTable.mayDo"), {
    read: t("components.apiKeyTable.read"),
    write: t("components.apiKeyTable.readChangeAndCreate"),
    scim: t("components.apiKeyTable.usersAndGroupsByScim"),
  }),
];

const branch: RecordField[] = [
  ...ofForms(fieldsOf(branchSections)),
  ...named({
    from: t("components.auditFields.fromBranch"),
    to: t("components.auditFields.toBranch"),
  }),
];

const company: RecordField[] = [
  ...ofForms(fieldsOf(companySections)),
  ...named({
    tariff: t("signed-in.tariffDialogs.tariff"),
    name_beside_keys: t("components.auditFields.nameBesideKeys"),
    delivers: t("settings.recipients.delivers"),
    delivery_days: t("settings.recipients.days"),
    delivery_pages: t("settings.recipients.pages"),
    delivery_news: t("settings.recipients.news"),
    recipient_days: t("settings.recipients.deletedAfter"),
    wallet: t("components.auditFields.wallet"),
    wallet_fields: t("components.auditFields.walletFields"),
    seal_key: t("components.auditFields.sealKey"),
    next_seal_key: t("components.auditFields.nextSealKey"),
    issuer: t("settings.singleSignOn.issuer"),
    client_id: t("settings.singleSignOn.clientId"),
    groups_claim: t("settings.singleSignOn.groupsClaim"),
    passwords_off: t("components.auditFields.passwordsOff"),
    host: t("settings.hosts.host"),
    withdrawal_reason: t("components.auditFields.withdrawalReason"),
    withdrawal_text: t("settings.withdrawalReasons.textForStrangers"),
    withdrawal_place: t("components.auditFields.placeInTheList"),
    number_range: t("components.auditFields.nextNumber"),
    document_type: t("components.documentFields.documentType"),
    restarts: t("components.auditFields.restarts"),
    release_rule: t("components.auditFields.releaseRule"),
    bulk_issue: t("documents.bulk.list.bulkIssue"),
    rows: t("common.rows"),
    issued: t("common.issued"),
    awaiting_release: t("components.auditFields.awaitingRelease"),
    refused: t("common.refused"),
  }),
  choiceField("client_secret", t("settings.singleSignOn.clientSecret"), standIns),
  choiceField("revoked_reason", t("components.auditFields.reasonForRevoking"), {
    compromised: t("settings.sealKeyDialogs.compromised"),
    superseded: t("settings.sealKeyDialogs.superseded"),
    unspecified: t("settings.sealKeyDialogs.anotherReason"),
  }),
];

const document: RecordField[] = [
  ...documentFieldTable,
  ...named({
    copies: t("common.copies"),
    withdrawal_reason: t("components.auditFields.withdrawalReason"),
    withdrawal_text: t("settings.withdrawalReasons.textForStrangers"),
    withdrawal_note: t("components.auditFields.withdrawalNote"),
    withdrawn_note: t("components.auditFields.withdrawalNote"),
    replaced_by: t("documents.withdrawalFacts.replacedBy"),
    replaces: t("documents.withdrawalFacts.replaces"),
    drafted_by: t("components.auditFields.draftedBy"),
    released_by: t("components.auditFields.releasedBy"),
  }),
  choiceField("withdrawn_reason", t("components.auditFields.withdrawalReason"), {
    lost: t("documents.copyDialog.lost"),
    destroyed: t("documents.copyDialog.destroyed"),
    other: t("documents.copyDialog.anotherReason"),
  }),
];

function copyInWords(copy: string): string {
  const [, n, copies] = /^(\d+) of (\d+)$/.exec(copy) ?? [];
  return n && copies ? t("documents.copiesPanel.nOfCopies", { n, copies }) : copy;
}

const alert: RecordField[] = [
  ...named({
    note: t("common.note"),
    reopened_because: t("alerts.alertFacts.reopenedBecause"),
  }),
  {
    name: "case_state",
    label: t("components.viewColumns.caseState"),
    inWords: (state) => caseInWords(state) || capital(state),
  },
];

const alertRule = named({
  enabled: t("components.auditFields.raisesAlerts"),
  max_km_per_hour: t("alerts.ruleWords.speed"),
  min_km: t("alerts.ruleWords.distance"),
  devices: t("alerts.ruleWords.devices"),
  minutes: t("alerts.ruleWords.minutes"),
  grace_days: t("alerts.ruleWords.daysWithoutAnAlert"),
});

const webhook: RecordField[] = [
  ...named({
    url: t("common.address"),
    events: t("common.events"),
    enabled: t("components.auditFields.switchedOn"),
  }),
  // Of the address, entries have the beginning alone.
  choiceField("address", t("components.auditFields.wholeAddress"), standIns),
  choiceField("key", t("components.auditFields.key"), standIns),
  choiceField("disabled_because", t("components.auditFields.whySwitchedOff"), {
    user: t("webhooks.webhookWords.switchedOffByUser"),
    gone: t("webhooks.webhookWords.switchedOffByReceiver"),
    failing: t("webhooks.webhookWords.switchedOffAsFailing"),
    restored: t("webhooks.webhookWords.switchedOffWithoutKeys"),
  }),
];

const fields: Record<string, RecordField[]> = {
  company,
  branch,
  "access group": named({
    ...areaNames,
    identity_groups: t("common.groupsAtTheIdentityProvider"),
    requires_second_factor: t("components.auditFields.requiresSecondFactor"),
  }),
  user,
  document,
  release: named({
    act: t("components.auditFields.releaseAct"),
    document_type: t("components.documentFields.documentType"),
    reason: t("common.reason"),
  }),
  alert,
  "alert rule": alertRule,
  template: [placingField, choiceField("file", t("components.auditFields.file"), standIns)],
  view: named({
    query: t("components.auditFields.filters"),
    shared: t("components.auditFields.shared"),
  }),
  webhook,
  recipient: named({ document: t("components.auditEntities.document") }),
  // The filters of a list that was exported.
  list: named({
    alert: t("common.alertType"),
    actor: t("common.who"),
    action: t("common.what"),
    entity: t("common.record"),
    trail: t("audit.readAudit.trail"),
    text: t("components.auditFields.text"),
    expires: t("components.auditFields.expiresOn"),
    date_from: t("common.dateFrom"),
    date_to: t("common.dateTo"),
    bbox: t("components.auditFields.areaOfTheMap"),
    kind: t("common.kind"),
    view: t("common.view"),
    rows: t("common.rows"),
  }),
};

/** Of records of several kinds. */
const common: RecordField[] = [
  ...named({
    name: t("common.name"),
    number: t("common.number"),
    date: t("common.date"),
    email: t("common.email"),
    phone: t("common.phone"),
    role: t("common.role"),
    country: t("common.country"),
    city: t("common.city"),
    index: t("common.index"),
    branch: t("common.branch"),
    pages: t("common.pages"),
    active: t("common.active"),
    state: t("common.state"),
    user: t("common.user"),
    manager: t("common.manager"),
    owner: t("common.owner"),
    columns: t("common.columns"),
  }),
  { name: "copy", label: t("common.copy"), inWords: copyInWords },
  choiceField("image", t("components.imageField.image"), standIns),
  {
    name: "status",
    label: t("common.status"),
    inWords: (status) => entryOf(statusWords, status) ?? capital(status),
  },
];

/** Undefined for a field of another provider. */
export const auditField = (entity: string, name: string): RecordField | undefined =>
  [...(entryOf(fields, entity) ?? []), ...common].find((field) => field.name === name);
