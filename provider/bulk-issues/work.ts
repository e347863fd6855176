import { PageWorkBusy } from "#lib/page-files/refusals.ts";
import { takeTurnsByCompany } from "../company/take-turns.ts";
import { secondsInMs } from "#lib/units.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { type Checker, createChecker } from "./check.ts";
import type { Content } from "./content/content.ts";
import { planOf, type StoredBulkIssue } from "./bulk-issue-queries.ts";
import { openContent } from "./content/open-content.ts";
import { issueNext, issuerOf, prepareNext, rightLost, rowsPerTurn } from "./issue-rows.ts";
import { refuseRest } from "./state.ts";

/** Checks and issues the rows of bulk issues, one row at a time, so that staff's pages stay quick. Companies take turns. */

/** While staff keeps page work busy. */
const busyMs = secondsInMs(2);

type Opened = { version: number; content: Content | undefined; checker?: Checker };

export async function workOnBulkIssues(services: Services, signal: AbortSignal) {
  const opened = new Map<number, Opened>();
  try {
    await takeTurnsByCompany({
      signal,
      next: () => oldestOfEachCompany(services.db),
      work: (issue) => takeTurn(services, issue, { opened, signal }),
    });
  } finally {
    for (const { content } of opened.values()) content?.close();
  }
}

/** The one that each company began first and that can go on. */
const oldestOfEachCompany = (db: Db) =>
  db
    .selectFrom("bulk_issues")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("bulk_issues as going")
        .where("going.state", "in", ["checking", "running"])
        .groupBy("going.company_id")
        .select(({ fn }) => fn.min<number>("going.id").as("id")),
    )
    .selectAll()
    .execute();

type Turn = { opened: Map<number, Opened>; signal: AbortSignal };

async function takeTurn(services: Services, issue: StoredBulkIssue, { opened, signal }: Turn): Promise<boolean> {
  try {
    const { content, checker } = await openOnce(services, issue, opened);
    if (!content) return await stopWithoutContent(services, issue);
    if (issue.state === "checking") return await check(services, issue, { content, checker: checker!, signal });
    await prepareNext(services, issue, content, signal);
    for (let row = 0; row < rowsPerTurn; row++) {
      // Nothing more of this one, but others may go on.
      if (signal.aborted || !(await issueNext(services, issue, content, signal))) return true;
    }
    return true;
  } catch (error) {
    if (!(error instanceof PageWorkBusy)) throw error;
    await services.wait(busyMs, signal).catch(() => {});
    return true;
  }
}

async function openOnce(services: Services, issue: StoredBulkIssue, opened: Map<number, Opened>): Promise<Opened> {
  const before = opened.get(issue.id);
  if (before?.version === issue.version) return before;
  before?.content?.close();
  opened.delete(issue.id);
  const content = await openContent(services, { ...planOf(issue), issue });
  const checker = issue.state === "checking" ? await createChecker(services, issue) : undefined;
  const now = { version: issue.version, content, ...(checker && { checker }) };
  opened.set(issue.id, now);
  return now;
}

const contentGone =
  "The page files are not there any more, or the template was changed: begin another bulk issue with the rest";

async function stopWithoutContent(services: Services, issue: StoredBulkIssue) {
  if (issue.state === "running") await refuseRest(services, issue, contentGone);
  else await backToDraft(services, issue, contentGone);
  return true;
}

const backToDraft = ({ db, now }: Services, { id }: StoredBulkIssue, reason: string) =>
  db
    .updateTable("bulk_issues")
    .set((eb) => ({ state: "draft", reason, changed_at: now().toISOString(), version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .where("state", "=", "checking")
    .execute();

type Checking = { content: Content; checker: Checker; signal: AbortSignal };

async function check(services: Services, issue: StoredBulkIssue, { content, checker, signal }: Checking) {
  const actor = await issuerOf(services.db, issue);
  if (actor) await checker.checkSome(actor, content, signal);
  else await backToDraft(services, issue, rightLost);
  return true;
}
