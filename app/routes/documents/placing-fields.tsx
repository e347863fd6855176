import { say } from "#messages/staff.ts";
import { placingParts, placingSizes } from "#provider/contract/document-options.ts";
import { FieldError, type FieldState, Options, withStored } from "../../components/field.tsx";
import { cornerWords, pagesWords } from "./placing-words.ts";

/** Where the QR goes. The style sheet alone makes the preview follow the choice. */
export function PlacingFields({ field: { id, errors, initialValue } }: { field: FieldState }) {
  const parts = placingParts(String(initialValue ?? ""));
  const corner = parts?.corner ?? String(initialValue || "none");
  const corners = Object.entries({ none: say("common.none"), ...cornerWords }).map(([value, label]) => ({
    value,
    label,
  }));
  const error = errors?.[0];
  return (
    <div className="placing grid gap-4">
      <div className={error ? "field field-bad" : "field"}>
        <label htmlFor={id}>{say("common.qrPlacing")}</label>
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
      <PlacingPreview />
      <Choice
        legend={say("documents.placingFields.onWhichPages")}
        name="placing_pages"
        choices={pagesWords}
        chosen={parts?.pages ?? "first"}
      />
      <Choice
        legend={say("documents.placingFields.size")}
        name="placing_size"
        choices={{
          small: say("documents.placingFields.small", { small: placingSizes.small }),
          medium: say("documents.placingFields.medium", { medium: placingSizes.medium }),
          large: say("documents.placingFields.large", { large: placingSizes.large }),
        }}
        chosen={parts?.size ?? "medium"}
      />
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

/** The upper left corners of the QR code on a sheet of 100 by 120. */
const spots: [corner: string, x: number, y: number][] = [
  ["top-left", 5, 5],
  ["top-right", 71, 5],
  ["bottom-left", 5, 91],
  ["bottom-right", 71, 91],
];

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

function PlacingPreview() {
  return (
    <div className="qr-stage">
      <svg viewBox="0 0 100 120" role="img" aria-label={say("documents.placingFields.previewOfPlacing")}>
        <rect className="paper" width="100" height="120" />
        <rect className="paper-strong" x="12" y="23" width="44" height="2.4" rx="1.2" />
        {textLines.map(([y, width]) => (
          <rect key={y} className="paper-ink" x="12" y={y} width={width} height="2.4" rx="1.2" />
        ))}
        {spots.map(([corner, x, y]) => (
          <g key={corner} className={`spot spot-${corner}`} transform={`translate(${x} ${y})`}>
            <rect className="spot-box" width="24" height="24" rx="1.5" strokeWidth="1.2" />
            <path
              className="spot-ink"
              fillRule="evenodd"
              d="M3 3h7v7H3zm1.5 1.5v4h4v-4zm1.2 1.2h1.6v1.6H5.7zM14 3h7v7h-7zm1.5 1.5v4h4v-4zm1.2 1.2h1.6v1.6h-1.6zM3 14h7v7H3zm1.5 1.5v4h4v-4zm1.2 1.2h1.6v1.6H5.7zM13 13h2v2h-2zm4 0h4v2h-4zm-4 4h4v2h-2v2h-2zm6 0h2v4h-4v-2h2z"
            />
          </g>
        ))}
      </svg>
    </div>
  );
}
