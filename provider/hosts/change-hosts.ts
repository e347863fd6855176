import { randomBytes } from "node:crypto";
import type { Actor, Caller } from "../access.ts";
import { audit } from "../audit/audit-queries.ts";
import { companySubject } from "../company/company-queries.ts";
import type { AuditAction } from "../contract/audit.ts";
import { type CompanyHost, maxHosts } from "../contract/hosts.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, invalid, notFound } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { endHost, endOf, type HostRow, isRequested } from "./check-hosts.ts";
import { hostOfNewCodes } from "./host-queries.ts";
import { recordName, recordValue } from "./look-up.ts";

/** A company's own hosts, as its administrators request and remove them. */

const rowsOf = (db: Db, companyId: number) =>
  db.selectFrom("company_hosts").where("company_id", "=", companyId).orderBy("host").selectAll().execute();

/** The company's hosts, those that have ended too if codes name them. */
export async function hostsReply(db: Db, companyId: number): Promise<CompanyHost[]> {
  const used = await hostOfNewCodes(db, companyId);
  return (await rowsOf(db, companyId)).map((row) => {
    const { id, host, token, confirmed_at, checked_at, problem } = row;
    const record = { record_name: recordName(host), record_value: recordValue(token) };
    const ends_at = row.next_check_at && endOf(row);
    return {
      id,
      host,
      state: stateOf(row),
      ...record,
      confirmed_at,
      checked_at,
      ends_at,
      problem,
      is_used: id === used?.id,
    };
  });
}

function stateOf(row: HostRow): CompanyHost["state"] {
  if (row.next_check_at === null) return "ended";
  if (isRequested(row)) return "requested";
  return row.missing_since ? "missing" : "confirmed";
}

/** One of a company's hosts. Throws 404. */
export async function findHost(db: Db, companyId: number, id: number): Promise<HostRow> {
  const row = (await rowsOf(db, companyId)).find((host) => host.id === id);
  if (!row) throw notFound();
  return row;
}

/** Requests a host, or again one that has ended. Throws 422 for one that can't be a company's own, 409 for too many. */
export const requestHost = (services: Services, caller: Caller, host: string): Promise<number> =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const { publicUrl, formerUrls, now } = services;
    if ([publicUrl, ...formerUrls].some((url) => new URL(url).hostname === host))
      throw invalid({ host: "This is an address of Sealdesk itself: enter a host of your company" });
    const rows = await rowsOf(db, actor.company_id);
    const known = rows.find((row) => row.host === host);
    if (known?.next_check_at) throw invalid({ host: "This host was requested already" });
    if (rows.filter(({ next_check_at }) => next_check_at !== null).length >= maxHosts)
      throw conflict(`A company can have ${maxHosts} hosts: remove one first`);
    const at = now().toISOString();
    const requested = {
      token: randomBytes(16).toString("base64url"),
      requested_at: at,
      next_check_at: at,
      checked_at: null,
      problem: "" as const,
    };
    const { id } = known
      ? await db
          .updateTable("company_hosts")
          .set(requested)
          .where("id", "=", known.id)
          .returning("id")
          .executeTakeFirstOrThrow()
      : await db
          .insertInto("company_hosts")
          .values({
            company_id: actor.company_id,
            host,
            confirmed_at: null,
            missing_since: null,
            ended_at: null,
            ...requested,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
    await auditHost(db, services, actor, { action: "host requested", host });
    return id;
  });

/** Removes a host. Throws 404, also for one that has ended. */
export const removeHost = (services: Services, caller: Caller, id: number): Promise<void> =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const row = await findHost(db, actor.company_id, id);
    if (row.next_check_at === null) throw notFound();
    await endHost(db, row, services.now());
    await auditHost(db, services, actor, { action: "host removed", host: row.host });
  });

async function auditHost(
  db: Db,
  { now }: Services,
  actor: Actor,
  { action, host }: { action: AuditAction; host: string },
) {
  const subject = await companySubject(db, actor.company_id);
  await audit(db, { actor, action, subject, at: now(), after: { host } });
}
