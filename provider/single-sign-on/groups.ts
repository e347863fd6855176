import { areas, reach, rights } from "../contract/areas.ts";
import type { Permissions } from "../contract/permissions.ts";
import { groupsOf } from "../access-groups/access-group-queries.ts";
import type { Db } from "../db/tables.ts";

/** Which access group a user's groups at the identity provider give. */

const weights = { company: 3, branch: 2, personal: 1 };

const weightOf = (permissions: Permissions) =>
  areas.reduce(
    (sum, area) =>
      rights.reduce((inner, right) => {
        const scope = reach(permissions[area], right);
        return inner + (scope ? weights[scope] : 0);
      }, sum),
    0,
  );

/** The names of an access group's field, one a line. */
const namesIn = (lines: string): string[] =>
  lines
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** The company's access group for groups of a claim: of several, the one with the most rights. */
export async function groupForClaim(db: Db, companyId: number, claimed: string[]) {
  const names = new Set(claimed);
  const groups = await groupsOf(db, companyId).where("identity_groups", "!=", "").orderBy("id").selectAll().execute();
  return groups
    .filter(({ identity_groups }) => namesIn(identity_groups).some((name) => names.has(name)))
    .toSorted((a, b) => weightOf(b) - weightOf(a))[0];
}
