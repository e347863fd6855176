import { Download, Printer } from "lucide-react";
import { Link } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";
import { countedScans } from "#provider/contract/document-options.ts";
import type { Document } from "#provider/contract/documents.ts";
import { useDialog } from "../../../components/dialog/dialog.tsx";
import { hidden } from "../../../components/text/message-elements.tsx";
import { RowAction } from "../../../components/list/row-action.tsx";
import { StateChip } from "../../../components/scan/state-chip.tsx";
import { type Column, Table } from "../../../components/list/table.tsx";
import type { DocumentCopy } from "./copies.server.ts";
import { copyDialogs, withdrawnNote } from "./copy-dialogs.ts";

type CopiesPanelProps = { document: Document; copies: DocumentCopy[]; mayChange: boolean };

/** A document's numbered copies, each with its code, its files and what has become of it. */
export default function CopiesPanel({ document, copies, mayChange }: CopiesPanelProps) {
  const { openTo } = useDialog();
  const files = `/files/documents/${document.id}`;
  return (
    <section className="panel mt-5 overflow-hidden" aria-labelledby="copies">
      <div className="panel-head flex-wrap">
        <h2 id="copies">{t("common.copies")}</h2>
        <p className="flex flex-wrap gap-2 print:hidden">
          <a className="btn btn-quiet" href={`${files}/sealed.zip`} download>
            <Download className="ico" />
            {t("documents.copiesPanel.downloadAllSealedPdfs")}
          </a>
          <Link className="btn btn-quiet" to={`/documents/labels?ids=${document.id}`}>
            <Printer className="ico" />
            {t("common.labels")}
          </Link>
        </p>
      </div>
      <Table
        caption={t("common.copies")}
        rows={copies}
        columns={columnsOf(document, files, mayChange && document.status !== "archived" ? openTo : undefined)}
        keyOf={({ n }) => n}
      />
    </section>
  );
}

type OpenTo = (dialog: string, at: number) => string;

const columnsOf = (document: Document, files: string, openTo: OpenTo | undefined): Column<DocumentCopy>[] => [
  {
    label: t("common.copy"),
    cell: ({ n }) => (
      <span className="whitespace-nowrap">{t("documents.copiesPanel.nOfCopies", { n, copies: document.copies })}</span>
    ),
  },
  {
    label: t("documents.copiesPanel.code"),
    cell: ({ code, verify_url }) => (
      <a className="code whitespace-nowrap" translate="no" href={verify_url} target="_blank" rel="noreferrer">
        {tRich("documents.copiesPanel.codeInNewTab", {
          code: code.match(/.{1,4}/g)?.join("-") ?? "",
          hidden,
        })}
      </a>
    ),
  },
  { label: t("common.status"), cell: (copy) => <Status copy={copy} document={document} /> },
  {
    label: t("common.scans"),
    cell: ({ scans }) =>
      scans === null
        ? ""
        : scans < countedScans
          ? scans
          : t("documents.copiesPanel.scansOrMore", { scans: countedScans }),
  },
  {
    label: t("documents.copiesPanel.lastScan"),
    cell: ({ last_scan }) => last_scan && <span className="whitespace-nowrap">{last_scan}</span>,
  },
  {
    label: t("common.actions"),
    className: "act",
    cell: ({ n, withdrawn }) => (
      <>
        <RowAction
          to={`${files}/sealed.pdf?copy=${n}`}
          verb={t("documents.copiesPanel.sealedPdf")}
          label={t("documents.copiesPanel.sealedPdfOfCopy", { n })}
          isDownload
        />
        <RowAction
          to={`${files}/qrcode.png?copy=${n}&download`}
          verb={t("documents.copiesPanel.qrPicture")}
          label={t("documents.copiesPanel.qrPictureOfCopy", { n })}
          isDownload
        />
        {openTo && <ChangeLink n={n} isWithdrawn={Boolean(withdrawn)} openTo={openTo} />}
      </>
    ),
  },
];

type ChangeLinkProps = { n: number; isWithdrawn: boolean; openTo: OpenTo };

const ChangeLink = ({ n, isWithdrawn, openTo }: ChangeLinkProps) =>
  isWithdrawn ? (
    <RowAction
      to={openTo(copyDialogs.restore, n)}
      verb={t("common.restore")}
      label={t("documents.copiesPanel.restoreCopy", { n })}
    />
  ) : (
    <RowAction
      to={openTo(copyDialogs.withdraw, n)}
      verb={t("common.exited")}
      label={t("documents.copiesPanel.withdrawCopy", { n })}
    />
  );

/** A copy that is not withdrawn alone is in the document's state. */
function Status({ copy: { withdrawn, note }, document }: { copy: DocumentCopy; document: Document }) {
  if (!withdrawn) return document.validity ? <StateChip state={document.validity} /> : null;
  return (
    <span>
      <StateChip state="copy withdrawn" />
      <small className="wrap-anywhere">{withdrawnNote(withdrawn, note)}</small>
    </span>
  );
}
