import {
  type LabelLine,
  labelLineNames,
  labelSheets,
  ownSheet,
  type Paper,
  sheetNames,
} from "#provider/contract/label-sheets.ts";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { Field, type FieldState } from "../../components/field.tsx";

const sheetsOf = (paper: Paper) => ({
  label: `Avery, ${paper}`,
  options: sheetNames
    .filter((name) => labelSheets[name].paper === paper)
    .map((name) => {
      const { labelWidth, labelHeight, columns, rows } = labelSheets[name].sheet;
      const size = [labelWidth, labelHeight].map((side) => Number(side.toFixed(1))).join(" × ");
      return { value: name, label: `${name}: ${size} mm, ${columns * rows} a sheet` };
    }),
});

export const sheetOptions = [
  sheetsOf("A4"),
  sheetsOf("Letter"),
  { label: "Own", options: [{ value: ownSheet, label: "Own sizes" }] },
];

const fields = [
  ["page_width", "Page width"],
  ["page_height", "Page height"],
  ["columns", "Columns"],
  ["rows", "Rows"],
  ["label_width", "Label width"],
  ["label_height", "Label height"],
  ["margin_left", "Left margin"],
  ["margin_top", "Top margin"],
  ["pitch_x", "Pitch across"],
  ["pitch_y", "Pitch down"],
] as const;

/** The measures of a sheet that is not listed. */
export const OwnSheetFields = ({ field }: { field: (name: string) => FieldState }) => (
  <fieldset>
    <legend className="font-semibold">Own sizes</legend>
    <p className="hint">
      In millimetres, used with “Own sizes”. A pitch leads from one label’s edge to the next one’s.
    </p>
    <div className="mt-3 grid grid-cols-2 gap-4">
      {fields.map(([name, label]) => (
        <Field key={name} field={field(name)} label={label} inputMode="decimal" />
      ))}
    </div>
  </fieldset>
);

const lineLabels: Record<LabelLine, string> = { number: "Number", name: "Name", caption: "Caption" };

/** Which lines stand on a label. The hidden field tells “none ticked” from an address without lines. */
export const LineBoxes = ({ field, lines }: { field: FieldState; lines: string[] }) => (
  <>
    <input type="hidden" name="chosen" value="1" />
    <ChoiceGroup
      field={field}
      legend="Lines"
      hint="What has no room on a label is left out. The code’s characters, and which copy it is, are always printed."
      type="checkbox"
      options={labelLineNames.map((name) => ({ value: name, label: lineLabels[name] }))}
      chosen={lines}
    />
  </>
);
