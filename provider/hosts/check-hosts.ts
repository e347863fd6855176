import type { Selectable } from "kysely";
import { daysInMs, hoursInMs, minutesInMs } from "#lib/units.ts";
import type { Actor } from "../access.ts";
import { audit, system } from "../audit/audit-queries.ts";
import { companySubject, inCompanyTransaction } from "../company/company-queries.ts";
import type { AuditAction } from "../contract/audit.ts";
import type { Db, Tables } from "../db/tables.ts";
import type { Message } from "../mail/mail.ts";
import { mailManagers } from "../mail/managers.ts";
import { hostLostMessage, hostMissingMessage } from "../mail/host-messages.ts";
import type { Services } from "../services.ts";
import { hostAccess } from "../contract/hosts.ts";
import { lookUp } from "./look-up.ts";

/** Proving hosts by their DNS records, and losing them again. */

export type HostRow = Selectable<Tables["company_hosts"]>;

const requestMs = daysInMs(7);
const lossMs = { absent: daysInMs(7), unanswered: daysInMs(30), taken: 0, "": 0 };
const everyMs = { requested: minutesInMs(5), missing: hoursInMs(1), confirmed: daysInMs(1) };

/** Whether it waits for its first proof, or for another one after it had ended. */
export const isRequested = ({ confirmed_at, ended_at }: HostRow) => confirmed_at === null || ended_at !== null;

/** When it is lost, or its request ends, if nothing changes; null for a confirmed one. */
export function endOf(row: HostRow): string | null {
  const from = isRequested(row) ? row.requested_at : row.missing_since;
  if (from === null) return null;
  return new Date(Date.parse(from) + (isRequested(row) ? requestMs : lossMs[row.problem])).toISOString();
}

/** Hosts in one run of the job, which comes again in minutes, and at once. */
const perRun = 2000;
const atOnce = 10;

/** Looks for the records of the hosts that are due. */
export async function checkDueHosts(services: Services, signal: AbortSignal): Promise<void> {
  const due = await services.db
    .selectFrom("company_hosts")
    .where("next_check_at", "<=", services.now().toISOString())
    .orderBy("next_check_at")
    .limit(perRun)
    .selectAll()
    .execute();
  for (let n = 0; n < due.length && !signal.aborted; n += atOnce) {
    const checked = await Promise.allSettled(due.slice(n, n + atOnce).map((row) => checkHost(services, row)));
    for (const { reason: err } of checked.filter((outcome) => outcome.status === "rejected"))
      services.log.error({ err }, "a company's host could not be checked");
  }
}

/** Looks for a host's record, and stores what follows. */
export async function checkHost(services: Services, { id, company_id, host, token }: HostRow): Promise<void> {
  const found = await lookUp({ host, token }, services.dnsServers);
  await inCompanyTransaction(services.db, company_id, async (db) => {
    const row = await db
      .selectFrom("company_hosts")
      .where("id", "=", id)
      // Removed or requested anew meanwhile.
      .where("token", "=", token)
      .where("next_check_at", "is not", null)
      .selectAll()
      .executeTakeFirst();
    if (row) await (found === "present" ? prove(services, db, row) : miss(services, db, row, found));
  });
}

async function prove(services: Services, db: Db, row: HostRow) {
  const others = db.selectFrom("company_hosts").where("host", "=", row.host).where("id", "!=", row.id);
  const taken = await others.where("confirmed_at", "is not", null).select("id").executeTakeFirst();
  if (taken) return miss(services, db, row, "taken");
  const at = services.now();
  const isNew = isRequested(row);
  await store(db, row, at, {
    everyMs: everyMs.confirmed,
    confirmed_at: isNew ? at.toISOString() : row.confirmed_at,
    missing_since: null,
    ended_at: null,
    problem: "",
  });
  if (isNew || row.missing_since) await note(services, db, row, { action: "host confirmed" });
}

async function miss(services: Services, db: Db, row: HostRow, problem: Exclude<HostRow["problem"], "">) {
  const at = services.now();
  const missing_since = isRequested(row) ? null : (row.missing_since ?? at.toISOString());
  const end = endOf({ ...row, missing_since, problem })!;
  if (at.toISOString() >= end) {
    await endHost(db, row, at);
    if (!isRequested(row)) await note(services, db, row, { action: "host lost", message: hostLostMessage });
    return;
  }
  await store(db, row, at, { everyMs: isRequested(row) ? everyMs.requested : everyMs.missing, missing_since, problem });
  if (missing_since && !row.missing_since)
    await note(services, db, row, {
      action: "host missing",
      message: (to, { host, token }, url) => hostMissingMessage(to, { host, token, end }, url),
    });
}

type Stored = { everyMs: number } & Pick<HostRow, "missing_since" | "problem"> & Partial<HostRow>;

const store = (db: Db, { id }: HostRow, at: Date, { everyMs: nextMs, ...changed }: Stored) =>
  db
    .updateTable("company_hosts")
    .set({ ...changed, checked_at: at.toISOString(), next_check_at: new Date(at.getTime() + nextMs).toISOString() })
    .where("id", "=", id)
    .execute();

/** Ends a host, which stays its company's if codes name it. */
export const endHost = (db: Db, { id, is_named }: HostRow, at: Date) =>
  is_named
    ? db
        .updateTable("company_hosts")
        .set({ ended_at: at.toISOString(), missing_since: null, next_check_at: null, problem: "" })
        .where("id", "=", id)
        .execute()
    : db.deleteFrom("company_hosts").where("id", "=", id).execute();

type Noted = {
  action: AuditAction;
  message?: (to: Actor, row: HostRow, publicUrl: string) => Message;
};

/** Writes the audit trail, and mails administrators if there is something to do. */
async function note(services: Services, db: Db, row: HostRow, { action, message }: Noted) {
  const { company_id, host } = row;
  services.log.info({ company: company_id, host }, action);
  const subject = await companySubject(db, company_id);
  await audit(db, { actor: { ...system, company_id }, action, subject, at: services.now(), after: { host } });
  if (message)
    await mailManagers(services, db, { company_id, access: hostAccess }, (user) =>
      message(user, row, services.publicUrl),
    );
}
