import {
  Archive,
  ArchiveRestore,
  CalendarPlus,
  DoorOpen,
  Download,
  Pencil,
  QrCode as QrIcon,
  Undo2,
} from "lucide-react";
import { lazy } from "react";
import { Form, Link } from "react-router";
import type { Document } from "#provider/contract/documents.ts";
import type { SummaryError } from "../../components/error-summary.tsx";
import { CloseLink, Dialog, DialogProblems, useDialog } from "../../components/dialog.tsx";
import { showDate } from "../../components/format.ts";

/** Browsers fetch its code when it is opened. */
const QrDialog = lazy(() => import("./qr-dialog.tsx"));

/** What can be done with a document: each act asks in a dialog first. */

type Act = {
  act: "archive" | "restore" | "exit" | "reactivate" | "prolong";
  /** On the button that opens the dialog, as the specification has it, and on the one that acts. */
  label: string;
  confirm: string;
  Icon: typeof Archive;
  title(document: Document): string;
  effect(document: Document): string;
  isOffered(document: Document): boolean;
};

const acts: Act[] = [
  {
    act: "prolong",
    label: "Prolong",
    confirm: "Prolong document",
    Icon: CalendarPlus,
    title: ({ name }) => `Prolong ${name}?`,
    effect: ({ expire_date }) =>
      `It expires on ${showDate(expire_date)}. Prolonging moves that on by the document’s first period.`,
    isOffered: ({ status, prolongation, expire_date }) =>
      status === "active" && Boolean(prolongation) && expire_date !== "",
  },
  {
    act: "archive",
    label: "Archive",
    confirm: "Archive document",
    Icon: Archive,
    title: ({ name }) => `Archive ${name}?`,
    effect: () => "It moves from the list to the archive and can’t be edited there. You can restore it at any time.",
    isOffered: ({ status }) => status === "active" || status === "exited",
  },
  {
    act: "exit",
    label: "Exited",
    confirm: "Mark as exited",
    Icon: DoorOpen,
    title: ({ name }) => `Mark ${name} as exited?`,
    effect: () =>
      "It is withdrawn: whoever scans its code reads that it is no longer in force. You can take this back.",
    isOffered: ({ status }) => status === "active",
  },
  {
    act: "reactivate",
    label: "Reactivate",
    confirm: "Reactivate document",
    Icon: Undo2,
    title: ({ name }) => `Reactivate ${name}?`,
    effect: () => "The withdrawal is taken back: whoever scans its code reads that it is in force.",
    isOffered: ({ status }) => status === "exited",
  },
  {
    act: "restore",
    label: "Restore",
    confirm: "Restore document",
    Icon: ArchiveRestore,
    title: ({ name }) => `Restore ${name}?`,
    effect: () => "It goes back to the list as it was before it was archived.",
    isOffered: ({ status }) => status === "archived",
  },
];

export function DocumentActs({ document, mayChange }: { document: Document; mayChange: boolean }) {
  const { openTo } = useDialog();
  const file = `/files/documents/${document.id}`;
  return (
    <div className="page-acts flex flex-wrap gap-2">
      {document.files.qrcode && (
        <>
          <Link className="btn btn-primary" to={openTo("qr")} preventScrollReset>
            <QrIcon className="ico" />
            Get QR
          </Link>
          <a className="btn btn-quiet" href={`${file}/qrcode.png?download`} download>
            <Download className="ico" />
            Download
          </a>
        </>
      )}
      {mayChange && document.status && (
        <>
          {document.status !== "archived" && (
            <Link className="btn btn-quiet" to={`/documents/edit/${document.id}`}>
              <Pencil className="ico" />
              Edit
            </Link>
          )}
          {acts
            .filter(({ isOffered }) => isOffered(document))
            .map(({ act, label, Icon }) => (
              <Link key={act} className="btn btn-quiet" to={openTo(act)} preventScrollReset>
                <Icon className="ico" />
                {label}
              </Link>
            ))}
        </>
      )}
    </div>
  );
}

type DialogsProps = { document: Document; mayChange: boolean; errors: SummaryError[] };

/** The dialog that the address has open, if it is one of a document's. */
export function DocumentDialogs({ document, mayChange, errors }: DialogsProps) {
  const { open, closeTo } = useDialog();
  const act = acts.find(({ act }) => act === open);
  if (open === "qr" && document.files.qrcode) return <QrDialog document={document} closeTo={closeTo} />;
  if (!act || !mayChange || (!act.isOffered(document) && errors.length === 0)) return null;
  return (
    <Dialog
      title={act.title(document)}
      lead={
        <>
          <DialogProblems errors={errors} />
          <p>{act.effect(document)}</p>
        </>
      }
      closeTo={closeTo}
    >
      <Form method="post" className="modal-foot">
        <CloseLink to={closeTo} />
        <button type="submit" className="btn btn-primary" name="intent" value={act.act}>
          {act.confirm}
        </button>
      </Form>
    </Dialog>
  );
}
