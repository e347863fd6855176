import { type Kysely, sql } from "kysely";
import { config } from "#lib/config.ts";
import { t } from "#lib/messages/staff.ts";
import { showSize } from "#lib/messages/staff-sizes.ts";
import { metrics } from "#lib/metrics.ts";
import { spaceOfDraft, type Size } from "#lib/page-files/space.ts";
import { createReservations } from "#lib/storage/files/reservations.ts";
import { decimalMegabytesInBytes } from "#lib/units.ts";
import { draftName } from "./draft-name.ts";
import { failure } from "../provider/failure.ts";
import type { DraftTables } from "./tables.ts";
import { unfinishedDrafts } from "./unfinished.ts";

const { DRAFTS_PER_USER, DRAFT_MB_PER_USER } = config();
const maxBytes = decimalMegabytesInBytes(DRAFT_MB_PER_USER);

type DraftDb = Kysely<DraftTables>;

/** Bytes include page images. */
export type DraftUsage = { drafts: number; maxDrafts: number; bytes: number; maxBytes: number };

export async function usageOf(db: DraftDb, userId: number): Promise<DraftUsage> {
  const [drafts, bytes] = [await countDrafts(db, userId), await bytesTaken(db, userId)];
  return { drafts, maxDrafts: DRAFTS_PER_USER, bytes, maxBytes };
}

async function countDrafts(db: DraftDb, userId: number): Promise<number> {
  const count = unfinishedDrafts(db, userId).select((eb) => eb.fn.countAll<number>().as("drafts"));
  return (await count.executeTakeFirstOrThrow()).drafts;
}

const sum = (column: "bytes" | "pages") => sql<number>`coalesce(sum(${sql.ref(`draft_files.${column}`)}), 0)`;

async function bytesTaken(db: DraftDb, userId: number): Promise<number> {
  const files = unfinishedDrafts(db, userId)
    .innerJoin("draft_files", "draft_files.draft_id", "drafts.id")
    .select([sum("bytes").as("bytes"), sum("pages").as("pages")]);
  return spaceOfDraft(await files.executeTakeFirstOrThrow());
}

export async function mustHaveRoomForDraft(lockedDb: DraftDb, userId: number) {
  const drafts = await countDrafts(lockedDb, userId);
  if (drafts < DRAFTS_PER_USER) return;
  metrics.quotaRefused.inc({ quota: "drafts" });
  const message = t("server.drafts.quota.tooManyDrafts", { drafts });
  throw failure(409, { kind: "refused", message });
}

const arriving = createReservations<number>();

/** Bytes that a user's quota leaves. `reserve` reserves some for an upload, until the function it returns is called. */
export async function roomLeft(db: DraftDb, userId: number) {
  const bytesLeft = Math.max(0, maxBytes - (await bytesTaken(db, userId)) - arriving.of(userId));
  return { left: bytesLeft, reserve: (wanted: number) => arriving.reserve(userId, Math.min(wanted, bytesLeft)) };
}

export async function hasRoomFor(lockedDb: DraftDb, userId: number, file: Size): Promise<boolean> {
  return (await bytesTaken(lockedDb, userId)) + spaceOfDraft(file) <= maxBytes;
}

export async function noRoomMessage(db: DraftDb, userId: number, draftId: string): Promise<string> {
  metrics.quotaRefused.inc({ quota: "draft_bytes" });
  const largest = await unfinishedDrafts(db, userId)
    .innerJoin("draft_files", "draft_files.draft_id", "drafts.id")
    .where("drafts.id", "!=", draftId)
    .groupBy(["drafts.id", "drafts.values"])
    .select(["drafts.values", sum("bytes").as("bytes"), sum("pages").as("pages")])
    .orderBy(sum("bytes"), "desc")
    .limit(1)
    .executeTakeFirst();
  const space = showSize(maxBytes);
  if (!largest) return t("server.drafts.quota.addFewer", { space });
  const name = draftName(JSON.parse(largest.values));
  return t("server.drafts.quota.discardAnother", { space, name, taken: showSize(spaceOfDraft(largest)) });
}

/** Characters of JSON; the contract's limits allow 60,000. */
const maxValuesLength = 200_000;

export function mustBeShort(values: string) {
  if (values.length <= maxValuesLength) return;
  throw failure(413, { kind: "refused", message: t("server.drafts.quota.tooLong") });
}
