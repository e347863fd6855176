import {
  Archive,
  ArchiveRestore,
  CalendarPlus,
  DoorOpen,
  Download,
  FileCheck,
  Pencil,
  QrCode as QrIcon,
  Undo2,
} from "lucide-react";
import { lazy } from "react";
import { Link } from "react-router";
import type { Document } from "#provider/contract/documents.ts";
import type { SummaryError } from "../../components/error-summary.tsx";
import { useDialog } from "../../components/dialog.tsx";
import type { Intent, Issuer } from "./action-dialog.tsx";

/** Loaded when they are opened. */
const QrDialog = lazy(() => import("./qr-dialog.tsx"));
const ActionDialog = lazy(() => import("./action-dialog.tsx"));

type DocumentAction = {
  intent: Intent;
  /** On the button that opens the dialog, as in the specification. */
  label: string;
  Icon: typeof Archive;
  isOffered(document: Document): boolean;
};

const documentActions: DocumentAction[] = [
  { intent: "prolong", label: "Prolong", Icon: CalendarPlus, isOffered: (document) => document.prolonged_until !== "" },
  {
    intent: "archive",
    label: "Archive",
    Icon: Archive,
    isOffered: ({ status }) => status === "active" || status === "exited",
  },
  { intent: "exit", label: "Exited", Icon: DoorOpen, isOffered: ({ status }) => status === "active" },
  { intent: "reactivate", label: "Reactivate", Icon: Undo2, isOffered: ({ status }) => status === "exited" },
  { intent: "restore", label: "Restore", Icon: ArchiveRestore, isOffered: ({ status }) => status === "archived" },
];

export function DocumentActions({ document, mayChange }: { document: Document; mayChange: boolean }) {
  const { openTo } = useDialog();
  const file = `/files/documents/${document.id}`;
  return (
    <div className="page-acts">
      {document.files.qrcode && (
        <>
          <Link className="btn btn-primary" to={openTo("qr")} preventScrollReset>
            <QrIcon className="ico" />
            Get QR
          </Link>
          <a className="btn btn-quiet" href={`${file}/qrcode.png?download`} download>
            <Download className="ico" />
            <span>
              Download <span className="font-normal text-muted">QR picture</span>
            </span>
          </a>
        </>
      )}
      {document.files.pages.length > 0 && (
        <a className="btn btn-quiet" href={`${file}/sealed.pdf`} download>
          <FileCheck className="ico" />
          Download sealed PDF
        </a>
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

type DialogsProps = { document: Document; mayChange: boolean; issuer: Issuer; errors: SummaryError[] };

/** The dialog that the address has open, if it is one of a document's. */
export function DocumentDialogs({ document, mayChange, issuer, errors }: DialogsProps) {
  const { open, closeTo } = useDialog();
  const action = documentActions.find(({ intent }) => intent === open);
  if (open === "qr" && document.files.qrcode) return <QrDialog document={document} closeTo={closeTo} />;
  if (!action || !mayChange || (!action.isOffered(document) && errors.length === 0)) return null;
  const { intent } = action;
  return <ActionDialog intent={intent} document={document} issuer={issuer} errors={errors} closeTo={closeTo} />;
}
