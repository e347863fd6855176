import { minutesInMs } from "#lib/units.ts";
import { ago } from "../calendar/calendar.ts";
import { actorRows, asActor } from "../db/actors.ts";
import { isAmong } from "../db/lists.ts";
import { releaseDecisionsMessage, releasesWaitingMessage } from "../mail/release-messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import type { Db } from "../db/tables.ts";
import { inCompanyTransaction } from "../company/company-queries.ts";
import type { Services } from "../services.ts";
import { releasableBy } from "./reach.ts";
import type { StoredRelease } from "./hold.ts";

/** Mails about what awaits release, each to a user about all that is new: a bulk issue causes one and not thousands. */

/** Releases that a message lists; the rest is counted. */
const maxListed = 20;
/** Releases whose users are mailed in one transaction. */
const atOnce = 1000;
/** Those who release are mailed so often at most. */
const pauseMs = minutesInMs(15);

export async function notifyOfReleases(services: Services, signal: AbortSignal) {
  const companies = services.db.selectFrom("releases").where("told", "=", 0).select("company_id").distinct();
  for (const { company_id } of await companies.execute()) {
    if (signal.aborted) return;
    await inCompanyTransaction(services.db, company_id, async (db) => {
      await mailDecisions(services, db, company_id);
      await mailWaiting(services, db, company_id);
    });
  }
  services.nudgeMail();
}

const untold = (db: Db, companyId: number) =>
  db.selectFrom("releases").where("company_id", "=", companyId).where("told", "=", 0).orderBy("id").limit(atOnce);

const markTold = (db: Db, releases: { id: number }[]) =>
  db
    .updateTable("releases")
    .set({ told: 1 })
    .where(
      isAmong(
        db,
        "id",
        releases.map(({ id }) => id),
      ),
    )
    .execute();

/** Tells drafters what was released and returned. */
async function mailDecisions(services: Services, db: Db, companyId: number) {
  const decided = await untold(db, companyId).where("state", "!=", "waiting").selectAll().execute();
  for (const [drafter, releases] of Map.groupBy(decided, ({ drafter_id }) => drafter_id)) {
    const to = await actorRows(db).where("users.id", "=", drafter).executeTakeFirst();
    if (!to) continue;
    const users = await namesOf(db, releases);
    const listed = releases
      .slice(0, maxListed)
      .map((one) => ({ ...one, releasers: [users.get(one.first_id), users.get(one.released_id)].filter(Boolean) }));
    const message = releaseDecisionsMessage(to, { listed, count: releases.length }, services.publicUrl);
    await enqueueMessage(services, db, message, { userId: drafter });
  }
  await markTold(db, decided);
}

async function namesOf(db: Db, releases: StoredRelease[]) {
  const ids = releases.flatMap(({ first_id, released_id }) => [first_id, released_id]).filter((id) => id !== null);
  const users = await db
    .selectFrom("users")
    .where(isAmong(db, "id", ids))
    .select(["id", "name"])
    .execute();
  return new Map<number | null, string>(users.map(({ id, name }) => [id, name]));
}

/** Tells those who may release it what waits. */
async function mailWaiting(services: Services, db: Db, companyId: number) {
  const at = services.now();
  const due = db.selectFrom("companies").where("id", "=", companyId);
  const isRecent = due.where("releases_told_at", ">", ago(at, pauseMs)).select("id");
  if (await isRecent.executeTakeFirst()) return;
  const waiting = await untold(db, companyId).where("state", "=", "waiting").select("id").execute();
  if (waiting.length === 0) return;
  const users = actorRows(db).where("users.company_id", "=", companyId).where("access_groups.docs", "like", "%L");
  for (const user of await users.where("users.password_hash", "is not", null).execute()) {
    const theirs = db
      .selectFrom("releases as documents")
      .innerJoin("users as drafters", "drafters.id", "documents.drafter_id")
      .where(
        isAmong(
          db,
          "documents.id",
          waiting.map(({ id }) => id),
        ),
      )
      .where((eb) => releasableBy(asActor(user))(eb as never));
    const { count } = await theirs.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
    if (count === 0) continue;
    const listed = await theirs
      .select(["documents.id", "documents.name", "documents.number", "act", "drafters.name as drafter"])
      .orderBy("documents.id")
      .limit(maxListed)
      .execute();
    const message = releasesWaitingMessage(user, { listed, count }, services.publicUrl);
    await enqueueMessage(services, db, message, { userId: user.id });
  }
  await db.updateTable("companies").set({ releases_told_at: at.toISOString() }).where("id", "=", companyId).execute();
  await markTold(db, waiting);
}
