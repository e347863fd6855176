import { t } from "#lib/messages/staff.ts";
import type { LabelSheet } from "#provider/contract/label-sheets.ts";

/** `src` is the address of the drawn sheet; empty for none. */
type PictureProps = { sheet: LabelSheet; start: number; labels: number; src: string };

/** The first sheet in small, as it is printed. With scripts a press on a label starts there. */
export function LabelSheetPicture({ sheet, start, labels, src }: PictureProps) {
  const places = Array.from({ length: sheet.columns * sheet.rows }, (_, n) => n + 1);
  return (
    <svg
      className="label-sheet"
      viewBox={`0 0 ${sheet.pageWidth} ${sheet.pageHeight}`}
      role="img"
      aria-label={t("documents.labelSheetPicture.sheetOfLabels", { labels: places.length, start })}
    >
      <rect className="label-paper" width={sheet.pageWidth} height={sheet.pageHeight} />
      {src && <image href={src} width={sheet.pageWidth} height={sheet.pageHeight} />}
      {places.map((n) => {
        const x = sheet.marginLeft + ((n - 1) % sheet.columns) * sheet.pitchX;
        const y = sheet.marginTop + Math.floor((n - 1) / sheet.columns) * sheet.pitchY;
        const isPrinted = n >= start && n < start + labels;
        return (
          <g key={n} onClick={() => startAt(n)}>
            <rect className="label-place" x={x} y={y} width={sheet.labelWidth} height={sheet.labelHeight} rx={2} />
            {!(isPrinted && src) && (
              <text
                x={x + sheet.labelWidth / 2}
                y={y + sheet.labelHeight / 2}
                textAnchor="middle"
                dominantBaseline="central"
              >
                {n}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

/** The number is the control that keyboards and assistive technology use. */
function startAt(n: number) {
  const input = document.getElementById("start") as HTMLInputElement | null;
  if (!input) return;
  input.value = String(n);
  input.form?.requestSubmit();
}
