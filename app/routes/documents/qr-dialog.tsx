import { Download } from "lucide-react";
import type { Document } from "#provider/contract/documents.ts";
import { CloseCross, CloseLink, Dialog } from "../../components/dialog.tsx";
import { QrCode } from "../../components/qr-code.tsx";

/** A document's QR code, large, and its download. */
export default function QrDialog({ document, closeTo }: { document: Document; closeTo: string }) {
  return (
    <Dialog
      title="QR code"
      lead={<p className="text-sm text-muted">{document.name}</p>}
      className="!max-w-[25rem]"
      closeTo={closeTo}
    >
      <CloseCross to={closeTo} />
      <div className="mt-4 rounded-box border border-base-300 bg-white p-4">
        <QrCode documentId={document.id} className="h-auto w-full" />
      </div>
      <p className="code mt-3 text-center text-lg font-semibold">{document.number}</p>
      <p className="text-center text-sm break-all text-muted">{document.verify_url}</p>
      <div className="modal-foot">
        <CloseLink to={closeTo}>Close</CloseLink>
        <a className="btn btn-primary" href={`/files/documents/${document.id}/qrcode.png?download`} download>
          <Download className="ico" />
          Download PNG
        </a>
      </div>
    </Dialog>
  );
}
