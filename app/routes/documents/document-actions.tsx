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

/** Loaded when it is opened. */
const QrDialog = lazy(() => import("./qr-dialog.tsx"));

type DocumentAction = {
  intent: "archive" | "restore" | "exit" | "reactivate" | "prolong";
  /** On the button that opens the dialog, as in the specification, and on the one that confirms. */
  label: string;
  confirm: string;
  Icon: typeof Archive;
  title(document: Document): string;
  effect(document: Document): string;
  isOffered(document: Document): boolean;
};

const documentActions: DocumentAction[] = [
  {
    intent: "prolong",
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
    intent: "archive",
    label: "Archive",
    confirm: "Archive document",
    Icon: Archive,
    title: ({ name }) => `Archive ${name}?`,
    effect: () => "It moves from the list to the archive and can’t be edited there. You can restore it at any time.",
    isOffered: ({ status }) => status === "active" || status === "exited",
  },
  {
    intent: "exit",
    label: "Exited",
    confirm: "Mark as exited",
    Icon: DoorOpen,
    title: ({ name }) => `Mark ${name} as exited?`,
    effect: () => "It is withdrawn: a scan of its code says that it is no longer in force. You can undo this.",
    isOffered: ({ status }) => status === "active",
  },
  {
    intent: "reactivate",
    label: "Reactivate",
    confirm: "Reactivate document",
    Icon: Undo2,
    title: ({ name }) => `Reactivate ${name}?`,
    effect: () => "The withdrawal is undone: a scan of its code says that it is in force.",
    isOffered: ({ status }) => status === "exited",
  },
  {
    intent: "restore",
    label: "Restore",
    confirm: "Restore document",
    Icon: ArchiveRestore,
    title: ({ name }) => `Restore ${name}?`,
    effect: () => "It goes back to the list as it was before it was archived.",
    isOffered: ({ status }) => status === "archived",
  },
];

export function DocumentActions({ document, mayChange }: { document: Document; mayChange: boolean }) {
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
          {documentActions
            .filter(({ isOffered }) => isOffered(document))
            .map(({ intent, label, Icon }) => (
              <Link key={intent} className="btn btn-quiet" to={openTo(intent)} preventScrollReset>
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
  const action = documentActions.find(({ intent }) => intent === open);
  if (open === "qr" && document.files.qrcode) return <QrDialog document={document} closeTo={closeTo} />;
  if (!action || !mayChange || (!action.isOffered(document) && errors.length === 0)) return null;
  return (
    <Dialog
      title={action.title(document)}
      lead={
        <>
          <DialogProblems errors={errors} />
          <p>{action.effect(document)}</p>
        </>
      }
      closeTo={closeTo}
    >
      <Form method="post" className="modal-foot">
        <CloseLink to={closeTo} />
        <button type="submit" className="btn btn-primary" name="intent" value={action.intent}>
          {action.confirm}
        </button>
      </Form>
    </Dialog>
  );
}
