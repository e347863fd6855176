import { t } from "#lib/messages/staff.ts";
import { meaning, nothingElse } from "./group-words.ts";

/** What members of an access group can do, in words. Announced while rights are chosen. */
export function Meaning({ permissions }: { permissions: Parameters<typeof meaning>[0] }) {
  const { can, unfinished, note } = meaning(permissions);
  const isNothing = can.length + unfinished.length === 0;
  return (
    <div aria-live="polite">
      {isNothing && <p>{nothingElse}</p>}
      {can.length > 0 && <p>{t("users.meaning.aMemberCan")}</p>}
      <Lines lines={can} />
      {unfinished.length > 0 && <p className={can.length > 0 ? "mt-2" : ""}>{t("users.meaning.notSavedYet")}</p>}
      <Lines lines={unfinished} />
      {note && <p className="mt-2">{note}</p>}
    </div>
  );
}

const Lines = ({ lines }: { lines: string[] }) =>
  lines.length > 0 && (
    <ul className="mt-1 list-disc pl-5">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
