import type { AuditEntry } from "../contract/audit.ts";
import type { Db } from "../db/tables.ts";
import { forgetAudited } from "../log/enter.ts";
import { erased, erasedName, type Person, type PersonalWords } from "./personal-words.ts";

/** Fields that are not personal and stay in the trail. */
const workFields = new Set(["branch", "staff", "active"]);

const batchSize = 500;

/** Erases the person in the company's audit trail: as actor, as subject and in changed values. */
export async function eraseInTrail(db: Db, { id, company_id }: Person, words: PersonalWords) {
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom("audit")
      .where("company_id", "=", company_id)
      .where("id", ">", after)
      .orderBy("id")
      .limit(batchSize)
      .select([
        "id",
        "trail",
        "actor_id",
        "actor",
        "api_key",
        "entity",
        "entity_id",
        "entity_name",
        "changes",
        "browser",
        "network",
      ])
      .execute();
    const ids: number[] = [];
    for (const row of rows) {
      const changed = erasedEntry(row, id, words);
      const isSame = Object.entries(changed).every(([column, value]) => row[column as keyof typeof row] === value);
      if (isSame) continue;
      await db.updateTable("audit").set(changed).where("id", "=", row.id).execute();
      ids.push(row.id);
    }
    await forgetAudited(db, ids);
    if (rows.length < batchSize) return;
    after = rows.at(-1)!.id;
  }
}

type StoredEntry = {
  trail: string;
  actor_id: number;
  actor: string;
  api_key: string;
  entity: string;
  entity_id: number;
  entity_name: string;
  changes: string;
  browser: string;
  network: string;
};

function erasedEntry(row: StoredEntry, id: number, words: PersonalWords) {
  const [isBy, isAbout] = [row.actor_id === id, row.entity === "user" && row.entity_id === id];
  const others = row.entity === "user" && !isAbout;
  const noted = JSON.parse(row.changes) as AuditEntry["changes"];
  const valueOf = (field: string, value: AuditEntry["changes"][number]["before"]) => {
    if (isAbout && row.trail === "changes" && value !== null && !workFields.has(field)) return erased;
    // Another user may have this name.
    if (others && field === "name") return value;
    return typeof value === "string" ? words.replaced(value) : value;
  };
  const changes = noted.map(({ field, before, after }) => ({
    field: words.replaced(field),
    before: valueOf(field, before),
    after: valueOf(field, after),
  }));
  return {
    actor: isBy ? erasedName(id) : row.actor,
    entity_name: isAbout ? erasedName(id) : row.entity_name,
    changes: JSON.stringify(changes),
    api_key: isBy && row.api_key !== "" ? erased : words.replaced(row.api_key),
    ...((isBy || isAbout) && { browser: "", network: "" }),
  };
}
