import { Entries, signStatusList, listSalt } from "#lib/seal/make-status-list.ts";
import { entry } from "#lib/seal/status-list.ts";
import { daysInSeconds, minutesInMs, minutesInSeconds, secondsInMs } from "#lib/units.ts";
import { dateIn } from "../calendar/calendar.ts";
import type { Db } from "../db/tables.ts";
import { inBatches } from "../files/referenced-files.ts";
import { validityOf } from "../scans/validity.ts";
import { changesSince, countOf } from "../seal/list-changes.ts";
import { inTurn } from "../seal/in-turn.ts";
import type { Services } from "../services.ts";
import { type Issuer, issuerAt, issuerOf, keyOf, walletListUrl } from "./issuers.ts";

/**
 * Token Status Lists of credentials. Codes share the entries of their list; a verifier that knows the standard alone would
 * refuse one in force beside an ended one, so that each credential has an entry of its own.
 */

/** 256 kB without compression. */
export const walletEntries = 2 ** 20;
const validSeconds = daysInSeconds(2);
const refreshSeconds = minutesInSeconds(15);
const refreshMs = secondsInMs(refreshSeconds);
/** Entries of the audit trail are committed within this time, by machines whose clocks differ by less. */
const commitMs = minutesInMs(1);
const clockErrorMs = minutesInMs(1);
const batchSize = 1000;

/**
 * The token of an issuer's list as of now: made again once the last one is as old as verifiers may keep it, and once after a
 * document in a wallet changed. So a withdrawal is in the next list that a verifier fetches. Undefined without such an issuer.
 */
export async function walletListOfNow(services: Services, end: string): Promise<string | undefined> {
  const { db, log } = services;
  const issuer = await issuerAt(db, end);
  if (!issuer) return undefined;
  const current = async (one: Issuer) => ((await isDue(services, one)) ? undefined : one.status_list);
  const renew = async () => (await current((await issuerAt(db, end)) ?? issuer)) ?? makeWalletList(services, issuer);
  try {
    return (await current(issuer)) ?? (await inTurn({ owner: db, key: `wallet ${end}` }, renew));
  } catch (err) {
    log.error({ err, company: issuer.id }, "status list of credentials could not be made");
    return issuer.status_list;
  }
}

async function isDue({ db, now }: Services, { id, timezone, made_at, changes }: Issuer): Promise<boolean> {
  const ageMs = now().getTime() - Date.parse(made_at);
  // Or the clock was set back.
  if (ageMs < 0 || ageMs >= refreshMs || dateIn(timezone, made_at) !== dateIn(timezone, now())) return true;
  return (await countChanges(db, id, new Date(made_at))) !== changes;
}

/** Those of the company, and of documents in wallets. */
const countChanges = (db: Db, companyId: number, at: Date) =>
  countOf(
    changesSince(db, companyId, at, commitMs).where(({ eb, or, exists, selectFrom }) => {
      const held = selectFrom("wallet_credentials").whereRef("document_id", "=", "entity_id").select("id");
      return or([eb("entity", "=", "company"), exists(held)]);
    }),
  );

/** Makes a company's list, its first one too. Throws `SealKeysLocked`. */
export async function makeWalletList(services: Services, { id, timezone }: Pick<Issuer, "id" | "timezone">) {
  const { db, now, publicUrl } = services;
  const at = now();
  const changes = await countChanges(db, id, at);
  const list = await issuerOf(services, id);
  const { kid, sign } = await keyOf(services, id);
  const entries = new Entries(walletEntries);
  for await (const batch of inBatches((after) => credentialsAfter(db, id, after).execute())) {
    for (const { idx, withdrawn_at, ...document } of batch) {
      const isInForce = validityOf(document, dateIn(timezone, at)) === "in force" && withdrawn_at === null;
      if (!isInForce) entries.add(idx, entry.ended);
    }
  }
  const address = walletListUrl(publicUrl, list);
  // For verifiers whose clocks are behind: they refuse what is of the future.
  const madeAt = Math.floor((at.getTime() - clockErrorMs) / 1000);
  const times = { madeAt, expiresAt: madeAt + validSeconds, refreshAfter: refreshSeconds };
  const token = await signStatusList({ address, kid, salt: listSalt(address), ...times }, entries, sign);
  const row = { list, token, made_at: at.toISOString(), changes };
  await db
    .insertInto("wallet_lists")
    .values({ company_id: id, ...row })
    .onConflict((conflict) => conflict.column("company_id").doUpdateSet(row))
    .execute();
  return token;
}

/** Credentials, each with what its document's first code says. */
const credentialsAfter = (db: Db, companyId: number, after: number) =>
  db
    .selectFrom("wallet_credentials as held")
    .innerJoin("documents", "documents.id", "held.document_id")
    .leftJoin("document_copies", (join) =>
      join.onRef("document_copies.document_id", "=", "documents.id").on("document_copies.n", "=", 1),
    )
    .where("held.company_id", "=", companyId)
    .where("held.id", ">", after)
    .orderBy("held.id")
    .limit(batchSize)
    .select(["held.id", "idx", "status", "status_before_archive", "expire_date", "withdrawn_at"]);
