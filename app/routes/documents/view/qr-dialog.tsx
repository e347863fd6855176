import { Download } from "lucide-react";
import { t, tRich } from "#lib/messages/staff.ts";
import type { Document } from "#provider/contract/documents.ts";
import { CloseCross, CloseLink, Dialog } from "../../../components/dialog/dialog.tsx";
import { CopyButton } from "../../../components/text/copy-button.tsx";
import { QrCode } from "../../../components/scan/qr-code.tsx";

/** A document's QR code, large, with its code as /v asks for it, its link and its download. */
export default function QrDialog({ document, closeTo }: { document: Document; closeTo: string }) {
  return (
    <Dialog
      title={t("common.qrCode")}
      lead={<p className="text-sm text-muted">{document.name}</p>}
      className="!max-w-[25rem]"
      closeTo={closeTo}
    >
      <CloseCross to={closeTo} />
      <div className="mt-4 rounded-box border border-base-300 bg-white p-4">
        <QrCode documentId={document.id} className="h-auto w-full" />
      </div>
      <p className="code mt-3 text-center text-lg font-semibold" translate="no">
        {document.number}
      </p>
      {document.code && (
        <p className="text-center text-sm text-muted">
          {tRich("documents.qrDialog.codeIs", {
            code: (words) => (
              <span className="code whitespace-nowrap" translate="no">
                {words}
              </span>
            ),
            digits: document.code.match(/.{1,4}/g)!.join("-"),
          })}
        </p>
      )}
      {document.verify_url && <CheckLink address={document.verify_url} />}
      <div className="modal-foot">
        <CloseLink to={closeTo}>{t("common.close")}</CloseLink>
        <a className="btn btn-primary" href={`/files/documents/${document.id}/qrcode.png?download`} download>
          <Download className="ico" />
          {t("documents.qrDialog.downloadPng")}
        </a>
      </div>
    </Dialog>
  );
}

/** The address in the code, which opens the page that a scan shows; scripts copy it. */
const CheckLink = ({ address }: { address: string }) => (
  <div className="mt-3">
    <p className="text-sm font-semibold" id="check-link">
      {tRich("documents.qrDialog.linkToItsCheck", {
        muted: (words) => <span className="font-normal text-muted">{words}</span>,
      })}
    </p>
    <div className="mt-1 flex flex-wrap items-center gap-2">
      <a
        className="min-w-48 flex-1 text-sm [overflow-wrap:anywhere]"
        id="check-address"
        href={address}
        target="_blank"
        rel="noreferrer"
        aria-describedby="check-link"
      >
        {address}
      </a>
      <CopyButton of="check-address" label={t("common.copyLink")} copied={t("common.theLinkWasCopied")} />
    </div>
  </div>
);
