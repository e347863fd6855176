import type { AccessGroup } from "#provider/contract/access-groups.ts";
import { areaNames, areas } from "#provider/contract/areas.ts";
import { Facts } from "../../components/facts.tsx";
import { Meaning } from "./meaning.tsx";
import { Permission } from "./permission.tsx";

/** An access group's rights to read. */
export default function GroupRights({ group }: { group: AccessGroup }) {
  return (
    <div className="px-5 py-4 max-md:px-4">
      <Meaning permissions={group} />
      <Facts facts={areas.map((area) => [areaNames[area], <Permission key={area} permission={group[area]} />])} />
    </div>
  );
}
