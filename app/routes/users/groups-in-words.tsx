import { say } from "#messages/staff.ts";

type GroupsInWordsProps = { groups: { name: string; can: string[] }[] };

/** What the access groups to choose from allow, folded. */
export const GroupsInWords = ({ groups }: GroupsInWordsProps) => (
  <details className="mt-3">
    <summary className="inline-flex min-h-8 cursor-pointer items-center font-semibold text-primary">
      {say("users.groupsInWords.whatEachAccessGroup")}
    </summary>
    {groups.map(({ name, can }) => (
      <div key={name} className="mt-3 wrap-anywhere">
        <h3>{name}</h3>
        <p className="hint">
          {can.length > 0 ? `Members can ${can.join("; ")}.` : say("users.groupsInWords.membersSeeNoDocuments")}
        </p>
      </div>
    ))}
  </details>
);
