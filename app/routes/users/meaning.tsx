import { meaning } from "./group-words.ts";

/** What a group’s members can do, in words. Announced while rights are chosen. */
export function Meaning({ permissions }: { permissions: Record<string, string> }) {
  const { can, note } = meaning(permissions);
  return (
    <div aria-live="polite">
      <p>{can.length > 0 ? "A member of this group can" : "A member of this group can sign in, and nothing else."}</p>
      {can.length > 0 && (
        <ul className="mt-1 list-disc pl-5">
          {can.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {note && <p className="mt-2">{note}</p>}
    </div>
  );
}
