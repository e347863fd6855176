import { CircleAlert } from "lucide-react";
import { t } from "#lib/messages/staff.ts";

type NotesProps = {
  /** Sentences. */
  notes: string[];
  className?: string;
  label?: string;
};

/** What page files have and the sealed PDF will not have. */
export const Notes = ({ notes, label = t("common.notesOnTheFiles"), className = "" }: NotesProps) =>
  notes.length > 0 && (
    <section className={`notice is-warn ${className}`} aria-label={label}>
      <CircleAlert className="ico" />
      <NoteList notes={notes} />
    </section>
  );

export const NoteList = ({ notes }: { notes: string[] }) => (
  <ul className="grid min-w-0 gap-1 whitespace-normal font-normal wrap-anywhere">
    {notes.map((note) => (
      <li key={note}>{note}</li>
    ))}
  </ul>
);
