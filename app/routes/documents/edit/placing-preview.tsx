import type { PointerEvent, ReactNode } from "react";
import { t } from "#lib/messages/staff.ts";
import type { Sheet } from "../../../server/drafts/placing-pages.ts";

/** A code at any place: millimetres from the page's edges, and its side. */
export type Spot = { left: number; top: number; side: number };

type Paper = Omit<Sheet, "src">;

/** `top-left small` as classes of what the style sheet shows while these are chosen. */
export const choiceClass = (choices: string) => choices.replace(/[\w-]+/g, "on-$&");

/** The drawing of any page, where none is there yet. */
export const anySheet: Paper = {
  width: 100,
  height: 120,
  spots: ["top-left", "top-right", "bottom-left", "bottom-right"].map((choice) => ({
    choice,
    x: choice.endsWith("left") ? 5 : 71,
    y: choice.startsWith("top") ? 5 : 91,
    width: 24,
    height: 24,
  })),
  millimetre: 100 / 210,
  frame: { x: -0.12, y: -0.12, width: 1.24, height: 1.32 },
};

const emptySheet: Paper = {
  ...anySheet,
  spots: [{ choice: "own-page", x: 38, y: 46, width: 24, height: 24 }],
};

/** The stamp of a spot on a sheet, in its units; never outside of it. */
export function spotOn({ width, height, millimetre, frame }: Paper, { left, top, side: millimetres }: Spot) {
  const side = Math.min(millimetres * millimetre, Math.min(width, height) / 2);
  const size = { width: frame.width * side, height: frame.height * side };
  const within = (at: number, most: number) => Math.max(0, Math.min(at, most));
  const x = within(left * millimetre + frame.x * side, width - size.width);
  return { x, y: within(top * millimetre + frame.y * side, height - size.height), ...size };
}

const textLines: [y: number, width: number][] = [
  [31, 70],
  [37, 76],
  [42, 72],
  [48, 60],
  [58, 76],
  [64, 70],
  [70, 74],
  [75, 40],
];

type Drag = (event: PointerEvent<SVGSVGElement>, sheet: Paper, side: number) => void;
type PreviewProps = { sheets: Sheet[]; spot: Spot; onDrag: Drag };

export function PlacingPreview({ sheets, spot, onDrag }: PreviewProps) {
  const own = (sheet: Paper): Paper => ({
    ...sheet,
    spots: [...sheet.spots, { choice: "own", ...spotOn(sheet, spot) }],
  });
  const dragOn = (sheet: Paper) => (event: PointerEvent<SVGSVGElement>) => onDrag(event, sheet, spot.side);
  return (
    <div className="qr-stage">
      {sheets.length === 0 && (
        <SheetPicture sheet={own(anySheet)} onDrag={dragOn(anySheet)}>
          <rect className="paper" width="100" height="120" />
          <rect className="paper-strong" x="12" y="23" width="44" height="2.4" rx="1.2" />
          {textLines.map(([y, width]) => (
            <rect key={y} className="paper-ink" x="12" y={y} width={width} height="2.4" rx="1.2" />
          ))}
        </SheetPicture>
      )}
      {sheets.map((sheet, n) => (
        <SheetPicture
          key={sheet.src}
          sheet={own(sheet)}
          onDrag={dragOn(sheet)}
          className={choiceClass(sheet.choice ?? (n < sheets.length - 1 ? "not-last" : ""))}
        >
          <rect className="paper" width={sheet.width} height={sheet.height} />
          <image href={sheet.src} width={sheet.width} height={sheet.height} />
        </SheetPicture>
      ))}
      <SheetPicture sheet={emptySheet} className={choiceClass("own-page")}>
        <rect className="paper" width="100" height="120" />
      </SheetPicture>
    </div>
  );
}

type SheetPictureProps = {
  sheet: Paper;
  className?: string;
  onDrag?: (event: PointerEvent<SVGSVGElement>) => void;
  children: ReactNode;
};

const SheetPicture = ({ sheet: { width, height, spots }, className, onDrag, children }: SheetPictureProps) => (
  <svg
    viewBox={`0 0 ${width} ${height}`}
    className={className}
    role="img"
    aria-label={t("documents.placingFields.previewOfPlacing")}
    onPointerDown={onDrag}
    onPointerMove={onDrag}
  >
    {children}
    {spots.map(({ choice, ...place }) => (
      <svg key={choice} className={choiceClass(choice)} {...place} viewBox="0 0 24 24" preserveAspectRatio="none">
        <rect className="spot-box" x="0.6" y="0.6" width="22.8" height="22.8" rx="1.5" strokeWidth="1.2" />
        <path
          className="spot-ink"
          fillRule="evenodd"
          d="M3 3h7v7H3zm1.5 1.5v4h4v-4zm1.2 1.2h1.6v1.6H5.7zM14 3h7v7h-7zm1.5 1.5v4h4v-4zm1.2 1.2h1.6v1.6h-1.6zM3 14h7v7H3zm1.5 1.5v4h4v-4zm1.2 1.2h1.6v1.6H5.7zM13 13h2v2h-2zm4 0h4v2h-4zm-4 4h4v2h-2v2h-2zm6 0h2v4h-4v-2h2z"
        />
      </svg>
    ))}
  </svg>
);
