import type { CallName } from "../scim.ts";
import type { CallInput } from "../../fixtures/call.ts";
import type { Ask, Event, Person } from "../observation.ts";
import { type Caller, callersOf, scopeOf, sees } from "./access.ts";
import { countAlerts } from "./alerts.ts";
import { countAudit } from "./causes.ts";
import { countMails, countWebhooks } from "./messages.ts";
import { factOf } from "./effects.ts";
import { findUnreleased } from "./releases.ts";
import { dayIn, type Fact, type Noun, type Span, type World } from "./world.ts";

/** What lists, counters, bills and verdicts have to say while nothing happens. */

export type Rest = { world: World; events: readonly Event[]; at: Date; ask: Ask; broken: string[] };

/** All rows of a list, page by page; undefined if it is refused. */
async function rowsOf(rest: Rest, by: Person, call: CallName, { query, ...input }: CallInput = {}) {
  const rows: any[] = [];
  for (let page = 1; ; page++) {
    const { status, json } = await rest.ask(by, call, { ...input, query: { ...query, page, per_page: 100 } });
    if (status !== 200) return undefined;
    rows.push(...json);
    if (json.length < 100) return rows;
  }
}

const lists: [Noun, CallName, CallInput["query"]][] = [
  ["document", "listDocuments", { status: "active,exited,archived" }],
  ["user", "listUsers", { active: "1" }],
  ["user", "listUsers", { active: "0" }],
  ["branch", "listBranches", {}],
  ["group", "listAccessGroups", {}],
];

export async function compareAtRest(
  given: Omit<Rest, "broken"> & { administrators: readonly Person[] },
): Promise<string[]> {
  const rest: Rest = { ...given, broken: [] };
  const compared = new Set<string>();
  for (const administrator of given.administrators)
    if (await compareCompany(rest, administrator)) compared.add(administrator.company!);
  for (const [code, { document }] of rest.world.codes) {
    if (rest.world.knows("document", document)) await rest.ask({ name: "a stranger" }, "verify", { params: { code } });
  }
  rest.broken.push(...countWebhooks(rest), ...countMails(rest));
  const isOpen = ({ company }: { company: string }) => !compared.has(company);
  rest.world.pending = rest.world.pending.filter(isOpen);
  rest.world.later = rest.world.later.filter(isOpen);
  return [...new Set<string>(rest.broken)];
}

/** Whoever certainly reads all of a company; who may do so is asked who they are. */
async function readerOf(rest: Rest, company: string, span: Span): Promise<Person | undefined> {
  const { world, ask } = rest;
  const isWhole = (caller: Caller) =>
    typeof caller !== "string" &&
    caller.isAdministrator &&
    (["docs", "users", "branches", "alerts"] as const).every(
      (area) => scopeOf(caller.permission(area), "read") === "C",
    );
  for (const [user] of world.all("user", company, span)) {
    const person = { name: user!.name, company, email: user!.email };
    if (!callersOf(world, person, span).some((caller) => caller === "unknown" || isWhole(caller))) continue;
    if (!(await adoptReply(rest, person, "user", ["currentUser"]))) continue;
    await ask(person, "listAccessGroups");
    if (callersOf(world, person, world.rest).every(isWhole)) return person;
  }
  return undefined;
}

/** Takes a record for what a read says at rest. */
async function adoptReply({ world, at, ask }: Rest, by: Person, noun: Noun, [call, id]: [CallName, number?]) {
  const { status, json } = await ask(by, call, id === undefined ? {} : { params: { id } });
  if (status !== 200) return false;
  const source = { at, began: 0, ended: world.step, by, call, input: {}, reply: { status, json, headers: {} } };
  const [before] = world.during(noun, json.id, world.rest);
  const unseen = { lost_copies: before?.lost_copies, left: before?.left };
  world.adopt(noun, json.id, { ...factOf(world, noun, json, by.company!), ...unseen }, source);
  return true;
}

/** Whether somebody could read all of it. */
async function compareCompany(rest: Rest, founder: Person): Promise<boolean> {
  const { world, broken } = rest;
  const company = founder.company!;
  await rest.ask(founder, "currentUser");
  await rest.ask(founder, "listAccessGroups");
  const span = world.rest;
  const callers = world
    .all("user", company, span)
    .flatMap(([user]) => callersOf(world, { name: "", company, email: user!.email }, span));
  const mayRule = callers.some((caller) =>
    typeof caller === "string" ? caller === "unknown" : caller.isAdministrator,
  );
  if (callers.length > 0 && !mayRule) broken.push(`P-04: ${company} has no administrator`);
  const by = await readerOf(rest, company, span);
  if (!by) return false;
  const rows: Partial<Record<Noun, any[]>> = {};
  for (const [noun, call, query] of lists) {
    const listed = await rowsOf(rest, by, call, { query });
    if (!listed) return false;
    rows[noun] = [...(rows[noun] ?? []), ...listed];
  }
  for (const [noun, listed] of Object.entries(rows) as [Noun, any[]][]) {
    const ids = new Set(listed.map(({ id }) => id));
    const gone = world.all(noun, company, span).filter(([fact]) => !ids.has(fact!.id) && !fact!.erased);
    for (const [fact] of gone) broken.push(`P-08: ${noun} ${fact!.id} of ${company} was acknowledged and is gone`);
    for (const { id } of listed) await tighten(rest, by, noun, id);
  }
  const documents = rows.document!;
  const active = rows.user!.filter((user) => user.active);
  for (const group of rows.group!) {
    const members = active.filter((user) => user.staff_id === group.id).length;
    if (members !== (group.members ?? members))
      broken.push(`P-17: ${group.name} has ${members} members, and counts ${group.members}`);
  }
  await compareBill(rest, by, { users: active.length, documents });
  for (const { name, email } of active) await comparePerson(rest, { name, company, email });
  compareNumbers(rest, company, documents);
  broken.push(...findUnreleased(world, company, documents));
  const commented = world.changes.filter((one) => one.call === "addComment" && one.by.company === company);
  for (const id of new Set(commented.map(({ input }) => input.params!.id!)))
    await rest.ask(by, "listComments", { params: { id } });
  const [alerts, trail] = [
    await rowsOf(rest, by, "listAlerts"),
    await rowsOf(rest, by, "listAudit", { query: { trail: "changes" } }),
  ];
  if (alerts) broken.push(...countAlerts(world, company, alerts));
  if (trail) broken.push(...countAudit(world, company, trail));
  return true;
}

/** Reads once what jobs and lost calls left open, and what lists don't say of documents. */
async function tighten(rest: Rest, by: Person, noun: Noun, id: number) {
  const values = rest.world.during(noun, id, rest.world.rest);
  const call = ({ document: "getDocument", user: "getUser", branch: "getBranch", group: "getAccessGroup" } as const)[
    noun as "user"
  ];
  const isVague = values.some((value) => value?.isLoose || (noun === "document" && !value?.created_at));
  if (values.length === 1 && !isVague) return;
  await adoptReply(rest, by, noun, [call, id]);
}

/** A user sees what their rights say, and counters count it. */
async function comparePerson(rest: Rest, person: Person) {
  const { world, broken } = rest;
  const span = world.rest;
  const { json: user, status } = await rest.ask(person, "currentUser");
  const documents = status === 200 ? await rowsOf(rest, person, "listDocuments", { query: lists[0]![2] }) : undefined;
  if (!documents) return;
  const ids = new Set(documents.map(({ id }) => id));
  const callers = callersOf(world, person, span);
  for (const values of world.all("document", person.company!, span)) {
    const must = callers.every(
      (caller) => typeof caller !== "string" && values.every((value) => sees(world, caller, "document", value)),
    );
    if (must && !ids.has(values[0]!.id))
      broken.push(`P-07: ${person.name} misses document ${values[0]!.id} in the list`);
  }
  const { usage, alerts_open, awaiting_release: awaiting } = user;
  if (usage && !usage.documents_capped && usage.documents !== ids.size)
    broken.push(`P-17: ${person.name} reads ${ids.size} documents, and the header says ${usage.documents}`);
  const open = await rowsOf(rest, person, "listAlerts", { query: { state: "open" } });
  if (open && alerts_open !== undefined && open.length !== alerts_open)
    broken.push(`P-17: ${person.name} reads ${open.length} open alerts, and the header says ${alerts_open}`);
  const releases = await rowsOf(rest, person, "listReleases");
  const theirs = releases?.filter((release) => release.may_release && release.state === "waiting");
  if (theirs && awaiting !== undefined && theirs.length !== awaiting)
    broken.push(`P-17: ${person.name} may release ${theirs.length}, and the header says ${awaiting}`);
}

/** Bill = max(minimum, users × price) + extra pages (docs/open-points.md, "Tariffs"). */
async function compareBill(rest: Rest, by: Person, { users, documents }: { users: number; documents: Fact[] }) {
  const { world, at, broken } = rest;
  const { json: bill, status } = await rest.ask(by, "companyBill");
  const { json: tariffs } = await rest.ask(by, "listTariffs");
  if (status !== 200) return;
  const span = world.rest;
  const zone = String(world.during("company", by.company!, span).at(-1)!.timezone);
  const month = dayIn(zone, at).slice(0, 7);
  const facts = documents.map(({ id }) => world.during("document", id, span).at(-1));
  const issued = facts.filter((fact) => fact?.created_at && dayIn(zone, new Date(fact.created_at)).startsWith(month));
  const pages = issued.reduce((sum, fact) => sum + fact!.pages, 0);
  const current = tariffs.filter((tariff: any) => tariff.active);
  const [{ price_per_user: price, min_monthly: least, pages: included, extra_page: extra }] =
    current.length > 0 ? current : [{}];
  const amount =
    typeof price !== "number"
      ? null
      : Math.round(100 * (Math.max(least, users * price) + Math.max(0, pages - included) * extra)) / 100;
  const right = { users, pages, amount, period: month };
  for (const [field, value] of Object.entries(right)) {
    if (bill[field] !== value) broken.push(`P-20: the bill of ${by.company} has ${field} ${bill[field]}, not ${value}`);
  }
  if (current.length !== 1) broken.push(`P-20: ${by.company} has ${current.length} tariffs`);
}

/** Numbers are unique; those that a range gave have no gap between changes of ranges. */
function compareNumbers({ world, broken }: Rest, company: string, documents: Fact[]) {
  const numbers = new Set<string>();
  for (const { id, number } of documents) {
    if (numbers.has(number.toLowerCase()))
      broken.push(`P-13: ${number} of ${company} was given twice, to document ${id} as well`);
    numbers.add(number.toLowerCase());
  }
  for (const { number } of world.everything("release", company)) numbers.add(String(number).toLowerCase());
  const runs = new Map<string, { digits: number; first: number; last: number }>();
  let segment = 0;
  for (const { call, by, reply, input } of world.changes) {
    if (by.company !== company || reply === "lost") continue;
    if (call.endsWith("NumberRange") && call !== "listNumberRanges") segment++;
    const typed = input.body instanceof FormData ? input.body.get("number") : (input.body as any)?.number;
    if (call !== "storeDocument" || typed || segment === 0) continue;
    const [, prefix = "", digits = ""] = /^(.*?)(\d+)$/.exec(reply.json.number) ?? [];
    if (!digits || prefix === "NM-") continue;
    const [key, n] = [`${segment} ${prefix}`, Number(digits)];
    const run = runs.get(key) ?? { digits: digits.length, first: n, last: n };
    runs.set(key, { ...run, first: Math.min(run.first, n), last: Math.max(run.last, n) });
  }
  // Each year but the one in which a range begins has its numbers from 1 on.
  const restarts = world
    .everything("range", company)
    .filter((range) => ["1", "true"].includes(String(range.restarts)))
    .flatMap((range) => {
      const [, start = "", year = ""] = /^(.*?)(\d{4})/.exec(range.next_number) ?? [];
      return start && [1, 2].map((years) => start + String(Number(year) + years));
    });
  for (const [key, { digits, first, last }] of runs) {
    const prefix = key.slice(key.indexOf(" ") + 1);
    for (let n = restarts.some((start) => prefix.startsWith(start)) ? 1 : first; n < last; n++) {
      const number = prefix + String(n).padStart(digits, "0");
      if (!numbers.has(number.toLowerCase())) broken.push(`P-13: ${number} of ${company} is a gap in its range`);
    }
  }
}
