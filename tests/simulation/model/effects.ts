import { areas } from "#provider/contract/areas.ts";
import type { CallName } from "../scim.ts";
import type { Observation } from "../observation.ts";
import { bodyOf, type Fact, type Id, isHeld, type Noun, type World } from "./world.ts";

/** What calls change, from the contract's summaries. */

/** Fields that reads must show as they were acknowledged. */
export const tracked: Partial<Record<Noun, readonly string[]>> = {
  document: ["name", "number", "date", "expire_date", "expire_type", "status", "access_type", "document_type", "pages"],
  user: ["name", "phone", "role", "country", "city", "index", "info", "active", "branch_id", "staff_id"],
  branch: ["name", "phone", "country", "city", "index", "address"],
  group: ["name", ...areas],
  alert: ["document_id", "alert", "status", "case_state", "owner_id", "note"],
  webhook: ["name", "url", "enabled"],
  release: ["state", "act", "document"],
  rule: ["document_type", "releasers"],
};

/** A call that adds a record, or changes the one of its path: what the record is then as far as the call says. */
type Change = {
  noun: Noun;
  adds?: true;
  after?: (before: Fact, body: Record<string, any>) => Partial<Fact> | undefined;
};

const added = (noun: Noun): Change => ({ noun, adds: true });
const removed = (noun: Noun): Change => ({ noun, after: () => undefined });
const becomes = (noun: Noun, after: Change["after"] = () => ({})): Change => ({ noun, after });

/** `left` is of somebody whom the end of a claim removed, and who returns with it. */
const leaves = (before: Fact) => ({ active: false, left: !before.active && before.left });

export const changes: Partial<Record<CallName, Change>> = {
  createUser: added("user"),
  updateUser: becomes("user"),
  addUserToBranch: becomes("user", (_, { id }) => ({ branch_id: Number(id) })),
  removeUser: becomes("user", leaves),
  reactivateUser: becomes("user", () => ({ active: true })),
  eraseUser: becomes("user", ({ id, company }) => ({ ...unknown("user"), id, company, erased: true, active: false })),
  addScimUser: added("user"),
  changeScimUser: becomes("user", (before, { active }) => (active === false ? leaves(before) : {})),
  removeScimUser: becomes("user", leaves),
  moveScimUser: becomes("user", (_, { group }) => ({ staff_id: Number(group) })),
  createBranch: added("branch"),
  updateBranch: becomes("branch"),
  removeBranch: removed("branch"),
  createAccessGroup: added("group"),
  updateAccessGroup: becomes("group"),
  removeAccessGroup: removed("group"),
  storeDocument: added("document"),
  updateDocument: becomes("document", () => ({ prolonged_until: undefined })),
  exitDocument: becomes("document", () => ({ status: "exited", withdrawn: true })),
  reactivateDocument: becomes("document", () => ({ status: "active", withdrawn: false })),
  archiveDocument: becomes("document", () => ({ status: "archived" })),
  restoreDocument: becomes("document", ({ withdrawn }) => ({
    status: withdrawn === undefined ? undefined : withdrawn ? "exited" : "active",
  })),
  prolongDocument: becomes("document", ({ prolonged_until }) => ({
    expire_date: prolonged_until || undefined,
    prolonged_until: undefined,
  })),
  withdrawCopy: becomes("document", ({ lost_copies = [] }, { n }) => ({ lost_copies: [...lost_copies, Number(n)] })),
  restoreCopy: becomes("document", ({ lost_copies = [] }, { n }) => ({
    lost_copies: lost_copies.filter((copy: number) => copy !== Number(n)),
  })),
  completeAlert: becomes("alert", (_, { outcome = "done", note }) => ({ status: 3, case_state: outcome, note })),
  reopenAlert: becomes("alert", () => ({ status: undefined, case_state: undefined })),
  assignAlert: becomes("alert", () => ({ owner_id: undefined, case_state: undefined })),
  createWebhook: added("webhook"),
  updateWebhook: becomes("webhook"),
  enableWebhook: becomes("webhook", () => ({ enabled: true })),
  disableWebhook: becomes("webhook", () => ({ enabled: false })),
  removeWebhook: removed("webhook"),
  createNumberRange: added("range"),
  updateNumberRange: becomes("range"),
  removeNumberRange: removed("range"),
  createReleaseRule: added("rule"),
  updateReleaseRule: becomes("rule", (_, { document_type, releasers }) => ({ document_type, releasers })),
  removeReleaseRule: removed("rule"),
  releaseDraft: becomes("release", () => ({ state: undefined, document: undefined })),
  returnDraft: becomes("release", () => ({ state: "returned" })),
  discardDraft: removed("release"),
};

/** The states, or of alerts and documents the status, in which an act is possible (docs/open-points.md, "Exited and Archive"; the contract's summaries). */
export const states: Partial<Record<CallName, (status: unknown) => boolean>> = {
  exitDocument: (status) => status === "active",
  reactivateDocument: (status) => status === "exited",
  archiveDocument: (status) => status !== "archived",
  restoreDocument: (status) => status === "archived",
  completeAlert: (status) => status !== 3,
  reopenAlert: (status) => status === 3,
  releaseDraft: (status) => status === "waiting",
  returnDraft: (status) => status === "waiting",
  discardDraft: (status) => status !== "released",
};

const unknown = (noun: Noun) => Object.fromEntries([...tracked[noun]!, "email"].map((field) => [field, undefined]));

/** A value as JSON and forms have it. */
const plain = (value: unknown) => (typeof value === "boolean" ? (value ? "1" : "0") : String(value ?? "").trim());
export const isSame = (a: unknown, b: unknown) => a === undefined || b === undefined || plain(a) === plain(b);
/** Whether a row shows a fact, in the fields that both have. */
export const agrees = (noun: Noun, fact: Fact, row: Record<string, unknown>) =>
  (tracked[noun] ?? []).every((field) => isSame(fact[field], row[field]));

/** A record of a reply as a fact. */
export function factOf(world: World, noun: Noun, row: any, company: string): Fact {
  if (noun !== "document") return { ...row, company };
  const isWithdrawn = row.ended?.reason === "exited" || row.validity === "withdrawn" || row.status === "exited";
  return { ...row, company, user: world.userOf({ name: "", company, email: row.email }), withdrawn: isWithdrawn };
}

/** What a record is after a call by the call's own words; undefined if it is gone, or can't be known. */
export function expected(before: Fact | undefined, observation: Observation): Fact | undefined {
  const { noun, after } = changes[observation.call]!;
  const body = { ...bodyOf(observation), ...observation.input.params };
  const made = before && after ? after(before, body) : {};
  if (!before || !made) return undefined;
  const typed = Object.entries(bodyOf(observation)).filter(([field]) => tracked[noun]?.includes(field));
  const isForm = /^update(User|Branch|AccessGroup|Document|Webhook)$|^changeScimUser$/.test(observation.call);
  return { ...before, ...(isForm && { version: undefined, ...unknownIds, ...Object.fromEntries(typed) }), ...made };
}

/** Forms name groups and branches: only the reply says which they are. */
const unknownIds = { staff_id: undefined, branch_id: undefined, users_access_group_id: undefined };

/** Takes over what an acknowledged or lost call changed. */
export function apply(world: World, observation: Observation) {
  const { call, reply, by, input } = observation;
  const company = by.company;
  const isLost = reply === "lost";
  if (!isLost && reply.status >= 300) return;
  world.changes.push(observation);
  if (call === "recordScan" || call === "complain") loosenAlerts(world, observation);
  if (!company) return;
  // Such a reply is no record.
  if (isHeld(observation) && !isLost && reply.json.id === undefined) return;
  const change = changes[call];
  if (change) applyChange(world, observation, company);
  const json = isLost ? undefined : reply.json;
  if (call === "storeDocument") replaceDocument(world, observation, json?.id);
  if (call === "updateCompany") {
    const { timezone } = { ...bodyOf(observation), ...json };
    if (timezone) world.set("company", company!, { id: company!, company: company!, timezone }, observation);
  }
  if (call === "updateProfile" && json?.id !== undefined) {
    const { name, phone, country, city, index } = json;
    const before = world.during("user", json.id, observation).at(-1);
    if (before) world.set("user", json.id, { ...before, name, phone, country, city, index }, observation);
  }
  if (call === "eraseUser") {
    const names = world.during("user", Number(input.params?.id), observation, observation);
    for (const text of names.flatMap((user) => [user?.name, user?.email])) {
      if (text && !isLost) world.erased.push({ text, source: observation });
    }
  }
  loosenByJobs(world, observation, company ?? "");
}

function applyChange(world: World, observation: Observation, company: string) {
  const { call, reply, input } = observation;
  const { noun, adds } = changes[call]!;
  const json = reply === "lost" ? undefined : reply.json;
  if (adds && !json) return world.pending.push({ noun, company, source: observation });
  const id: Id = call === "addUserToBranch" ? (json?.id ?? -1) : adds ? json.id : Number(input.params?.id);
  const before = world.during(noun, id, observation).at(-1);
  const hasRecord = json?.id === id && call !== "createWebhook";
  if (hasRecord) {
    const left = json.active === false ? expected(before, observation)?.left : undefined;
    const { lost_copies, drafter, asked } = before ?? ({} as Partial<Fact>);
    const unseen = { lost_copies, drafter, asked, left };
    return world.set(noun, id, { ...unseen, ...factOf(world, noun, json, company) }, observation);
  }
  if (adds) return world.set(noun, id, { enabled: true, ...bodyOf(observation), ...json, id, company }, observation);
  // The first read of a record shows it as it is then.
  if (before || world.knows(noun, id)) world.set(noun, id, expected(before, observation), observation);
}

/** A new version withdraws the older document in the same transaction. */
export function replaceDocument(world: World, observation: Observation, by: Id | undefined) {
  const replaced = Number(bodyOf(observation).replaces);
  // Nobody may have read it until now.
  const unread = world.knows("document", replaced) ? undefined : { id: replaced, company: observation.by.company! };
  const before = replaced ? (world.during("document", replaced, observation).at(-1) ?? unread) : undefined;
  if (!before) return;
  const after = { ...before, version: undefined, status: "exited", withdrawn: true, replaced_by: by };
  world.set("document", replaced, after, observation);
}

/** What jobs finish later: until all of them have run, anything is possible. */
const byJobs: Partial<Record<CallName, [Noun, ...string[]]>> = {
  startDocumentActions: [
    "document",
    "status",
    "withdrawn",
    "expire_date",
    "prolonged_until",
    "users_access_group_id",
    "version",
  ],
  startAlertActions: ["alert", "status", "case_state", "owner_id", "note"],
  startUserActions: ["user", "active", "staff_id"],
};

/** What is scanned again is reopened, once the scan is judged. */
function loosenAlerts(world: World, observation: Observation) {
  const document = world.codes.get(String(observation.input.params?.code))?.document ?? "";
  const company = world.during("document", document, observation).at(-1)?.company ?? "";
  const fields = ["status", "case_state", "owner_id", "note", "version"];
  world.loosen({ noun: "alert", company, fields, document, isLater: true }, observation);
}

function loosenByJobs(world: World, observation: Observation, company: string) {
  const { call } = observation;
  const isUndo = call === "undoBulkAction";
  const every = isUndo ? Object.values(byJobs) : byJobs[call] ? [byJobs[call]] : [];
  const { ids = "", all } = bodyOf(observation);
  for (const [noun, ...fields] of every) {
    const chosen = isUndo
      ? world.unchangedSince(noun, observation)
      : plain(all) === "1"
        ? undefined
        : String(ids).split(",").map(Number);
    world.loosen(
      { noun, company, fields, ...(chosen && { chosen }), isLater: observation.reply === "lost" },
      observation,
    );
  }
  if (call === "applyImport") {
    world.loosen({ noun: "user", company, fields: tracked.user! }, observation);
    world.loosen({ noun: "branch", company, fields: tracked.branch! }, observation);
    for (const noun of ["user", "branch"] as const) world.pending.push({ noun, company, source: observation });
  }
  if (call === "startBulkIssue" || call === "resumeBulkIssue")
    world.pending.push({ noun: "document", company, source: observation });
}
