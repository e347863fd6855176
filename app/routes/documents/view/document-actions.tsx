import {
  Archive,
  ArchiveRestore,
  CalendarPlus,
  DoorOpen,
  Download,
  FilePlus,
  Pencil,
  Printer,
  QrCode as QrIcon,
  ReceiptText,
  ShieldCheck,
  Undo2,
  Wallet as WalletIcon,
} from "lucide-react";
import { lazy } from "react";
import { Link } from "react-router";
import type { SubmissionResult } from "@conform-to/react";
import { t } from "#lib/messages/staff.ts";
import type { Document } from "#provider/contract/documents.ts";
import { More } from "../../../components/frame/more.tsx";
import { useDialog } from "../../../components/dialog/dialog.tsx";
import { Form } from "../../../components/form/form.tsx";
import type { CopyQuestion } from "./copies.server.ts";
import type { ActionQuestion } from "./action-question.server.ts";

/** Loaded when they are opened. */
const QrDialog = lazy(() => import("./qr-dialog.tsx"));
const CopyDialog = lazy(() => import("./copy-dialog.tsx"));
const ActionDialog = lazy(() => import("./action-dialog.tsx"));

const icons: Record<string, typeof Archive> = {
  prolong: CalendarPlus,
  archive: Archive,
  exit: DoorOpen,
  reactivate: Undo2,
  restore: ArchiveRestore,
};

type DocumentActionsProps = {
  document: Document;
  mayChange: boolean;
  /** Whether the provider makes labels. */
  hasLabels: boolean;
  hasReceipt: boolean;
  hasProof: boolean;
  /** Whether it can be added to a wallet. */
  hasWallet: boolean;
  mayRenew: boolean;
  /** What its state allows. */
  actions: { intent: string; label: string }[];
};

/** The acts that the specification names as buttons, and what takes them back. */
const inSight = ["archive", "exit", "reactivate", "restore"];

export function DocumentActions(props: DocumentActionsProps) {
  const { document, mayChange, mayRenew, hasLabels, hasReceipt, hasProof, hasWallet, actions } = props;
  const { openTo } = useDialog();
  const file = `/files/documents/${document.id}`;
  const mayAct = mayChange && document.status;
  const act = ({ intent, label }: DocumentActionsProps["actions"][number]) => {
    const Icon = icons[intent]!;
    return (
      <Link key={intent} className="btn btn-quiet" to={openTo(intent)} preventScrollReset>
        <Icon className="ico" />
        {label}
      </Link>
    );
  };
  const rarer = [
    document.files.pages.length > 0 && (
      <a key="sealed" className="btn btn-quiet" href={`${file}/sealed.pdf`} download>
        <Download className="ico" />
        {t("documents.documentActions.downloadSealedPdf")}
      </a>
    ),
    hasLabels && document.copies === 1 && (
      <Link key="labels" className="btn btn-quiet" to={`/documents/labels?ids=${document.id}`}>
        <Printer className="ico" />
        {t("common.labels")}
      </Link>
    ),
    hasReceipt && (
      <a key="receipt" className="btn btn-quiet" href={`${file}/receipt.pdf`} download>
        <ReceiptText className="ico" />
        {t("documents.documentActions.receipt")}
      </a>
    ),
    hasProof && document.files.pages.length > 0 && (
      <Link key="proof" className="btn btn-quiet" to={`/documents/sealed-pdfs?ids=${document.id}`}>
        <ShieldCheck className="ico" />
        {t("documents.documentActions.proof")}
      </Link>
    ),
    hasWallet && (
      <Link key="wallet" className="btn btn-quiet" to={`/documents/${document.id}/wallet`}>
        <WalletIcon className="ico" />
        {t("common.addToWallet")}
      </Link>
    ),
    ...(mayAct ? actions.filter(({ intent }) => !inSight.includes(intent)).map(act) : []),
    mayAct && mayRenew && (
      <Form key="renew" method="post">
        <button type="submit" className="btn btn-quiet" name="intent" value="new-version">
          <FilePlus className="ico" />
          {t("documents.documentActions.issueANewVersion")}
        </button>
      </Form>
    ),
  ].filter(Boolean);
  return (
    <div className="page-acts">
      {document.files.qrcode && (
        <>
          <Link className="btn btn-primary" to={openTo("qr")} preventScrollReset>
            <QrIcon className="ico" />
            {t("documents.documentActions.getQr")}
          </Link>
          <a
            className="btn btn-quiet"
            href={`${file}/qrcode.png?download`}
            download
            title={t("documents.documentActions.downloadHint")}
          >
            <Download className="ico" />
            {t("documents.documentActions.download")}
          </a>
        </>
      )}
      {mayAct && document.status !== "archived" && (
        <Link className="btn btn-quiet" to={`/documents/edit/${document.id}`}>
          <Pencil className="ico" />
          {t("common.edit")}
        </Link>
      )}
      {mayAct && actions.filter(({ intent }) => inSight.includes(intent)).map(act)}
      {rarer.length > 0 && <More>{rarer}</More>}
    </div>
  );
}

type DialogsProps = {
  document: Document;
  question: ActionQuestion | undefined;
  reply: SubmissionResult | undefined;
};

/** The dialog that the address has open, if it is one of a document's. */
export function DocumentDialogs({ document, question, reply }: DialogsProps) {
  const { open, closeTo } = useDialog();
  if (open === "qr" && document.files.qrcode) return <QrDialog document={document} closeTo={closeTo} />;
  // Another user may have done it meanwhile: the refusal is shown all the same.
  if (!question || open !== question.intent || (!question.isOffered && !reply)) return null;
  return <ActionDialog question={question} reply={reply} closeTo={closeTo} />;
}

type CopyDialogsProps = { question: CopyQuestion; reply: SubmissionResult | undefined };

/** The dialog about a copy that the address has open. */
export function CopyDialogs({ question, reply }: CopyDialogsProps) {
  const { open, closeTo } = useDialog();
  if (open !== question.intent || (!question.isOffered && !reply)) return null;
  return <CopyDialog question={question} reply={reply} closeTo={closeTo} />;
}
