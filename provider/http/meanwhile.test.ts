import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { BulkIssueState } from "../contract/bulk-options.ts";
import type { Call } from "../contract/call.ts";
import { type CallName, calls } from "../contract/calls.ts";
import { areas } from "../contract/permissions.ts";
import { inCompanyTransaction } from "../company/company-queries.ts";
import type { Tables } from "../db/tables.ts";
import { companySigner } from "../seal/keys/signer.ts";
import { requestedHost } from "#tests/fixtures/hosts.ts";
import { storedCommon, whatForm, withFile, zipFile } from "#tests/fixtures/bulk-issues.ts";
import { addKey } from "#tests/fixtures/api-keys.ts";
import { asFile, pngFile } from "#tests/fixtures/files.ts";
import { softPasskey, storedPasskey } from "#tests/fixtures/soft-passkey.ts";
import { tokenHash } from "../sessions/tokens.ts";
import { oneTimeCode } from "#tests/fixtures/one-time-codes.ts";
import { factorPurpose } from "../second-factors/check.ts";
import { encryptSecret } from "../secrets.ts";
import { testIssuer } from "#tests/fixtures/issuer.ts";
import { templateFile } from "#tests/fixtures/templates.ts";
import { draftForm, hasDatabase, password, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";

/**
 * Every writing call × what can happen to its user between the head of the request and the change: then nothing
 * changes. A body can take minutes to arrive, so rights are read again after it and in the transaction.
 */

const suite = describe.runIf(hasDatabase());

type Db = TestProvider["db"];
type World = Awaited<ReturnType<typeof makeWorld>>;
type User = { id: number; token: string };

/** What happens to the user, and what they are answered. */
const fates = {
  "was removed": {
    status: 401,
    happens: (db: Db, { id }: User) => db.updateTable("users").set({ active: 0 }).where("id", "=", id).execute(),
  },
  "was signed out": {
    status: 401,
    happens: (db: Db, { id }: User) => db.deleteFrom("tokens").where("user_id", "=", id).execute(),
  },
  "came into a group without the right": {
    status: 403,
    happens: (db: Db, { id }: User, { nothing }: World) =>
      db.updateTable("users").set({ access_group_id: nothing }).where("id", "=", id).execute(),
  },
} as const;
type Fate = keyof typeof fates;

type Sending = {
  id?: (world: World) => number;
  /** The copy that the path names. */
  n?: number;
  /** The number of the session that the path names, if it names one; or the id of a record of the user's own. */
  own?: (world: World, actor: User) => Promise<number>;
  rule?: string;
  body?: (world: World) => object | FormData;
};

const { png, pagesZip, place } = {
  png: await pngFile(30, 40),
  pagesZip: await zipFile({ "page.png": await pngFile(30, 40) }),
  place: { country: "United Kingdom", city: "Preston" },
};
const withPicture = (fields: object) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append("image", asFile(png, "picture.png"));
  return form;
};
function tableOf(kind: string, table: string) {
  const form = new FormData();
  form.append("kind", kind);
  form.append("file", asFile(Buffer.from(table), "table.csv"));
  return form;
}
const draft = (world: World) => draftForm({ email: world.admin.email }, [asFile(png, "page.png")]);
const keyOf = async (world: World, { id }: User) => (await addKey(world, id)).id;
let [users, views, webhooks] = [0, 0, 0];
const webhookForm = { name: "Renamed", url: "http://127.0.0.1:9/hook", events: ["alert.raised"] };
const templatePdf = await templateFile();
const aTemplate = (name: string) => {
  const form = new FormData();
  form.append("name", name);
  form.append("file", asFile(templatePdf, "template.pdf"));
  return form;
};
const newUser = (name: string) =>
  withPicture({ name, email: `new-${++users}@company.example`, staff: "Administrator" });

/** Makes a bulk issue of the user in a state. */
const bulkOf =
  (state: BulkIssueState) =>
  async ({ db, companyId }: World, { id: user_id }: User) => {
    const at = "2026-11-21T10:00:00.000Z";
    const what = { common: storedCommon, content: "zip", columns: '["Name"]', mapping: '["name"]' } as const;
    const whose = { company_id: companyId, user_id, folder: `bulk-issues/of-${user_id}` };
    const { id } = await db
      .insertInto("bulk_issues")
      .values({ ...whose, ...what, state, rows: 1, archive_key: "none", created_at: at, changed_at: at })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  };

const factorSecret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

/** Gives the actor an authenticator app, one that waits to be confirmed, or none. */
function factorOf(which?: "secret" | "pending_secret") {
  return async ({ db, services, clock }: World, { id }: User) => {
    await db.deleteFrom("second_factors").where("user_id", "=", id).execute();
    if (!which) return id;
    const [encrypted, at] = [encryptSecret(services, factorPurpose(id), factorSecret), clock.now.toISOString()];
    const times = which === "secret" ? { set_up_at: at } : { pending_at: at };
    await db
      .insertInto("second_factors")
      .values({ user_id: id, [which]: encrypted, ...times })
      .execute();
    return id;
  };
}

const site = { host: "sealdesk.example", origin: "https://sealdesk.example" };
const passkey = softPasskey(site);
/** Known to the browser before the user is: bodies are made first. */
const issuedChallenge = { challenge: randomBytes(32).toString("base64url") };

/** Makes the challenge one of the actor's. */
async function challengeOf({ db, clock }: World, { id }: User) {
  const hash = tokenHash(issuedChallenge.challenge);
  await db.deleteFrom("tokens").where("hash", "=", hash).execute();
  const at = clock.now.toISOString();
  const times = { created_at: at, used_at: at, expires_at: "2099-01-01T00:00:00.000Z" };
  await db
    .insertInto("tokens")
    .values({ hash, kind: "passkey", user_id: id, ...times })
    .execute();
  return id;
}

/** The actor's passkey, as the only one. */
async function passkeyOf({ db, clock }: World, { id: user_id }: User) {
  await db.deleteFrom("passkeys").execute();
  const row = { ...storedPasskey(passkey), user_id, created_at: clock.now.toISOString() };
  return (await db.insertInto("passkeys").values(row).returning("id").executeTakeFirstOrThrow()).id;
}

/** One line for every call that changes something. */
const sendings: Partial<Record<CallName, Sending>> = {
  createUser: { body: () => newUser("New") },
  updateUser: { id: ({ colleague }) => colleague.id, body: () => newUser("Changed") },
  removeUser: { id: ({ colleague }) => colleague.id },
  inviteUser: { id: ({ invited }) => invited },
  reactivateUser: { id: ({ returning }) => returning },
  createAccessGroup: { body: () => ({ name: "Another" }) },
  updateAccessGroup: { id: ({ nothing }) => nothing, body: () => ({ name: "Renamed", docs: "C:R" }) },
  removeAccessGroup: { id: ({ spare }) => spare },
  updateCompany: { body: () => withPicture({ ...place, name: "Renamed" }) },
  createBranch: { body: () => withPicture({ ...place, name: "Leeds" }) },
  updateBranch: { id: ({ branchId }) => branchId, body: () => withPicture({ ...place, name: "Renamed" }) },
  removeBranch: { id: ({ branchId }) => branchId },
  addUserToBranch: { id: ({ branchId }) => branchId, body: ({ colleague }) => ({ user: colleague.id }) },
  updateAlertRule: { rule: "burst", body: () => ({ enabled: true, devices: 5 }) },
  completeAlert: { id: ({ alert }) => alert, body: () => ({ note: "Looked at" }) },
  reopenAlert: { id: ({ completed }) => completed, body: () => ({ reason: "Again" }) },
  startDocumentActions: { body: ({ exited }) => ({ act: "group", ids: String(exited), group: "Nothing" }) },
  startAlertActions: { body: ({ alert }) => ({ act: "complete", ids: String(alert), note: "Looked at" }) },
  startUserActions: { body: ({ colleague }) => ({ act: "group", ids: String(colleague.id), group: "Spare" }) },
  undoBulkAction: { own: (world, actor) => bulkActionOf(world, actor.id) },
  seeAlert: { id: ({ unseen }) => unseen },
  assignAlert: { id: ({ unseen }) => unseen, body: () => ({ owner: "me" }) },
  addComment: { id: ({ alert }) => alert, body: () => ({ text: "Looked at" }) },
  removeComment: { id: ({ alert }) => alert, n: 1 },
  storeDocument: { body: draft },
  createBulkIssue: { body: () => whatForm },
  updateBulkIssue: { own: bulkOf("draft"), body: () => whatForm },
  setBulkTable: { own: bulkOf("draft"), body: () => withFile("table", "Name\nAnn", "people.csv") },
  setBulkArchive: { own: bulkOf("draft"), body: () => withFile("archive", pagesZip, "pages.zip") },
  mapBulkColumns: { own: bulkOf("draft"), body: () => ({ mapping: ["name"] }) },
  checkBulkIssue: { own: bulkOf("draft") },
  startBulkIssue: { own: bulkOf("checked"), body: () => ({ leave_out_wrong: false }) },
  pauseBulkIssue: { own: bulkOf("running") },
  resumeBulkIssue: { own: bulkOf("paused") },
  cancelBulkIssue: { own: bulkOf("waiting") },
  updateDocument: { id: ({ active }) => active, body: (world) => Object.fromEntries(draftFields(world)) },
  archiveDocument: { id: ({ active }) => active },
  restoreDocument: { id: ({ archived }) => archived },
  exitDocument: { id: ({ active }) => active, body: () => ({ note: "Found wrong" }) },
  createWalletOffer: { id: ({ active }) => active },
  updateWallet: { body: () => ({ active: true, fields: ["branch"] }) },
  createCalendarFeed: {},
  removeCalendarFeed: {},
  createNumberRange: { body: () => ({ document_type: "Permit", next_number: "P-1" }) },
  updateNumberRange: { id: ({ range }) => range, body: () => ({ next_number: "PE-1" }) },
  removeNumberRange: { id: ({ range }) => range },
  createWithdrawalReason: { body: () => ({ name: "Recalled" }) },
  updateWithdrawalReason: { id: ({ reason }) => reason, body: () => ({ name: "Renamed" }) },
  moveWithdrawalReason: { id: ({ reason }) => reason, body: () => ({ place: 2 }) },
  removeWithdrawalReason: { id: ({ reason }) => reason },
  releaseDraft: { id: ({ release }) => release, body: () => ({ version: 1 }) },
  returnDraft: { id: ({ returned }) => returned, body: () => ({ version: 1, reason: "Wrong name" }) },
  discardDraft: { own: (world, { id }) => releaseOf(world, id) },
  createReleaseRule: { body: () => ({ document_type: "Permit" }) },
  updateReleaseRule: { id: ({ rule }) => rule, body: () => ({ document_type: "Permit" }) },
  removeReleaseRule: { id: ({ rule }) => rule },
  reactivateDocument: { id: ({ exited }) => exited },
  updateRecipientSettings: { body: () => ({ delivers: "1", delivery_days: "30" }) },
  sendDocument: { id: ({ active }) => active, body: () => ({ name: "Rob", email: "rob@recipient.example" }) },
  remindRecipient: { id: ({ active }) => active, n: 1 },
  endRecipient: { id: ({ active }) => active, n: 1 },
  eraseRecipient: { body: () => ({ email: "rita@recipient.example" }) },
  withdrawCopy: { id: ({ copied }) => copied, n: 1, body: () => ({ reason: "lost" }) },
  restoreCopy: { id: ({ copied }) => copied, n: 2 },
  prolongDocument: { id: ({ active }) => active },
  createTemplate: { body: () => aTemplate("Another") },
  updateTemplate: { id: ({ template }) => template, body: () => aTemplate("Renamed") },
  removeTemplate: { id: ({ template }) => template },
  beginSecondFactor: {},
  confirmSecondFactor: {
    own: factorOf("pending_secret"),
    body: ({ clock }) => ({ code: oneTimeCode(factorSecret, clock.now) }),
  },
  removeSecondFactor: { own: factorOf("secret") },
  createRecoveryCodes: { own: factorOf("secret") },
  clearUserSecondFactor: { id: ({ colleague }) => colleague.id },
  passkeyOptions: {},
  addPasskey: {
    own: challengeOf,
    body: () => ({ name: "Phone", response: softPasskey(site).create({ challenge: issuedChallenge.challenge }) }),
  },
  removePasskey: { own: passkeyOf },
  proofOptions: {},
  proveByPasskey: {
    own: async (world, actor) => {
      await passkeyOf(world, actor);
      return challengeOf(world, actor);
    },
    body: () => ({ response: passkey.get({ challenge: issuedChallenge.challenge }) }),
  },
  prove: { own: factorOf(), body: () => ({ current_password: password }) },
  updateProfile: { body: () => withPicture({ name: "Changed", email: "changed@company.example" }) },
  changePassword: {
    body: () => ({ old_password: password, password: `${password} two`, password_confirmation: `${password} two` }),
  },
  removeScanPlace: { id: ({ scan }) => scan },
  changeEmail: { body: () => ({ email: "changed@company.example" }) },
  cancelEmail: {},
  createView: { body: () => ({ list: "documents", name: `View ${++views}` }) },
  updateView: { own: viewOf, body: () => ({ name: `View ${++views}` }) },
  removeView: { own: viewOf },
  chooseDefaultView: { body: () => ({ list: "documents" }) },
  eraseUser: { id: ({ former }) => former },
  endOtherSessions: {},
  endOwnSession: { own: (world, actor) => sessionOf(world, actor.id) },
  endUserSessions: { id: ({ colleague }) => colleague.id },
  endUserSession: { id: ({ colleague }) => colleague.id, own: (world) => sessionOf(world, world.colleague.id) },
  createOwnKey: { body: () => ({ name: "Reports", expires_on: "2027-11-20", scope: "read", areas: ["docs"] }) },
  revokeOwnKey: { own: keyOf },
  revokeUserKey: { id: ({ colleague }) => colleague.id, own: async ({ key }) => key },
  resendEmail: {},
  cancelUserEmail: { id: ({ colleague }) => colleague.id },
  resendUserEmail: { id: ({ colleague }) => colleague.id },
  createImport: { body: () => tableOf("users", "ID,Phone\n1,2\n") },
  applyImport: { own: importOf },
  changeTariff: { body: () => ({ tariff: 5 }) },
  createWebhook: { body: () => ({ ...webhookForm, name: `Webhook ${++webhooks}` }) },
  updateWebhook: { id: ({ webhook }) => webhook, body: () => webhookForm },
  removeWebhook: { id: ({ webhookSpare }) => webhookSpare },
  enableWebhook: { id: ({ webhookOff }) => webhookOff },
  disableWebhook: { id: ({ webhookOn }) => webhookOn },
  rotateWebhookKey: { id: ({ webhook }) => webhook, body: () => ({ at_once: true }) },
  testWebhook: { id: ({ webhook }) => webhook },
  replayWebhookDelivery: { id: ({ webhook }) => webhook, n: 1 },
  replayFailedDeliveries: { id: ({ webhook }) => webhook, body: () => ({ since: "" }) },
  setIdentityProvider: {
    body: ({ issuer }) => ({ issuer: issuer.url, client_id: "sealdesk", client_secret: "a secret" }),
  },
  removeIdentityProvider: {},
  requestHost: { body: () => ({ host: "other.company.example" }) },
  removeHost: { id: ({ host }) => host },
  nameSealKeys: { body: () => ({ name_beside_keys: true }) },
  rotateSealKey: {},
  revokeSealKey: { id: ({ sealKey }) => sealKey, body: () => ({ revoked_reason: "unspecified" }) },
};

const dated = { expire_type: "date", expire_date: "2027-11-21", prolongation: "1" };
const draftFields = (world: World) => [...draftForm({ email: world.admin.email, name: "Renamed", ...dated }, [])];

/** Ending a session needs no right, checking or trying changes nothing, and hosts are checked for nobody as well. */
const harmless: CallName[] = [
  "logout",
  "singleSignOut",
  "checkDocument",
  "checkDocumentFile",
  "fillTemplate",
  "checkHost",
  "checkReleaseRules",
];

/** An import of the actor's own. */
async function importOf({ db, companyId: company_id }: World, { id: user_id }: User): Promise<number> {
  const file = { kind: "users", file: "users.csv", columns: "[]", status: "ready", needs_proof: 0 } as const;
  const at = { created_at: "2026-11-01T00:00:00.000Z", expires_at: "2099-01-01T00:00:00.000Z" };
  const values = { ...file, ...at, company_id, user_id };
  return (await db.insertInto("imports").values(values).returning("id").executeTakeFirstOrThrow()).id;
}

async function makeWorld() {
  const issuer = await testIssuer();
  const allowedHosts = [new URL(issuer.url).host];
  const provider = await testProvider({ singleSignOn: { passwordsOff: false, allowedHosts } });
  const { company, branch, group, user, issue, call, db } = provider;
  const { id, admin } = await company();
  await group(id, "Everything", {
    ...Object.fromEntries(areas.map((area) => [area, "C:R/W/C"])),
    docs: "C:R/W/C/L",
  });
  const nothing = await group(id, "Nothing", {});
  const spare = await group(id, "Spare", {});
  const branchId = (await branch(id, "Preston")).id;
  const colleague = await user(id, { name: "Colleague", group: "Nothing" });
  await db.insertInto("second_factors").values({ user_id: colleague.id, secret: "encrypted" }).execute();
  const documents = [];
  for (const fields of [dated, {}, {}, { copies: "2" }])
    documents.push((await issue(admin.token, fields)).json.id as number);
  const [active, archived, exited, copied] = documents as [number, number, number, number];
  const lostCopy = { token: admin.token, params: { id: copied, n: 2 }, body: { reason: "lost" } };
  await call("withdrawCopy", lostCopy);
  await call("archiveDocument", { token: admin.token, params: { id: archived } });
  await call("exitDocument", { token: admin.token, params: { id: exited } });
  const raised = { company_id: id, document_id: active, day: "2026-11-21", date: "2026-11-21T09:00:00.000Z" } as const;
  const what = { alert: "Fake scan", reason: "", count: 1, note: "", version: 1 } as const;
  const where = { latitude: null, longitude: null, accuracy: null };
  const alerts = await db
    .insertInto("alerts")
    .values([1, 3, 2].map((status) => ({ ...raised, ...what, ...where, rule: `${status}`, number: status, status })))
    .returning("id")
    .execute();
  const [alert, completed, unseen] = alerts.map((row) => row.id) as [number, number, number];
  await db.updateTable("companies").set({ delivers: 1 }).execute();
  const sent = { name: "Rita", email: "rita@recipient.example" };
  await call("sendDocument", { token: admin.token, params: { id: active }, body: sent });
  const former = (await user(id, { name: "Former" })).id;
  const returning = (await user(id, { name: "Returning" })).id;
  for (const removed of [former, returning]) await call("removeUser", { token: admin.token, params: { id: removed } });
  const invited = (await user(id, { name: "Invited" })).id;
  await db.updateTable("users").set({ password_hash: null }).where("id", "=", invited).execute();
  await companySigner(provider.services, id);
  const { id: sealKey } = await db.selectFrom("seal_keys").select("id").executeTakeFirstOrThrow();
  const { id: host } = await db
    .insertInto("company_hosts")
    .values({ ...requestedHost, company_id: id })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { id: reason } = await db.selectFrom("withdrawal_reasons").select("id").executeTakeFirstOrThrow();
  const range = (await call("createNumberRange", { token: admin.token, body: { next_number: "HR-1" } })).json
    .id as number;
  const template = (await call("createTemplate", { token: admin.token, body: aTemplate("Certificate") })).json.id;
  const webhook = await addWebhook(provider, admin.token, "Ledger");
  const webhookSpare = await addWebhook(provider, admin.token, "Spare");
  const webhookOn = await addWebhook(provider, admin.token, "On");
  const webhookOff = await addWebhook(provider, admin.token, "Off");
  await call("disableWebhook", { token: admin.token, params: { id: webhookOff } });
  await call("testWebhook", { token: admin.token, params: { id: webhook } });
  await db.updateTable("webhook_deliveries").set({ state: "failed", next_at: null }).execute();
  const released = { document_type: "Policy", branch_id: "", access_group_id: "", field: "", at_least: "" };
  const rule = (await call("createReleaseRule", { token: admin.token, body: { ...released, releasers: 1 } })).json.id;
  const records = {
    rule: rule as number,
    release: await releaseOf({ db, active: copied }, admin.id),
    returned: await releaseOf({ db, active: copied }, admin.id),
    webhook,
    webhookOff,
    webhookOn,
    webhookSpare,
    key: (await addKey(provider, colleague.id)).id,
    template: template as number,
    sealKey,
    host,
    reason,
    range,
    former,
    returning,
    invited,
    nothing: nothing.id,
    spare: spare.id,
    branchId,
    colleague,
    active,
    archived,
    exited,
    copied,
  };
  const scan = await scanWithPlace(provider, active);
  return { ...provider, issuer, companyId: id, admin, alert, completed, unseen, scan, ...records };
}

async function addWebhook({ call }: TestProvider, token: string, name: string) {
  return (await call("createWebhook", { token, body: { ...webhookForm, name } })).json.id as number;
}

/** A view that the user just saved. */
async function viewOf({ db, companyId }: World, { id: user_id }: User) {
  const row = { company_id: companyId, user_id, list: "documents", name: "Mine", name_key: `mine ${++views}` } as const;
  const saved = { ...row, query: "", columns: "[]", access_group_id: null, version: 1 };
  return (await db.insertInto("saved_views").values(saved).returning("id").executeTakeFirstOrThrow()).id;
}

/** What the user asked for, which waits to be released. */
async function releaseOf({ db, active }: { db: Db; active: number }, drafter_id: number) {
  const document = db.selectFrom("documents").where("id", "=", active).selectAll();
  const { id, company_id, owner_id, name, number, document_type, version } = await document.executeTakeFirstOrThrow();
  const of = { company_id, owner_id, branch_id: null, access_group_id: null, name, number, document_type };
  const act = { act: "exit", form: JSON.stringify({ act: { action: "exit", reason: "", note: "" } }) } as const;
  const none = { folder: null, idempotency_key: null, request_digest: null, first_id: null, released_id: null };
  const at = { created_at: "2026-11-21T10:00:00.000Z", changed_at: "2026-11-21T10:00:00.000Z" };
  const row = { document_id: id, document_version: version, drafter_id, needed: 1, ...of, ...act, ...none, ...at };
  return (await db.insertInto("releases").values(row).returning("id").executeTakeFirstOrThrow()).id;
}

/** A bulk action of the user that can be undone, without rows that it reached. */
async function bulkActionOf({ db, companyId }: World, user_id: number) {
  const at = "2026-11-21T10:00:00.000Z";
  const what = { company_id: companyId, user_id, noun: "documents", act: "archive", parameters: "{}" } as const;
  const action = { ...what, created_at: at, finished_at: at, undo_of: null, key: null };
  const { id } = await db.insertInto("bulk_actions").values(action).returning("id").executeTakeFirstOrThrow();
  const row = { bulk_action_id: id, record_id: 999999, label: "", state: "done", expected_version: null } as const;
  await db
    .insertInto("bulk_action_rows")
    .values({ ...row, version_after: 1 })
    .execute();
  return id;
}

const sessionOf = async ({ db }: World, userId: number) => {
  const sessions = db.selectFrom("tokens").where("user_id", "=", userId).where("public_id", "is not", null);
  return (await sessions.select("public_id").executeTakeFirst())?.public_id ?? 1;
};

async function scanWithPlace({ call, db }: TestProvider, document: number) {
  const { code } = await db.selectFrom("documents").where("id", "=", document).select("code").executeTakeFirstOrThrow();
  const params = { code };
  const { scan } = (await call("recordScan", { params, body: {} })).json;
  await call("locateScan", { params, body: { scan, latitude: 53.5, longitude: -2.2, accuracy: 20 } });
  return (await db.selectFrom("scans").select("id").executeTakeFirstOrThrow()).id;
}

let worldPromise: Promise<World> | undefined;
const theWorld = () => (worldPromise ??= makeWorld());

const tables = [
  "companies",
  "branches",
  "access_groups",
  "users",
  "tokens",
  "second_factors",
  "recovery_codes",
  "passkeys",
  "api_keys",
  "email_changes",
  "documents",
  "document_copies",
  "custom_fields",
  "page_files",
  "alerts",
  "alert_comments",
  "alert_mentions",
  "scans",
  "audit",
  "outbox",
  "recipients",
  "recipient_mails",
  "seal_keys",
  "saved_views",
  "withdrawal_reasons",
  "number_ranges",
  "calendar_feeds",
  "templates",
  "webhooks",
  "webhook_keys",
  "webhook_deliveries",
  "releases",
] as const satisfies (keyof Tables)[];

/** Everything that a call could change but what happens to the user themselves, and all files. */
async function stateWithout({ db, services }: World, actor: User) {
  const rows = await Promise.all(
    tables.map((table) =>
      db
        .selectFrom(table as "audit")
        .selectAll()
        .execute(),
    ),
  );
  // Each test gives its actor the one passkey and challenge that are known before.
  const parameters = [passkey.id, tokenHash(issuedChallenge.challenge)];
  type Row = { id?: number | string; user_id?: number; drafter_id?: number; hash?: string; credential_id?: string };
  const isOthers = ({ id, user_id, drafter_id, hash, credential_id }: Row, table: string) =>
    table === "users"
      ? id !== actor.id
      : ![user_id, drafter_id].includes(actor.id) && !parameters.includes(hash ?? credential_id ?? "");
  const files = [];
  for await (const key of services.files.keys()) files.push(key);
  return [...tables.map((table, n) => [table, rows[n]!.filter((row) => isOthers(row, table))]), files.toSorted()];
}

/** The user's own row, but for what the fate changed in it. */
const ownRow = async ({ db }: World, { id }: User) => {
  const row = await db.selectFrom("users").where("id", "=", id).selectAll().executeTakeFirstOrThrow();
  return { ...row, active: 0, access_group_id: 0 };
};

async function requestOf(
  world: World,
  name: CallName,
  actor: User,
  { body, type }: { body?: BodyInit; type?: string } = {},
) {
  const { method, path }: Call = calls[name];
  const { id, n, rule, own: find } = sendings[name]!;
  const own = await find?.(world, actor);
  const filled = path
    .replace("{session}", String(own))
    .replace("{key}", String(own))
    .replace("{id}", String(id?.(world) ?? own))
    .replace("{n}", String(n))
    .replace("{rule}", String(rule));
  const headers = { authorization: `Bearer ${actor.token}`, ...(type && { "content-type": type }) };
  const init = { method, headers, ...(body && { body, duplex: "half" }) };
  return new Request(`http://provider/api${filled}`, init as RequestInit);
}

/** A call's body as bytes, with its type. */
async function encoded(world: World, name: CallName) {
  const body = sendings[name]!.body?.(world);
  if (!body) return undefined;
  const encodedBody = new Response(body instanceof FormData ? body : JSON.stringify(body));
  const type = body instanceof FormData ? encodedBody.headers.get("content-type")! : "application/json";
  return { body: new Uint8Array(await encodedBody.arrayBuffer()), type };
}

/** Sends a call whose body begins, and goes on once something has happened. */
async function whileItArrives(world: World, name: CallName, actor: User, happens: () => Promise<unknown>) {
  const { body: bytes, type } = (await encoded(world, name))!;
  const parts = [bytes.subarray(0, 10), bytes.subarray(10)];
  const body = new ReadableStream<Uint8Array>(
    {
      // Read for the first time after the user was looked up.
      async pull(controller) {
        if (parts.length === 1) await happens();
        controller.enqueue(parts.shift()!);
        if (parts.length === 0) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return world.provider.fetch(await requestOf(world, name, actor, { body, type }), { clientAddress: "192.0.2.1" });
}

/** Sends a call, and has something happen after its user was last looked up outside of the transaction. */
async function beforeItActs(world: World, name: CallName, actor: User, happens: (db: Db) => Promise<unknown>) {
  const encodedBody = await encoded(world, name);
  const request = await requestOf(world, name, actor, encodedBody);
  const lookups = encodedBody ? 2 : 1;
  let matchCount = 0;
  const fetch = (then: () => void) =>
    world.provider.fetch(request, { clientAddress: "192.0.2.1", onUser: () => ++matchCount === lookups && then() });
  if (!world.isShared) {
    // One connection, which serves in the order of asking.
    let happened: Promise<unknown> | undefined;
    const answer = await fetch(() => (happened = happens(world.db)));
    await happened;
    return answer;
  }
  let answer: Promise<Response>;
  await inCompanyTransaction(world.db, world.companyId, async (transaction) => {
    await new Promise<void>((resolve) => {
      answer = fetch(resolve);
    });
    await happens(transaction);
  });
  return answer!;
}

const writing = (Object.keys(calls) as CallName[]).filter((name) => {
  const { method, access }: Call = calls[name];
  return method !== "GET" && access !== "public" && !harmless.includes(name);
});

const moments = { "while it arrives": whileItArrives, "before it acts": beforeItActs };
type Moment = keyof typeof moments;

const cases = writing.flatMap((name) => {
  const { access, body }: Call = calls[name];
  const moments: Moment[] = body ? ["while it arrives", "before it acts"] : ["before it acts"];
  const possible = (Object.keys(fates) as Fate[]).filter(
    (fate) => access !== "signed-in" || fates[fate].status === 401,
  );
  return moments.flatMap((moment) =>
    possible.map((fate) => [`${name}, whose user ${fate} ${moment}`, { name, moment, fate }] as const),
  );
});

suite("A call whose user loses the right during it", () => {
  test("covers every writing call", () => {
    expect(writing.filter((name) => !sendings[name])).toEqual([]);
  });

  test.each(cases)("%s, changes nothing", async (_, { name, moment, fate }) => {
    const world = await theWorld();
    const actor = await world.user(world.companyId, { name: "Una", group: "Everything" });
    const [before, own] = [await stateWithout(world, actor), await ownRow(world, actor)];
    const { happens, status } = fates[fate];
    const answer = await moments[moment](world, name, actor, (db?: Db) => happens(db ?? world.db, actor, world));
    expect(answer.status).toBe(status);
    expect(await stateWithout(world, actor)).toEqual(before);
    expect(await ownRow(world, actor)).toEqual(own);
  });

  test("is otherwise done", async () => {
    const world = await makeWorld();
    const actor = await world.user(world.companyId, { name: "Una", group: "Everything" });
    const others = writing.filter((name) => !first.includes(name) && !last.includes(name));
    for (const name of [...first, ...others, ...last]) {
      const encodedBody = await encoded(world, name);
      const request = await requestOf(world, name, actor, encodedBody);
      const answer = await world.provider.fetch(request, { clientAddress: "192.0.2.1" });
      expect(answer.status, `${name}: ${await answer.text()}`).toBe(calls[name].status);
    }
  });
});

/** Others end what these need. */
const first: CallName[] = ["prove", "updateUser", "changeEmail", "resendEmail", "resendUserEmail"];

/** After these, others would find nothing to change. */
const last: CallName[] = [
  "cancelEmail",
  "cancelUserEmail",
  "removeWithdrawalReason",
  "removeNumberRange",
  "exitDocument",
  "archiveDocument",
  "endUserSession",
  "endUserSessions",
  "clearUserSecondFactor",
  "removeUser",
  "removeAccessGroup",
  "removeBranch",
  "endOwnSession",
];
