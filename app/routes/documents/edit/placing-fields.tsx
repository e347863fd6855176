import { CircleAlert } from "lucide-react";
import { type FormEvent, type PointerEvent, useState } from "react";
import { hasCells } from "#lib/bounds.ts";
import { t } from "#lib/messages/staff.ts";
import { placingParts, placingSizes } from "#provider/contract/document-options.ts";
import { Field, FieldError, type FieldState, Options, withStored } from "../../../components/form/field.tsx";
import type { PlacingPages, Sheet } from "../../../server/drafts/placing-pages.ts";
import { anySheet, choiceClass, PlacingPreview, type Spot, spotOn } from "./placing-preview.tsx";
import { pagesWords, placeWords } from "./placing-words.ts";

type PlacingFieldsProps = {
  field: FieldState;
  pages?: PlacingPages | undefined;
  /** What stands for no placing in place of “None”. */
  none?: string;
};

/** Where the QR goes. The style sheet alone makes preview and notes follow the choice; scripts add dragging. */
export function PlacingFields({ field: { id, errors, initialValue }, pages, none }: PlacingFieldsProps) {
  const stored = String(initialValue || "none");
  const [place = "", onPages = "first", size = "medium", bare] = stored.split(":");
  const isOwn = place.includes(",");
  // Another provider's own one is offered as it is.
  const corner = isOwn ? "own" : placingParts(stored) ? place : stored;
  const [left = "20", top = "20"] = isOwn ? place.split(",") : [];
  const typed = { left, top, side: isOwn ? size : String(placingSizes.medium) };
  const [spot, setSpot] = useState(spotOf(typed));
  const [chosenPages, setChosenPages] = useState(onPages);
  const places = Object.entries({ none: none ?? t("common.none"), ...placeWords });
  const error = errors?.[0];
  const sheet = pages?.sheets.at(chosenPages === "last" ? -1 : 0);
  const isOver = sheet && isPrinted(pages?.printed[chosenPages] ?? [], sheet, spot);
  return (
    <div
      className="placing grid gap-4"
      onInput={(event) => setSpot(readSpot(event))}
      onChange={({ target }) => {
        const { name, value } = target as unknown as HTMLInputElement;
        if (name === "placing_pages") setChosenPages(value);
      }}
    >
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
          <Options
            options={withStored(
              places.map(([value, label]) => ({ value, label })),
              corner,
            )}
          />
        </select>
      </div>
      <PlacingPreview sheets={pages?.sheets ?? []} spot={spot} onDrag={drag} />
      <fieldset className="on-own">
        <legend className="legend">{t("documents.placingFields.millimetres")}</legend>
        <p className="hint">{t("documents.placingFields.millimetresHint")}</p>
        <div className="mt-2 grid grid-cols-3 gap-3">
          {Object.entries(typed).map(([name, value]) => (
            <Field
              key={name}
              field={{ id: `${id}-${name}`, name: `placing_${name}`, initialValue: value }}
              label={measures[name as keyof typeof typed]}
              inputMode="decimal"
              autoComplete="off"
            />
          ))}
        </div>
      </fieldset>
      <Choice
        className="on-pages"
        legend={t("documents.placingFields.onWhichPages")}
        name="placing_pages"
        choices={pagesWords}
        chosen={onPages}
      />
      <Choice
        className="on-sizes"
        legend={t("documents.placingFields.size")}
        name="placing_size"
        choices={{
          small: t("documents.placingFields.small", { small: placingSizes.small }),
          medium: t("documents.placingFields.medium", { medium: placingSizes.medium }),
          large: t("documents.placingFields.large", { large: placingSizes.large }),
        }}
        chosen={isOwn ? "medium" : size}
      />
      <fieldset>
        <legend className="legend">{t("documents.placingFields.belowTheCode")}</legend>
        <label className="choice">
          <input
            className="checkbox checkbox-primary"
            type="checkbox"
            name="placing_bare"
            value="1"
            defaultChecked={bare === "bare"}
          />
          {t("documents.placingFields.withoutCharacters")}
        </label>
      </fieldset>
      <div aria-live="polite">
        {pages?.notes.map(({ placing, note }) => (
          <Warning key={`${placing} ${note}`} choices={placing.replaceAll(":", " ")} note={note} />
        ))}
        {isOver && <Warning choices="own" note={t("documents.placingFields.coversSomething")} />}
      </div>
    </div>
  );
}

const measures = {
  left: t("documents.placingFields.fromTheLeft"),
  top: t("documents.placingFields.fromTheTop"),
  side: t("documents.placingFields.side"),
};

const Warning = ({ choices, note }: { choices: string; note: string }) => (
  <p className={`notice is-warn ${choiceClass(choices)}`}>
    <CircleAlert className="ico" />
    {note}
  </p>
);

const numberOf = (typed: string) => Number(typed.trim().replace(",", ".")) || 0;

const spotOf = ({ left, top, side }: Record<keyof Spot, string>): Spot => ({
  left: numberOf(left),
  top: numberOf(top),
  side: Math.min(Math.max(numberOf(side), 5), 100),
});

const controlIn = (root: Element, name: string) => root.querySelector<HTMLInputElement>(`[name="placing_${name}"]`)!;

function readSpot({ currentTarget: root }: FormEvent<HTMLElement>): Spot {
  const typed = (name: string) => controlIn(root, name).value;
  return spotOf({ left: typed("left"), top: typed("top"), side: typed("side") });
}

/** Whether the code would lie over something that is printed. */
function isPrinted(rows: string[], sheet: Sheet, spot: Spot): boolean {
  const { x, y, width, height } = spotOn(sheet, spot);
  const [left, top] = [x / sheet.width, y / sheet.height];
  return hasCells(rows, { left, top, right: left + width / sheet.width, bottom: top + height / sheet.height });
}

/** Puts the code's middle where the pointer is, by half millimetres, into the fields. */
function drag(event: PointerEvent<SVGSVGElement>, { millimetre, width, height }: typeof anySheet, side: number) {
  const picture = event.currentTarget;
  const root = picture.closest(".placing")!;
  if (event.buttons === 0 || controlIn(root, "corner").value !== "own") return;
  picture.setPointerCapture(event.pointerId);
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM()!.inverse());
  const within = (at: number, length: number) =>
    String(Math.round(Math.min(Math.max(at / millimetre - side / 2, 0), length / millimetre - side) * 2) / 2);
  const left = controlIn(root, "left");
  left.value = within(x, width);
  controlIn(root, "top").value = within(y, height);
  left.dispatchEvent(new Event("input", { bubbles: true }));
}

type ChoiceProps = {
  legend: string;
  name: string;
  choices: Record<string, string>;
  chosen: string;
  className: string;
};

function Choice({ legend, name, choices, chosen, className }: ChoiceProps) {
  return (
    <fieldset className={className}>
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
