import type { ReactNode } from "react";
import { t } from "#lib/messages/staff.ts";
import type { AccessGroup } from "#provider/contract/access-groups.ts";
import { areas } from "#provider/contract/areas.ts";
import { Facts } from "../../components/record/facts.tsx";
import { areaNames } from "../../components/user/area-words.ts";
import { Meaning } from "./meaning.tsx";
import { Permission } from "./permission.tsx";

/** An access group's rights to read, and what decides how its members sign in. */
export default function GroupRights({ group }: { group: AccessGroup }) {
  const facts: [string, ReactNode][] = areas.map((area) => [
    areaNames[area],
    <Permission key={area} permission={group[area]} />,
  ]);
  if (group.requires_second_factor) facts.push([t("common.secondFactor"), t("users.groupRights.required")]);
  if (group.identity_groups) {
    facts.push([t("common.groupsAtTheIdentityProvider"), group.identity_groups.split("\n").join(", ")]);
  }
  return (
    <div className="px-5 py-4 max-md:px-4">
      <Meaning permissions={group} />
      <Facts facts={facts} />
    </div>
  );
}
