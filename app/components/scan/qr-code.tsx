import { t } from "#lib/messages/staff.ts";

type QrCodeProps = { documentId: number; copy?: number; className: string };

/** The QR code of a document, or of one of its copies, with its quiet zone, from the provider. */
export function QrCode({ documentId, copy = 1, className }: QrCodeProps) {
  return (
    <img
      className={className}
      src={`/files/documents/${documentId}/qrcode.png${copy > 1 ? `?copy=${copy}` : ""}`}
      alt={t("common.qrCode")}
      width={444}
      height={444}
      decoding="async"
    />
  );
}
