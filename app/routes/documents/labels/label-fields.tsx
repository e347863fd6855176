import { t } from "#lib/messages/staff.ts";
import {
  type LabelLine,
  labelLineNames,
  labelSheets,
  maxLabelFields,
  ownSheet,
  type Paper,
  sheetNames,
} from "#provider/contract/label-sheets.ts";
import { CheckboxField } from "../../../components/form/checkbox-field.tsx";
import { ChoiceGroup } from "../../../components/form/choice-group.tsx";
import { Field, type FieldState } from "../../../components/form/field.tsx";

const sheetsOf = (paper: Paper) => ({
  label: paper === "Printer" ? t("documents.labelFields.labelPrinter") : `Avery, ${paper}`,
  options: sheetNames
    .filter((name) => labelSheets[name].paper === paper)
    .map((name) => {
      const { labelWidth, labelHeight, columns, rows } = labelSheets[name].sheet;
      const size = [labelWidth, labelHeight].map((side) => Number(side.toFixed(1))).join(" × ");
      return { value: name, label: t("documents.labelFields.sheetChoice", { name, size, labels: columns * rows }) };
    }),
});

export const sheetOptions = [
  sheetsOf("A4"),
  sheetsOf("Letter"),
  sheetsOf("Printer"),
  {
    label: t("documents.labelFields.own"),
    options: [{ value: ownSheet, label: t("documents.labelFields.ownSizes") }],
  },
];

const fields = [
  ["page_width", t("documents.labelFields.pageWidth")],
  ["page_height", t("documents.labelFields.pageHeight")],
  ["columns", t("common.columns")],
  ["rows", t("common.rows")],
  ["label_width", t("documents.labelFields.labelWidth")],
  ["label_height", t("documents.labelFields.labelHeight")],
  ["margin_left", t("documents.labelFields.leftMargin")],
  ["margin_top", t("documents.labelFields.topMargin")],
  ["pitch_x", t("documents.labelFields.pitchAcross")],
  ["pitch_y", t("documents.labelFields.pitchDown")],
] as const;

/** The measures of a sheet that is not listed. */
export const OwnSheetFields = ({ field }: { field: (name: string) => FieldState }) => (
  <fieldset>
    <legend className="font-semibold">{t("documents.labelFields.ownSizes")}</legend>
    <p className="hint">{t("documents.labelFields.ownSizesHint")}</p>
    <div className="mt-3 grid grid-cols-2 gap-4">
      {fields.map(([name, label]) => (
        <Field key={name} field={field(name)} label={label} inputMode="decimal" />
      ))}
    </div>
  </fieldset>
);

const lineLabels: Record<LabelLine, string> = {
  number: t("common.number"),
  name: t("common.name"),
  branch: t("common.branch"),
  date: t("common.expireDate"),
  caption: t("documents.labelFields.caption"),
};

/** Which lines stand on a label. The hidden field tells “none ticked” from an address without lines. */
export const LineBoxes = ({ field, lines }: { field: FieldState; lines: string[] }) => (
  <>
    <input type="hidden" name="chosen" value="1" />
    <ChoiceGroup
      field={field}
      legend={t("documents.labelFields.lines")}
      hint={t("documents.labelFields.linesHint")}
      type="checkbox"
      options={labelLineNames.map((name) => ({ value: name, label: lineLabels[name] }))}
      chosen={lines}
    />
  </>
);

/** Which custom fields stand on a label, of those that the documents have. */
export const CustomFieldBoxes = ({ field, names, chosen }: { field: FieldState; names: string[]; chosen: string[] }) =>
  names.length > 0 && (
    <ChoiceGroup
      field={field}
      legend={t("common.customFields")}
      hint={t("documents.labelFields.customFieldsHint", { most: maxLabelFields })}
      type="checkbox"
      options={[...new Set([...names, ...chosen])].map((name) => ({ value: name, label: name }))}
      chosen={chosen}
    />
  );

/** What the code looks like, and the company's logo. */
export const LookFields = ({ field }: { field: (name: string) => FieldState }) => (
  <>
    <Field
      field={field("symbology")}
      label={t("documents.labelFields.code")}
      hint={t("documents.labelFields.codeHint")}
      options={[
        { value: "qr", label: t("documents.labelFields.qr") },
        { value: "data-matrix", label: t("documents.labelFields.dataMatrix") },
      ]}
    />
    <CheckboxField field={field("logo")} label={t("documents.labelFields.withLogo")} />
  </>
);
