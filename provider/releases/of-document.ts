import type { Db } from "../db/tables.ts";

/** Who drafted and who released an issued document, and the release in which a change of it waits. */
export async function releasesOfDocument(db: Db, documentId: number) {
  const releases = await db
    .selectFrom("releases")
    .innerJoin("users as drafters", "drafters.id", "releases.drafter_id")
    .leftJoin("users as firsts", "firsts.id", "releases.first_id")
    .leftJoin("users as lasts", "lasts.id", "releases.released_id")
    .where("document_id", "=", documentId)
    .where("state", "in", ["waiting", "released"])
    .select(["releases.id", "act", "state", "drafters.name as drafter", "firsts.name as first", "lasts.name as last"])
    .orderBy("releases.id")
    .execute();
  const issued = releases.find(({ act, state }) => act === "issue" && state === "released");
  const waiting = releases.find(({ state }) => state === "waiting");
  return {
    ...(issued && { drafted_by: issued.drafter, released_by: [issued.first, issued.last].filter(Boolean).join(", ") }),
    ...(waiting && { awaiting_release: waiting.id }),
  };
}
