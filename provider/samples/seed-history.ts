import { auditMove } from "../branches/moves.ts";
import type { AuditEntity } from "../contract/audit.ts";
import { audit, type Values } from "../audit/audit-queries.ts";
import { branchRows } from "../branches/branch-queries.ts";
import type { Db } from "../db/tables.ts";
import { auditedUser } from "../users/user-queries.ts";
import type { Services } from "../services.ts";
import { daysInMs } from "#lib/units.ts";
import { seededRandom } from "./random.ts";
import { branchClerk, company } from "./sample-company.ts";
import {
  branchClerkAdded,
  branchPasts,
  companyChanges,
  foundedDaysAgo,
  type PastChange,
  userPasts,
} from "./sample-history.ts";

/** A record as it is today, and its history. */
type Past = {
  table: "companies" | "branches" | "access_groups" | "users";
  entity: AuditEntity;
  id: number;
  name: string;
  today: Values;
  changes: PastChange[];
  /** Undefined for the company and its founder, whom `insertCompany` has audited. */
  added?: { daysAgo: number; by: string };
};

type Entry = Omit<PastChange, "action"> & { past: Past; action: "added" | "changed" | "removed"; after: Values };

/** Adds the audit trail of company, branches and users up to today, the oldest entry first. */
export async function seedHistory({ db, now }: Services, company_id: number) {
  const pasts = await readPasts(db, company_id);
  const users = new Map(pasts.filter(({ entity }) => entity === "user").map(({ name, id }) => [name, id]));
  const branches = new Map(pasts.filter(({ entity }) => entity === "branch").map(({ name, id }) => [name, id]));
  const random = seededRandom(1);
  for (const { past, daysAgo, by, action, before, after } of pasts.flatMap(entriesOf).toSorted(byAge)) {
    const { entity, id, name } = past;
    const at = new Date(now().getTime() - daysInMs(daysAgo - random() / 3));
    const actor = { id: users.get(by)!, name: by, company_id };
    await audit(db, { actor, action, subject: { entity, id, name }, at, before, after });
    if (entity !== "user") continue;
    if (action === "added") {
      const joined = { actor: { ...actor, id, name }, at: new Date(at.getTime() + daysInMs(random())) };
      await audit(db, { actor, action: "invited", subject: { entity, id, name }, at });
      await audit(db, { ...joined, action: "joined", subject: { entity, id, name } });
    }
    if (action !== "changed" || before.branch === undefined) continue;
    const branchNamed = (name: unknown) => ({ id: branches.get(String(name)) ?? null, name: String(name) });
    await auditMove(db, { actor, user: name, from: branchNamed(before.branch), to: branchNamed(after.branch), at });
  }
  for (const { table, id, changes } of pasts) {
    const version = 1 + changes.length;
    await db.updateTable(table).set({ version }).where("id", "=", id).execute();
  }
}

const byAge = (one: Entry, other: Entry) => other.daysAgo - one.daysAgo;

/** A record's entries, the oldest first: its state today, with the values before each change put back one by one. */
function entriesOf(past: Past): Entry[] {
  const entries: Entry[] = [];
  let state = past.today;
  for (const change of past.changes.toReversed()) {
    const after = Object.fromEntries(Object.keys(change.before).map((field) => [field, state[field]]));
    entries.push({ ...change, past, action: change.action ?? "changed", after });
    state = { ...state, ...change.before };
  }
  if (past.added) entries.push({ ...past.added, past, action: "added", before: {}, after: state });
  return entries.toReversed();
}

async function readPasts(db: Db, company_id: number): Promise<Past[]> {
  const branches = await branchRows(db).where("branches.company_id", "=", company_id).execute();
  const users = await db.selectFrom("users").where("company_id", "=", company_id).select(["id", "name"]).execute();
  const clerks = await db
    .selectFrom("access_groups")
    .where("company_id", "=", company_id)
    .where("name", "=", branchClerk.name)
    .select("id")
    .executeTakeFirstOrThrow();
  return [
    {
      table: "access_groups",
      entity: "access group",
      id: clerks.id,
      name: branchClerk.name,
      today: { name: branchClerk.name, ...branchClerk.permissions },
      changes: [],
      added: branchClerkAdded,
    },
    {
      table: "companies",
      entity: "company",
      id: company_id,
      name: company.name,
      today: company,
      changes: companyChanges,
    },
    ...branches.map(({ id, name, email, phone, country, city, index, address, manager }): Past => {
      const { changes, ...added } = branchPasts[name]!;
      const today = { name, email, phone, country, city, index, address, manager };
      return { table: "branches", entity: "branch", id, name, today, changes, added };
    }),
    ...(await Promise.all(
      users.map(async ({ id, name }): Promise<Past> => {
        const { changes, ...added } = userPasts[name]!;
        const today = await auditedUser(db, id);
        const isFounder = added.daysAgo === foundedDaysAgo;
        return { table: "users", entity: "user", id, name, today, changes, ...(!isFounder && { added }) };
      }),
    )),
  ];
}
