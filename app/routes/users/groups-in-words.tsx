import { t } from "#lib/messages/staff.ts";
import { membersCan } from "./group-words.ts";

type GroupsInWordsProps = { groups: { name: string; can: string[] }[] };

/** What the access groups to choose from allow, folded. */
export const GroupsInWords = ({ groups }: GroupsInWordsProps) => (
  <details className="mt-3">
    <summary className="inline-flex min-h-8 cursor-pointer items-center font-semibold text-primary">
      {t("users.groupsInWords.whatEachAllows")}
    </summary>
    {groups.map(({ name, can }) => (
      <div key={name} className="mt-3 wrap-anywhere">
        <h3>{name}</h3>
        <p className="hint">{can.length > 0 ? membersCan(can) : t("users.groupsInWords.seeNothing")}</p>
      </div>
    ))}
  </details>
);
