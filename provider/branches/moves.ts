import { type Actor, scopeOf } from "../access.ts";
import { moveActions } from "../contract/audit.ts";
import { audit } from "../audit/audit-queries.ts";
import type { Db } from "../db/tables.ts";

type Branch = { id: number | null; name: string };

type Move = {
  actor: Pick<Actor, "id" | "name" | "company_id">;
  user: string;
  from: Branch;
  to: Branch;
  at: Date;
};

const [movedIn, movedOut] = moveActions;

/** Adds a user's move to the histories of both branches; that of the user has it as a change. */
export async function auditMove(db: Db, { actor, user, from, to, at }: Move) {
  if (from.id === to.id) return;
  const entries = [
    { branch: from, action: movedOut, after: { user, to: to.name } },
    { branch: to, action: movedIn, after: { user, from: from.name } },
  ];
  for (const { branch, action, after } of entries) {
    if (branch.id === null) continue;
    await audit(db, { actor, action, subject: { entity: "branch", id: branch.id, name: branch.name }, at, after });
  }
}

/** Whether the actor may see who moves to a branch and away. */
export function maySeeMoves(actor: Actor, branchId: number) {
  const scope = scopeOf(actor, "users", "read");
  return scope === "company" || (scope === "branch" && actor.branch_id === branchId);
}
