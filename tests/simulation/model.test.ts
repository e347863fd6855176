import { expect, test } from "vitest";
import type { CallName } from "./scim.ts";
import type { CallInput } from "../fixtures/call.ts";
import { createModel } from "./model.ts";
import type { Event, Observation, Person } from "./observation.ts";

/** Each promise has a made-up history that keeps it and one that breaks it. Promises are in docs/promises.md. */

type Part = Partial<Observation> & Pick<Observation, "call"> & { json?: any; status?: number; form?: object };
type Step = Part | Event | { at: string } | { rest: Partial<Record<CallName, any>> };

const ada: Person = { name: "Ada", company: "North", email: "ada@north.example" };
const mia: Person = { name: "Mia", company: "North", email: "mia@north.example" };
const eve: Person = { name: "Eve", company: "South", email: "eve@south.example" };
const stranger: Person = { name: "a stranger" };

const all = "C:R/W/C";
const administrators = { id: 1, name: "Administrator", docs: all, co_profile: all, branches: all, tariffs: all };
const rows = {
  administrators: { ...administrators, alerts: all, map: all, users: all, roles: all, version: 1 },
  readers: { id: 2, name: "Readers", docs: "B:R", users: "C:R", roles: "", version: 1 },
  ada: { id: 1, name: "Ada", email: ada.email, staff_id: 1, branch_id: null, active: true, version: 1 },
  mia: { id: 2, name: "Mia", email: mia.email, staff_id: 2, branch_id: 1, active: true, version: 1 },
  eve: { id: 9, name: "Eve", email: eve.email, staff_id: 1, branch_id: null, active: true, version: 1 },
  lease: {
    id: 41,
    number: "L-7",
    name: "Lease",
    email: ada.email,
    date: "2026-11-01",
    expire_date: "2026-11-20",
    pages: 3,
    status: "active",
    validity: "in force",
    branch_id: 2,
    users_access_group_id: null,
    code: "CODE",
    version: 1,
    created_at: "2026-11-10T09:00:00Z",
    log_entry: { number: 5, problem: "" },
  },
};

const get = (by: Person, call: CallName, json: any, more: Partial<Part> = {}): Part => ({ by, call, json, ...more });
const act = (by: Person, [call, id]: [CallName, number], json: any, more: Partial<Part> = {}): Part => ({
  by,
  call,
  json,
  input: { params: { id }, ...(more.form && { body: more.form }) },
  ...more,
});
const add = (by: Person, call: CallName, json: any, more: Partial<Part> = {}): Part => ({
  by,
  call,
  json,
  status: 201,
  ...more,
  input: { ...more.input, ...(more.form && { body: more.form }) },
});
const refused = (part: Part, status: number, json: any = { message: "No" }) => ({ ...part, status, json });

const office: Step[] = [
  get(ada, "currentUser", rows.ada),
  get(ada, "listAccessGroups", [rows.administrators]),
  add(ada, "createAccessGroup", rows.readers, { form: { name: "Readers", docs: "B:R", users: "C:R" } }),
  add(ada, "createUser", rows.mia, { form: { name: "Mia", email: mia.email, password: "long enough" } }),
];
const issued = add(ada, "storeDocument", rows.lease, { form: { name: "Lease", number: "L-7" } });
const exited = { ...rows.lease, status: "exited", validity: "withdrawn", version: 2 };
const exits = act(ada, ["exitDocument", 41], exited);
const verified = (verdict: string) => get(stranger, "verify", { verdict }, { input: { params: { code: "CODE" } } });
const scanned = add(stranger, "recordScan", { scan: "s" }, { input: { params: { code: "CODE" } } });

/** Takes the broken promises of a history, as ids. */
async function brokenIn(history: Step[]): Promise<string[]> {
  const model = createModel({ administrators: [ada], timeZones: { North: "Europe/London", South: "Europe/Berlin" } });
  let [step, at] = [0, new Date("2026-11-10T10:00:00Z")];
  const broken: string[] = [];
  const observe = ({ json, status = 200, form: _, ...part }: Part) => {
    at = new Date(at.getTime() + 1000);
    const reply = part.reply ?? { status, json, headers: {} };
    const observation = { at, began: step + 1, ended: step + 2, by: stranger, input: {}, ...part, reply };
    step = Math.max(step, observation.ended);
    broken.push(...model.observe(observation as Observation));
    return reply as { status: number; json: any };
  };
  for (const one of history) {
    if ("kind" in one) broken.push(...model.event({ ...one, at }));
    else if ("call" in one) observe(one);
    else if ("at" in one) at = new Date(one.at);
    else broken.push(...(await model.rest(at, async (by, call, input) => answer(by, call, input, one.rest))));
  }

  return broken.map((sentence) => sentence.slice(0, 4));

  function answer(by: Person, call: CallName, input: CallInput = {}, replies: Partial<Record<CallName, any>>) {
    const usual = { ...quiet, ...replies }[call];
    const json = typeof usual === "function" ? usual(input, by) : (usual ?? []);
    return observe({ by, call, input, json, status: call === "listAlerts" && by.email !== ada.email ? 403 : 200 });
  }
}

const people = [rows.ada, rows.mia];
const audited = (action: string, entity: string, entity_id: number) => ({
  action,
  entity,
  entity_id,
  actor: "Ada",
  changes: [],
});
const trail = [audited("added", "access group", 2), audited("added", "user", 2), audited("issued", "document", 41)];
const tariff = { id: 3, active: true, price_per_user: 40, min_monthly: 400, pages: 1, extra_page: 0.5 };
const usage = { documents: 1, pages: 3 };
/** What a company at rest answers that has issued a lease. */
const quiet: Partial<Record<CallName, any>> = {
  currentUser: (_: unknown, by: Person) =>
    by.email === ada.email
      ? { ...rows.ada, usage, alerts_open: 0 }
      : { ...rows.mia, usage: { documents: 0 }, alerts_open: 0 },
  listDocuments: (_: unknown, by: Person) => (by.email === ada.email ? [rows.lease] : []),
  listUsers: ({ query }: CallInput) => (query?.active === "1" ? people : []),
  listAccessGroups: [
    { ...rows.administrators, members: 1 },
    { ...rows.readers, members: 1 },
  ],
  companyBill: { users: 2, pages: 3, amount: 401, period: "2026-11" },
  listTariffs: [tariff],
  listAudit: trail,
  verify: { verdict: "in force" },
};

const out = { ...rows.lease, validity: "withdrawn" };
const hook = { name: "Ledger", url: "https://n.example", events: ["document.issued"] };
const hooked = [...office, add(ada, "createWebhook", { id: 1 }, { form: hook })];
const posted = (id: string, isAnswered = true) => ({
  kind: "webhook" as const,
  at: new Date(),
  url: hook.url,
  id,
  isAnswered,
  body: { type: "document.issued", data: { document_id: 41 } },
});
const sent = (id: string, isAnswered: boolean): Event => ({ ...mail, id, isAnswered });
const mail = {
  kind: "mail" as const,
  at: new Date(),
  to: "mia@north.example",
  subject: "A",
  text: "B",
  id: "1",
  isAnswered: true,
};
const withdrawalAlert = {
  id: 5,
  number: "AL-000005",
  document_id: 41,
  alert: "Withdrawn document scanned",
  date: "2026-11-10T10:00:05Z",
  status: 2,
  copy: null,
  count: 1,
};
const range = add(ada, "createNumberRange", { id: 1, next_number: "C-1" }, { form: { next_number: "C-1" } });
const numbered = (id: number, number: string) =>
  add(ada, "storeDocument", { ...rows.lease, id, number, code: `CODE${id}` }, { form: { name: "Lease" } });
const atRest = (...history: Step[]): Step[] => [...office, issued, ...history];
const exitedAtRest = {
  listDocuments: [{ ...exited, branch: "" }],
  listAudit: [...trail, audited("exited", "document", 41)],
};
const withdrawnAtRest = {
  ...exitedAtRest,
  listDocuments: (_: unknown, by: Person) => (by.email === ada.email ? [exited] : []),
  verify: { verdict: "withdrawn" },
  currentUser: (input: unknown, by: Person) => ({
    ...quiet.currentUser(input, by),
    alerts_open: by.email === ada.email ? 1 : 0,
  }),
};
const two = (last: typeof rows.lease, number = "C-1") => ({
  listDocuments: (_: unknown, by: Person) => (by.email === ada.email ? [{ ...rows.lease, number }, last] : []),
  companyBill: { users: 2, pages: 6, amount: 402.5, period: "2026-11" },
  currentUser: (input: unknown, by: Person) => ({
    ...quiet.currentUser(input, by),
    usage: { documents: by.email === ada.email ? 2 : 0 },
  }),
  listAudit: [...trail, audited("issued", "document", last.id)],
});
const retry = (id: number) =>
  add(
    ada,
    "storeDocument",
    { ...rows.lease, id },
    { form: { name: "Lease" }, input: { headers: { "Idempotency-Key": "k" } } },
  );
const edit = (version: number, status = 200) =>
  act(ada, ["updateDocument", 41], { ...exited, version: 3 }, { status, form: { name: "Lease", version } });

const replaces = (id: number) =>
  add(
    ada,
    "storeDocument",
    { ...rows.lease, id, number: `L-${id}`, code: `CODE${id}` },
    { form: { name: "Lease", replaces: 41 } },
  );

/** The place in the audit trail where Mia completes an alert, beside the loss of her right to. */
const trailOfRights = (place: number) => {
  const fields = (values: object) => Object.entries(values).map(([field, after]) => ({ field, after }));
  const entries = [
    { ...trail[0], changes: fields({ name: "Readers", alerts: "C:R/W" }) },
    { ...trail[1], changes: fields({ name: "Mia", staff: "Readers", active: true }) },
    trail[2],
    { ...audited("changed", "access group", 2), changes: fields({ alerts: "C:R" }) },
  ];
  entries.splice(place, 0, { ...audited("completed", "alert", 5), actor: "Mia" });
  return entries.map((entry, n) => ({ ...entry, id: n + 1 }));
};
const yearlyRange = { id: 1, next_number: "C-2026-1", restarts: true };
const afterNewYear = (number: string): Step[] => [
  ...office,
  add(ada, "createNumberRange", yearlyRange, { form: yearlyRange }),
  numbered(41, "C-2026-1"),
  numbered(42, number),
  { rest: two({ ...rows.lease, id: 42, number }, "C-2026-1") },
];
const scannedAgain = (status: number) =>
  atRest(
    exits,
    scanned,
    act(ada, ["completeAlert", 5], { ...withdrawalAlert, status: 3, note: "Seen" }, { form: { note: "Seen" } }),
    scanned,
    {
      rest: {
        ...withdrawnAtRest,
        listAlerts: [{ ...withdrawalAlert, status, count: 2 }],
        listAudit: [...exitedAtRest.listAudit, audited("completed", "alert", 5)],
      },
    },
  );
const reminder = (days: number): Event => ({
  ...mail,
  subject: "Ends soon",
  text: `${days} days: https://n.example/documents/41?dialog=prolong`,
});
const renames = (name: string, shown: string, [began, ended]: [number, number]): Part => ({
  ...act(ada, ["updateWebhook", 1], { ...hook, id: 1, name: shown }, { form: { name } }),
  began,
  ended,
});
const comments = (text: string) =>
  add(ada, "addComment", { id: 3, text }, { form: { text }, input: { params: { id: 5 } } });
const erasesMia = act(ada, ["eraseUser", 2], undefined, { status: 204 });
const readsComment = get(ada, "listComments", [{ id: 3, text: "1: ask @Mia, please" }], {
  input: { params: { id: 5 } },
});

const directory: Person = { name: "Directory", company: "North", email: ada.email };
const connected: Step[] = [
  ...office,
  add(ada, "createOwnKey", { id: 1, name: "Directory", scope: "scim", areas: [], expires_on: "2027-01-01" }),
];
const locks = act(directory, ["changeScimUser", 2], { ...rows.mia, active: false }, { form: { active: false } });
const removes = act(ada, ["removeUser", 2], undefined, { status: 204 });
let attempts = 0;
const signsOn = (groups: string[], status = 200): Part => {
  const claims = { sub: "mia", email: mia.email!, email_verified: true, name: "Mia", groups };
  return get(
    mia,
    "endSingleSignOn",
    { user: rows.mia },
    { status, input: { claims, body: { attempt: `${++attempts}` } } },
  );
};
const readers = { ...rows.readers, identity_groups: "readers", version: 2 };
const claimed = [...office, act(ada, ["updateAccessGroup", 2], readers, { form: readers }), signsOn(["readers"])];

const holder: Person = { name: "Hedy", email: "hedy@mail.example" };
const sends = add(ada, "sendDocument", { id: 7, email: holder.email }, { input: { params: { id: 41 } } });
const ends = act(ada, ["endRecipient", 41], { id: 7 }, { input: { params: { id: 41, n: 7 } } });
const form = { name: "Lease", number: "L-7", document_type: "Permit" };
const drafted = add(ada, "storeDocument", { awaiting_release: 5, number: "L-7" }, { form });
const releases = (by: Person, releasers = 1) =>
  act(by, ["releaseDraft", 5], { id: 5, state: "released", act: "issue", document: 41, releasers, version: 1 });
const ruled = add(ada, "createReleaseRule", { id: 3, document_type: "Permit", releasers: 1 });
const permit = add(ada, "storeDocument", { ...rows.lease, document_type: "Permit" }, { form });
const later = { ...rows.lease, document_type: "Permit", expire_date: "2026-12-20", version: 2 };
const prolongs = act(ada, ["prolongDocument", 41], later);
const receives = (by: Person, verdict = "in force") =>
  get(by, "getReceived", { verdict }, { input: { params: { id: 7 } } });

const showsRow = (document: number) =>
  get(ada, "listBulkRows", [{ line: 2, state: "issued", document, release: null }], { input: { params: { id: 1 } } });

const completes = (case_state: string, note = "Seen"): Step[] => [
  ...office,
  get(ada, "listAlerts", [{ ...withdrawalAlert, note: "" }]),
  act(
    ada,
    ["completeAlert", 5],
    { ...withdrawalAlert, status: 3, case_state, note },
    { form: { note: "Seen", outcome: "fake" } },
  ),
];

const histories: Record<string, [promise: string, keeps: Step[], breaks: Step[]]> = {
  "answers as the contract says": ["P-01", [verified("x")], [refused(verified("x"), 500)]],
  "a removed user is signed out": [
    "P-02",
    [...office, act(ada, ["removeUser", 2], undefined, { status: 204 }), refused(get(mia, "listDocuments", []), 401)],
    [...office, act(ada, ["removeUser", 2], undefined, { status: 204 }), get(mia, "listDocuments", [])],
  ],
  "a user whom the directory deactivates is signed out": [
    "P-02",
    [...connected, locks, refused(get(mia, "listDocuments", []), 401)],
    [...connected, locks, get(mia, "listDocuments", [])],
  ],
  "a removed user comes back by no identity provider": [
    "P-27",
    [...claimed, removes, signsOn(["readers"], 422)],
    [...claimed, removes, signsOn(["readers"])],
  ],
  "a user whose claim has gone is signed out, and returns with it": [
    "P-02",
    [...claimed, signsOn([], 422), refused(get(mia, "listDocuments", []), 401), signsOn(["readers"])],
    [...claimed, signsOn([], 422), get(mia, "listDocuments", [])],
  ],
  "a user with the claim is let in": [
    "P-27",
    [...claimed, signsOn(["readers"])],
    [...claimed, signsOn(["readers"], 422)],
  ],
  "a directory is no more than its administrator": [
    "P-03",
    [...connected, locks],
    [...connected, act(ada, ["updateUser", 1], { ...rows.ada, staff_id: 2, version: 2 }), locks],
  ],
  "an ended session stays ended": [
    "P-02",
    [
      ...office,
      get(mia, "listDocuments", [], { session: "tab" }),
      add(mia, "logout", undefined, { session: "tab", status: 204 }),
    ],
    [
      ...office,
      get(mia, "listDocuments", [], { session: "tab" }),
      add(mia, "logout", undefined, { session: "tab", status: 204 }),
      get(mia, "listDocuments", [], { session: "tab" }),
    ],
  ],
  "a lost right is lost at the next call": [
    "P-03",
    [
      ...office,
      act(ada, ["updateAccessGroup", 2], { ...rows.readers, docs: "", version: 2 }, { form: { docs: "" } }),
      refused(get(mia, "listDocuments", []), 403),
    ],
    [
      ...office,
      act(ada, ["updateAccessGroup", 2], { ...rows.readers, docs: "", version: 2 }, { form: { docs: "" } }),
      get(mia, "listDocuments", []),
    ],
  ],
  "a granted right is granted": [
    "P-03",
    [...office, get(mia, "listDocuments", [])],
    [...office, refused(get(mia, "listDocuments", []), 403)],
  ],
  "nobody sees another company": [
    "P-05",
    [...office, get(eve, "currentUser", rows.eve), refused(act(eve, ["getUser", 2], {}), 404)],
    [...office, get(eve, "currentUser", rows.eve), act(eve, ["getUser", 2], rows.mia)],
  ],
  "nobody sees beyond their branch": [
    "P-07",
    [...office, issued, refused(act(mia, ["getDocument", 41], {}), 404)],
    [...office, issued, act(mia, ["getDocument", 41], rows.lease)],
  ],
  "what was acknowledged is read": [
    "P-08",
    [...office, issued, act(ada, ["getDocument", 41], rows.lease)],
    [...office, issued, act(ada, ["getDocument", 41], { ...rows.lease, name: "Sale" })],
  ],
  "what was acknowledged is found": [
    "P-08",
    [...office, issued],
    [...office, issued, refused(act(ada, ["getDocument", 41], {}), 404)],
  ],
  "what was acknowledged is listed": ["P-08", atRest({ rest: {} }), atRest({ rest: { listDocuments: [] } })],
  "a change is what was asked": [
    "P-09",
    [...office, issued, exits],
    [...office, issued, act(ada, ["exitDocument", 41], rows.lease)],
  ],
  "an alert is completed as asked": ["P-09", completes("fake"), completes("fake", "Other")],
  "a withdrawn code is not green": [
    "P-10",
    [...office, issued, exits, verified("withdrawn")],
    [...office, issued, exits, verified("in force")],
  ],
  "a code is green on its last day, in the company's time zone": [
    "P-10",
    [
      ...office,
      issued,
      { at: "2026-11-20T23:59:00Z" },
      verified("in force"),
      { at: "2026-11-21T00:01:00Z" },
      verified("expired"),
    ],
    [...office, issued, { at: "2026-11-21T00:01:00Z" }, verified("in force")],
  ],
  "a list says the same as a scan": [
    "P-11",
    [...office, issued, get(ada, "listDocuments", [rows.lease])],
    [...office, issued, get(ada, "listDocuments", [out])],
  ],
  "acts depend on the state": [
    "P-12",
    [...office, issued, exits, refused(exits, 409)],
    [...office, issued, exits, { ...exits, json: { ...exited, version: 3 } }],
  ],
  "numbers are given once": [
    "P-13",
    atRest({ rest: {} }),
    atRest({ rest: { listDocuments: [rows.lease, { ...rows.lease, id: 42 }] } }),
  ],
  "a range has no gap": [
    "P-13",
    [
      ...office,
      range,
      numbered(41, "C-1"),
      numbered(42, "C-2"),
      { rest: two({ ...rows.lease, id: 42, number: "C-2" }) },
    ],
    [
      ...office,
      range,
      numbered(41, "C-1"),
      numbered(43, "C-3"),
      { rest: two({ ...rows.lease, id: 43, number: "C-3" }) },
    ],
  ],
  "an older version overwrites nothing": [
    "P-14",
    [...office, issued, exits, edit(1, 409)],
    [...office, issued, exits, edit(1)],
  ],
  "a retry is the same act": ["P-15", [...office, retry(41), retry(41)], [...office, retry(41), retry(42)]],
  "a total equals its rows": [
    "P-16",
    [
      ...office,
      get(mia, "listUsers", people, { reply: { status: 200, json: people, headers: { "x-total-count": "2" } } }),
    ],
    [
      ...office,
      get(mia, "listUsers", people, { reply: { status: 200, json: people, headers: { "x-total-count": "3" } } }),
    ],
  ],
  "counters equal counts": [
    "P-17",
    atRest({ rest: {} }),
    atRest({ rest: { listAccessGroups: [{ ...rows.administrators, members: 2 }, rows.readers] } }),
  ],
  "nothing appears that nobody made": [
    "P-18",
    [...office],
    [...office, get(ada, "listDocuments", [{ ...rows.lease, id: 77 }])],
  ],
  "an erased person appears nowhere": [
    "P-19",
    [...office, act(ada, ["eraseUser", 2], undefined, { status: 204 }), get(ada, "listUsers", [rows.ada])],
    [
      ...office,
      act(ada, ["eraseUser", 2], undefined, { status: 204 }),
      get(ada, "listAudit", [{ entity_name: mia.email }]),
    ],
  ],
  "an erased person is in no comment that was written before": [
    "P-19",
    [...office, erasesMia, comments("1: ask @Mia, please"), readsComment],
    [...office, comments("1: ask @Mia, please"), erasesMia, readsComment],
  ],
  "a right counts until its loss in the audit trail": [
    "P-03",
    atRest({ rest: { listAudit: trailOfRights(3) } }),
    atRest({ rest: { listAudit: trailOfRights(4) } }),
  ],
  "a range begins again with the year": ["P-13", afterNewYear("C-2027-1"), afterNewYear("C-2027-2")],
  "a completed alert is reopened if it happens again": ["P-22", scannedAgain(2), scannedAgain(3)],
  "a document is named in one reminder a day": [
    "P-24",
    atRest(reminder(7), { at: "2026-11-16T10:00:00Z" }, reminder(1), { rest: {} }),
    atRest(reminder(7), reminder(1), { rest: {} }),
  ],
  "a reply shows what was saved, by this call or one at the same time": [
    "P-09",
    [...hooked, renames("A", "A", [12, 13]), renames("B", "A", [11, 14])],
    [...hooked, renames("A", "B", [11, 12])],
  ],
  "a bill is what was used": [
    "P-20",
    atRest({ rest: {} }),
    atRest({ rest: { companyBill: { users: 3, pages: 3, amount: 401, period: "2026-11" } } }),
  ],
  "an act has an entry in the audit trail": [
    "P-21",
    atRest({ rest: {} }),
    atRest({ rest: { listAudit: trail.slice(1) } }),
  ],
  "a withdrawn document's scan raises an alert": [
    "P-22",
    atRest(exits, scanned, { rest: { ...withdrawnAtRest, listAlerts: [withdrawalAlert] } }),
    atRest(exits, scanned, { rest: withdrawnAtRest }),
  ],
  "a scan raises one alert a day": [
    "P-22",
    atRest({ rest: {} }),
    atRest(exits, scanned, {
      rest: { ...withdrawnAtRest, listAlerts: [withdrawalAlert, { ...withdrawalAlert, id: 6 }] },
    }),
  ],
  "a webhook is sent for each act": [
    "P-23",
    [...hooked, issued, posted("evt_1", false), posted("evt_1"), { rest: {} }],
    [...hooked, issued, { rest: {} }],
  ],
  "a retry has no webhook of its own": [
    "P-23",
    [...hooked, retry(41), retry(41), posted("evt_1"), { rest: {} }],
    [...hooked, retry(41), retry(41), { rest: {} }],
  ],
  "a webhook is one event": ["P-23", [], [...hooked, issued, posted("evt_1"), posted("evt_2"), { rest: {} }]],
  "a webhook that was not answered is sent again": [
    "P-23",
    [...hooked, issued, posted("evt_1", false), posted("evt_1"), { rest: {} }],
    [...hooked, issued, posted("evt_1", false), { at: "2026-11-10T12:00:00Z" }, { rest: {} }],
  ],
  "a mail whose reply was lost comes under its own id": [
    "P-24",
    atRest(sent("1", false), sent("1", true), { rest: {} }),
    atRest(sent("1", false), sent("2", true), { rest: {} }),
  ],
  "a webhook that came is not sent again": [
    "P-23",
    [...office],
    [...hooked, issued, posted("evt_1"), posted("evt_1"), { rest: {} }],
  ],
  "a company has an administrator": [
    "P-04",
    atRest({ rest: {} }),
    atRest(act(ada, ["updateUser", 1], { ...rows.ada, staff_id: 2, version: 2 }), { rest: {} }),
  ],
  "a document is replaced once": [
    "P-12",
    [...office, issued, replaces(42)],
    [...office, issued, replaces(42), replaces(43)],
  ],
  "a mail comes once": ["P-24", atRest(mail, { rest: {} }), atRest(mail, mail, { rest: {} })],
  "a row of a table is one document": [
    "P-26",
    [...office, showsRow(41), showsRow(41)],
    [...office, showsRow(41), showsRow(42)],
  ],
  "a link that was ended opens nothing": [
    "P-28",
    [...office, issued, sends, receives(holder), ends, refused(receives(holder), 401)],
    [...office, issued, sends, ends, receives(holder)],
  ],
  "a document is its holder's": [
    "P-28",
    [...office, issued, sends, exits, receives(holder, "withdrawn")],
    [...office, issued, sends, receives({ name: "Eve", email: "eve@mail.example" })],
  ],
  "nobody releases what they drafted": [
    "P-29",
    [...office, drafted, releases({ ...ada, email: "ben@north.example" })],
    [...office, drafted, releases(ada)],
  ],
  "two release what two have to": [
    "P-29",
    [...office, drafted, releases({ ...ada, email: "ben@north.example" })],
    [...office, drafted, releases({ ...ada, email: "ben@north.example" }, 2)],
  ],
  "what a rule holds back is not issued": ["P-29", [...office, permit, ruled], [...office, ruled, permit]],
  "nor is it prolonged": ["P-29", [...office, permit, prolongs, ruled], [...office, permit, ruled, prolongs]],
  "a log entry has no problem": [
    "P-25",
    [...office, issued],
    [...office, { ...issued, json: { ...rows.lease, log_entry: { number: 5, problem: "register" } } }],
  ],
};

for (const [title, [promise, keeps, breaks]] of Object.entries(histories)) {
  test(`${promise}, ${title}: the model reports the history that breaks it alone`, async () => {
    expect(await brokenIn(keeps)).toEqual([]);
    expect([...new Set(await brokenIn(breaks))]).toContain(promise);
  });
}

test("A lost withdrawal may have happened until a read decides", async () => {
  const lost: Part = { ...exits, reply: "lost" };
  expect(await brokenIn([...office, issued, lost, verified("withdrawn")])).toEqual([]);
  expect(await brokenIn([...office, issued, lost, verified("in force")])).toEqual([]);
  expect(
    await brokenIn([...office, issued, lost, act(ada, ["getDocument", 41], rows.lease), verified("withdrawn")]),
  ).toEqual(["P-10"]);
});

test("Calls that overlap may have come in either order", async () => {
  const [reads, withdraws] = [
    { ...verified("in force"), began: 10, ended: 12 },
    { ...exits, began: 9, ended: 11 },
  ];
  expect(await brokenIn([...office, issued, { ...withdraws }, { ...reads }])).toEqual([]);
});

test("A restore takes back what was acknowledged after the backup, and nothing before", async () => {
  const restored = { kind: "restored", at: new Date(), to: new Date("2026-11-10T10:00:05Z") } as const;
  expect(await brokenIn([...office, issued, exits, restored, verified("in force")])).toEqual([]);
  expect(await brokenIn([...office, issued, exits, restored, verified("withdrawn")])).toEqual(["P-10"]);
});
