import { TRUE } from "../db/flags.ts";
import { dateIn } from "../calendar/calendar.ts";
import { originAt, type ShownHost } from "../contract/shown-host.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";

/** Confirmed hosts, at which the documents of their companies are shown. */
const shownHosts = (db: Db) =>
  db.selectFrom("company_hosts").where("confirmed_at", "is not", null).where("ended_at", "is", null);

/** All of them by name. */
export async function allShownHosts(db: Db): Promise<Map<string, ShownHost>> {
  const rows = await shownHosts(db)
    .innerJoin("companies", "companies.id", "company_hosts.company_id")
    .where("companies.active", "=", TRUE)
    .select(["host", "company_id", "companies.name", "companies.timezone", "confirmed_at"])
    .execute();
  return new Map(
    rows.map(({ host, company_id: companyId, name: company, timezone, confirmed_at }) => [
      host,
      { host, companyId, company, since: dateIn(timezone, confirmed_at!) },
    ]),
  );
}

/** The host that new codes of a company name; undefined for PUBLIC_URL. */
export const hostOfNewCodes = (db: Db, companyId: number) =>
  shownHosts(db)
    .where("company_id", "=", companyId)
    .where("missing_since", "is", null)
    .orderBy("confirmed_at", "desc")
    .orderBy("id", "desc")
    .select(["id", "is_named"])
    .executeTakeFirst();

/** Chooses the host of a document that is issued in this transaction, and keeps it for the company from now on. */
export async function nameHost(db: Db, companyId: number): Promise<number | null> {
  const host = await hostOfNewCodes(db, companyId);
  if (host?.is_named === 0)
    await db.updateTable("company_hosts").set({ is_named: 1 }).where("id", "=", host.id).execute();
  return host?.id ?? null;
}

type Addressed = { host_id: number | null };

/** Returns the origin in the codes of a company's documents: of their host while it is shown, else PUBLIC_URL. */
export async function codeOrigins({ db, publicUrl }: Pick<Services, "db" | "publicUrl">, companyId: number) {
  const hosts = await shownHosts(db).where("company_id", "=", companyId).select(["id", "host"]).execute();
  const origins = new Map(hosts.map(({ id, host }) => [id, originAt(publicUrl, host)]));
  return ({ host_id }: Addressed): string => origins.get(host_id ?? 0) ?? publicUrl;
}

/** The same of one document. */
export const codeOrigin = async (
  services: Pick<Services, "db" | "publicUrl">,
  document: Addressed & { company_id: number },
): Promise<string> =>
  document.host_id === null ? services.publicUrl : (await codeOrigins(services, document.company_id))(document);

/** All origins for which a company's codes may have been signed. */
export async function signedOrigins(
  { db, publicUrl, formerUrls }: Pick<Services, "db" | "publicUrl" | "formerUrls">,
  companyId: number,
): Promise<string[]> {
  const named = db.selectFrom("company_hosts").where("company_id", "=", companyId).where("is_named", "=", 1);
  const hosts = await named.select("host").execute();
  return [publicUrl, ...formerUrls, ...hosts.map(({ host }) => originAt(publicUrl, host))];
}
