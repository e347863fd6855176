import { type Actor, branchesWithin, scopeOf, usersWithin } from "../access.ts";
import { dateIn } from "../calendar/calendar.ts";
import { foundOfEach, search } from "../contract/search.ts";
import { asBranch, branchRows } from "../branches/branch-queries.ts";
import { TRUE } from "../db/flags.ts";
import { contains } from "../db/lists.ts";
import type { Db } from "../db/tables.ts";
import { asUser, userRows } from "../users/user-queries.ts";
import type { On } from "../http/endpoint.ts";
import { findAlerts, numberedAlert } from "./alerts.ts";
import { findDocuments } from "./documents.ts";
import { findExact, isMistypedCode } from "./exact.ts";
import type { Services } from "../services.ts";

/** Each kind is read with one row more than it shows. */
const limit = foundOfEach + 1;
const firstOf = <Row>(rows: Row[]) => ({ rows: rows.slice(0, foundOfEach), more: rows.length > foundOfEach });

const nothing = { rows: [], isPartial: false };
const none = { rows: [], more: false };
const emptyReply = { documents: none, users: none, branches: none, alerts: none, help: none };

export function serveSearch(on: On, { db, now }: Services) {
  on(search, async ({ actor, query: { q = "" } }) => {
    if (q === "") return { exact: null, mistyped: false, is_partial: false, ...emptyReply };
    const today = dateIn(actor.timezone, now());
    const mayReadAlerts = scopeOf(actor, "alerts", "read") !== undefined;
    const numbered = mayReadAlerts ? await numberedAlert(db, actor, q) : undefined;
    const exact = (await findExact(db, actor, q)) ?? (numbered ? { kind: "alert" as const, id: numbered.id } : null);
    const named = exact?.kind === "document" ? exact.id : undefined;
    const [documents, users, branches, alerts, help] = await Promise.all([
      scopeOf(actor, "docs", "read") ? findDocuments(db, actor, { q, today, named }) : nothing,
      findUsers(db, actor, q),
      findBranches(db, actor, q),
      numbered ? { rows: [numbered], isPartial: false } : mayReadAlerts ? findAlerts(db, actor, q) : nothing,
      findHelp(db, q),
    ]);
    return {
      exact,
      mistyped: exact === null && isMistypedCode(q),
      is_partial: documents.isPartial || alerts.isPartial,
      documents: firstOf(documents.rows),
      users: firstOf(users.map(asUser)),
      branches: firstOf(branches.map(asBranch)),
      alerts: firstOf(alerts.rows),
      help: firstOf(help),
    };
  });
}

const findUsers = (db: Db, actor: Actor, q: string) =>
  userRows(db)
    .where("users.active", "=", TRUE)
    .where(usersWithin(actor, "users", "read"))
    .where((eb) => eb.or([contains("users.name_key", q), contains("users.email_key", q)]))
    .orderBy("users.name_key")
    .orderBy("users.id")
    .limit(limit)
    .execute();

const findBranches = (db: Db, actor: Actor, q: string) =>
  branchRows(db)
    .where(branchesWithin(actor, "read"))
    .where(contains("branches.name_key", q))
    .orderBy("branches.name_key")
    .orderBy("branches.id")
    .limit(limit)
    .execute();

const findHelp = (db: Db, q: string) =>
  db
    .selectFrom("help_items")
    .selectAll()
    .where((eb) => eb.or([contains("question", q), contains("answer", q)]))
    .orderBy("id")
    .limit(limit)
    .execute();
