/** A document's QR code, drawn by the provider with its quiet zone. */
export function QrCode({ documentId, className }: { documentId: number; className: string }) {
  return (
    <img
      className={className}
      src={`/files/documents/${documentId}/qrcode.png`}
      alt="QR code"
      width={444}
      height={444}
      decoding="async"
    />
  );
}
