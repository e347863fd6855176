import { foldEmail } from "#lib/text.ts";
import type { Actor } from "../access.ts";
import { withdrawalReasonsOf } from "../company/withdrawal-reasons.ts";
import type { Outcome } from "../contract/alerts.ts";
import { TRUE } from "../db/flags.ts";
import type { Db } from "../db/tables.ts";
import { invalid } from "../http/errors.ts";
import { type Act, type BulkRecord, nobody, type ActParameters } from "./record-kind.ts";

/** A user's input to an act, beside the records. */

export type BulkInput = {
  group: string;
  note: string;
  owner: string;
  reason: number | "" | null;
  outcome: Outcome;
  allow: boolean;
};

const missing = {
  group: "Choose the access group",
  note: "Enter a note: what was found, or why",
  owner: "Choose the owner, or nobody",
};

/** The parameters of a new action, with ids instead of names. Throws 422 for missing and unknown ones. */
export async function parametersOf(
  db: Db,
  actor: Actor,
  act: Act<BulkRecord>,
  input: BulkInput,
): Promise<ActParameters> {
  const { needs, takes = [] } = act;
  if (needs && input[needs] === "") throw invalid({ [needs]: missing[needs] });
  const names = [...(needs ? [needs] : []), ...takes];
  const parameters: ActParameters = Object.fromEntries(
    names.map((name) => [name, String(input[name] || "")] as const).filter(([, value]) => value !== ""),
  );
  if (parameters.owner) parameters.owner = await ownerId(db, actor, parameters.owner);
  if (parameters.reason && !(await reasonName(db, actor.company_id, parameters.reason))) {
    throw invalid({ reason: "This reason was removed meanwhile: choose another" });
  }
  return parameters;
}

/** A colleague's id. Who may not see an alert is refused with that alert. */
async function ownerId(db: Db, { id, company_id }: Actor, named: string) {
  const word = named.toLowerCase();
  if (word === "me") return String(id);
  if (word === nobody) return nobody;
  const colleagues = db.selectFrom("users").where("company_id", "=", company_id).where("active", "=", TRUE);
  const isId = /^[1-9]\d{0,8}$/.test(named);
  const colleague = await colleagues
    .where((eb) => (isId ? eb("id", "=", Number(named)) : eb("email_key", "=", foldEmail(named))))
    .select("id")
    .executeTakeFirst();
  if (!colleague) throw invalid({ owner: "Nobody with this email address may see these alerts: choose a colleague" });
  return String(colleague.id);
}

const reasonName = async (db: Db, company_id: number, id: string) =>
  (await withdrawalReasonsOf(db, company_id)).find((reason) => String(reason.id) === id)?.name;

/** The names of an action's owner and reason as they are now. */
export async function namesOf(db: Db, company_id: number, { owner = "", reason = "" }: ActParameters) {
  const users = db.selectFrom("users").where("company_id", "=", company_id);
  const user =
    owner && owner !== nobody
      ? await users.where("id", "=", Number(owner)).select("name").executeTakeFirst()
      : undefined;
  return {
    owner: owner === nobody ? nobody : (user?.name ?? ""),
    reason: (reason && (await reasonName(db, company_id, reason))) || "",
  };
}
