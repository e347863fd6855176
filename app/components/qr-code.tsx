/** A document's QR code with its quiet zone, from the provider. */
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
