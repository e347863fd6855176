/** A QR code for SVG: the side in modules, and the path of the dark ones (`server/forms/qr-path.ts`). */
export type Qr = { side: number; path: string };

/** Dark on white in both themes: cameras read no other. */
export const QrDrawing = ({ qr: { side, path }, label, width }: { qr: Qr; label: string; width: number }) => (
  <svg
    className="rounded-lg border border-base-300"
    role="img"
    aria-label={label}
    viewBox={`0 0 ${side} ${side}`}
    width={width}
    height={width}
    shapeRendering="crispEdges"
  >
    <rect width={side} height={side} fill="#ffffff" />
    <path d={path} fill="#000000" />
  </svg>
);
