import { Entries, signStatusList, listSalt } from "#lib/seal/make-status-list.ts";
import { entry } from "#lib/seal/status-list.ts";
import { daysInSeconds, minutesInMs, minutesInSeconds } from "#lib/units.ts";
import { ago, dateIn } from "../calendar/calendar.ts";
import type { Db } from "../db/tables.ts";
import { TRUE } from "../db/flags.ts";
import { inBatches } from "../files/referenced-files.ts";
import { validityOf } from "../scans/validity.ts";
import type { Services } from "../services.ts";
import { issuerOf, keyOf, walletListUrl } from "./issuers.ts";

/**
 * Token Status Lists of credentials. Codes share the entries of their list; a verifier that knows the standard alone would
 * refuse one in force beside an ended one, so that each credential has an entry of its own.
 */

/** 256 kB without compression. */
export const walletEntries = 2 ** 20;
const validSeconds = daysInSeconds(2);
const refreshSeconds = minutesInSeconds(15);
const refreshMs = minutesInMs(5);
const batchSize = 1000;

/** Makes the lists that are older than five minutes. */
export async function refreshWalletLists(services: Services, signal: AbortSignal) {
  const { db, now, log } = services;
  const due = db
    .selectFrom("wallet_lists")
    .innerJoin("companies", "companies.id", "wallet_lists.company_id")
    .where("companies.active", "=", TRUE)
    .where((eb) =>
      // Or the clock was set back.
      eb.or([eb("made_at", "<=", ago(now(), refreshMs)), eb("made_at", ">", now().toISOString())]),
    );
  for (const { id, timezone } of await due.select(["companies.id", "timezone"]).execute()) {
    if (signal.aborted) return;
    await makeWalletList(services, { id, timezone }).catch((err: unknown) =>
      log.error({ err, company: id }, "status list of credentials could not be made"),
    );
  }
}

/** Makes a company's list, its first one too. Throws `SealKeysLocked`. */
export async function makeWalletList(services: Services, { id, timezone }: { id: number; timezone: string }) {
  const { db, now, publicUrl } = services;
  const at = now();
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
  const madeAt = Math.floor(at.getTime() / 1000);
  const times = { madeAt, expiresAt: madeAt + validSeconds, refreshAfter: refreshSeconds };
  const token = await signStatusList({ address, kid, salt: listSalt(address), ...times }, entries, sign);
  const row = { list, token, made_at: at.toISOString() };
  await db
    .insertInto("wallet_lists")
    .values({ company_id: id, ...row })
    .onConflict((conflict) => conflict.column("company_id").doUpdateSet(row))
    .execute();
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
