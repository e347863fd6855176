import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "#lib/messages/staff.ts";
import { placingParts, placingSizes } from "#provider/contract/document-options.ts";
import { FieldError, type FieldState, Options, withStored } from "../../../components/form/field.tsx";
import type { PlacingPages, Sheet } from "../../../server/drafts/placing-pages.ts";
import { cornerWords, pagesWords } from "./placing-words.ts";

type PlacingFieldsProps = { field: FieldState; pages?: PlacingPages };

/** `top-left small` as classes of what the style sheet shows while these are chosen. */
const choiceClass = (choices: string) => choices.replace(/[\w-]+/g, "on-$&");

/** Where the QR goes. The style sheet alone makes preview and notes follow the choice. */
export function PlacingFields({ field: { id, errors, initialValue }, pages }: PlacingFieldsProps) {
  const parts = placingParts(String(initialValue ?? ""));
  const corner = parts?.corner ?? String(initialValue || "none");
  const corners = Object.entries({ none: t("common.none"), ...cornerWords }).map(([value, label]) => ({
    value,
    label,
  }));
  const error = errors?.[0];
  return (
    <div className="placing grid gap-4">
      <div className={error ? "field field-bad" : "field"}>
        <label htmlFor={id}>{t("common.qrPlacing")}</label>
        {error && <FieldError id={`${id}-error`} message={error} />}
        <select
          className="select"
          id={id}
          name="placing_corner"
          defaultValue={corner}
          aria-describedby={error && `${id}-error`}
        >
          <Options options={withStored(corners, corner)} />
        </select>
      </div>
      <PlacingPreview sheets={pages?.sheets ?? []} />
      <Choice
        legend={t("documents.placingFields.onWhichPages")}
        name="placing_pages"
        choices={pagesWords}
        chosen={parts?.pages ?? "first"}
      />
      <Choice
        legend={t("documents.placingFields.size")}
        name="placing_size"
        choices={{
          small: t("documents.placingFields.small", { small: placingSizes.small }),
          medium: t("documents.placingFields.medium", { medium: placingSizes.medium }),
          large: t("documents.placingFields.large", { large: placingSizes.large }),
        }}
        chosen={parts?.size ?? "medium"}
      />
      <div aria-live="polite">
        {pages?.notes.map(({ placing, note }) => (
          <p key={`${placing} ${note}`} className={`notice is-warn ${choiceClass(placing.replaceAll(":", " "))}`}>
            <CircleAlert className="ico" />
            {note}
          </p>
        ))}
      </div>
    </div>
  );
}

type ChoiceProps = { legend: string; name: string; choices: Record<string, string>; chosen: string };

function Choice({ legend, name, choices, chosen }: ChoiceProps) {
  return (
    <fieldset>
      <legend className="legend">{legend}</legend>
      {Object.entries(choices).map(([value, label]) => (
        <label className="choice" key={value}>
          <input
            className="radio radio-primary"
            type="radio"
            name={name}
            value={value}
            defaultChecked={value === chosen}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

/** The drawing of any page, if none is there yet. */
const anySheet: Omit<Sheet, "src"> = {
  width: 100,
  height: 120,
  spots: ["top-left", "top-right", "bottom-left", "bottom-right"].map((choice) => ({
    choice,
    x: choice.endsWith("left") ? 5 : 71,
    y: choice.startsWith("top") ? 5 : 91,
    width: 24,
    height: 24,
  })),
};

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

function PlacingPreview({ sheets }: { sheets: Sheet[] }) {
  return (
    <div className="qr-stage">
      {sheets.length === 0 && (
        <SheetPicture sheet={anySheet}>
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
          sheet={sheet}
          className={choiceClass(sheet.choice ?? (n < sheets.length - 1 ? "not-last" : ""))}
        >
          <rect className="paper" width={sheet.width} height={sheet.height} />
          <image href={sheet.src} width={sheet.width} height={sheet.height} />
        </SheetPicture>
      ))}
    </div>
  );
}

type SheetPictureProps = { sheet: Omit<Sheet, "src">; className?: string; children: ReactNode };

const SheetPicture = ({ sheet: { width, height, spots }, className, children }: SheetPictureProps) => (
  <svg
    viewBox={`0 0 ${width} ${height}`}
    className={className}
    role="img"
    aria-label={t("documents.placingFields.previewOfPlacing")}
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
