import { Download, Printer } from "lucide-react";
import { Link } from "react-router";
import { countedScans } from "#provider/contract/document-options.ts";
import type { Document } from "#provider/contract/documents.ts";
import { useDialog } from "../../components/dialog.tsx";
import { RowAction } from "../../components/row-action.tsx";
import { StateChip } from "../../components/state-chip.tsx";
import { type Column, Table } from "../../components/table.tsx";
import type { DocumentCopy } from "./copies.server.ts";
import { copyDialogs, withdrawnOn } from "./copy-dialogs.ts";

type CopiesPanelProps = { document: Document; copies: DocumentCopy[]; mayChange: boolean };

/** A document's numbered copies, each with its code, its files and what has become of it. */
export default function CopiesPanel({ document, copies, mayChange }: CopiesPanelProps) {
  const { openTo } = useDialog();
  const files = `/files/documents/${document.id}`;
  return (
    <section className="panel mt-5 overflow-hidden" aria-labelledby="copies">
      <div className="panel-head flex-wrap">
        <h2 id="copies">Copies</h2>
        <p className="flex flex-wrap gap-2 print:hidden">
          <a className="btn btn-quiet" href={`${files}/sealed.zip`} download>
            <Download className="ico" />
            Download all sealed PDFs
          </a>
          <Link className="btn btn-quiet" to={`/documents/labels?ids=${document.id}`}>
            <Printer className="ico" />
            Labels
          </Link>
        </p>
      </div>
      <Table
        caption="Copies"
        rows={copies}
        columns={columnsOf(document, files, mayChange && document.status !== "archived" ? openTo : undefined)}
        keyOf={({ n }) => n}
      />
    </section>
  );
}

type OpenTo = (dialog: string, at: number) => string;

const columnsOf = (document: Document, files: string, openTo: OpenTo | undefined): Column<DocumentCopy>[] => [
  { label: "Copy", cell: ({ n }) => <span className="whitespace-nowrap">{`${n} of ${document.copies}`}</span> },
  {
    label: "Code",
    cell: ({ code, verify_url }) => (
      <a className="code whitespace-nowrap" href={verify_url} target="_blank" rel="noreferrer">
        {code.match(/.{1,4}/g)?.join("-")}
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
    ),
  },
  { label: "Status", cell: (copy) => <Status copy={copy} document={document} /> },
  {
    label: "Scans",
    cell: ({ scans }) => (scans === null ? "" : scans < countedScans ? scans : `${countedScans} or more`),
  },
  {
    label: "Last scan",
    cell: ({ last_scan }) => last_scan && <span className="whitespace-nowrap">{last_scan}</span>,
  },
  {
    label: "Actions",
    className: "act",
    cell: ({ n, withdrawn }) => (
      <>
        <FileLink to={`${files}/sealed.pdf?copy=${n}`} file="Sealed PDF" n={n} />
        <FileLink to={`${files}/qrcode.png?copy=${n}&download`} file="QR picture" n={n} />
        {openTo && (
          <RowAction
            to={openTo(withdrawn ? copyDialogs.restore : copyDialogs.withdraw, n)}
            verb={withdrawn ? "Restore" : "Withdraw"}
            name={`copy ${n}`}
          />
        )}
      </>
    ),
  },
];

const FileLink = ({ to, file, n }: { to: string; file: string; n: number }) => (
  <a className="row-act" href={to} aria-label={`${file} of copy ${n}`} download>
    {file}
  </a>
);

/** A copy that is not withdrawn alone is in the document's state. */
function Status({ copy: { withdrawn, note }, document }: { copy: DocumentCopy; document: Document }) {
  if (!withdrawn) return document.validity ? <StateChip state={document.validity} /> : null;
  return (
    <span>
      <StateChip state="copy withdrawn" />
      <small className="wrap-anywhere">
        {withdrawnOn(withdrawn)}
        {note && `: ${note}`}
      </small>
    </span>
  );
}
