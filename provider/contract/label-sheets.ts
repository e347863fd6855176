/** Sheets of labels in millimetres. Margins lead to the first label, pitches from one label's edge to the next one's. */
export type LabelSheet = {
  pageWidth: number;
  pageHeight: number;
  columns: number;
  rows: number;
  labelWidth: number;
  labelHeight: number;
  marginLeft: number;
  marginTop: number;
  pitchX: number;
  pitchY: number;
};

type Grid = [columns: number, rows: number];
type Pair = [horizontal: number, vertical: number];

const papers = { A4: [210, 297], Letter: [215.9, 279.4] } as const satisfies Record<string, Pair>;
export type Paper = keyof typeof papers | "Printer";

/** A maker's sheet, whose labels stand in the middle of the paper. */
function centred(
  paper: keyof typeof papers,
  [columns, rows]: Grid,
  [labelWidth, labelHeight]: Pair,
  gap: Pair = [0, 0],
) {
  const [pageWidth, pageHeight] = papers[paper];
  const [pitchX, pitchY] = [labelWidth + gap[0], labelHeight + gap[1]];
  const marginLeft = (pageWidth - (columns - 1) * pitchX - labelWidth) / 2;
  const marginTop = (pageHeight - (rows - 1) * pitchY - labelHeight) / 2;
  const size = { pageWidth, pageHeight, columns, rows, labelWidth, labelHeight };
  return { paper, sheet: { ...size, marginLeft, marginTop, pitchX, pitchY } satisfies LabelSheet };
}

/** A label of a label printer, which is a page of its own. */
function single(labelWidth: number, labelHeight: number) {
  const page = { pageWidth: labelWidth, pageHeight: labelHeight, marginLeft: 0, marginTop: 0 };
  const label = { columns: 1, rows: 1, labelWidth, labelHeight, pitchX: labelWidth, pitchY: labelHeight };
  return { paper: "Printer" as const, sheet: { ...page, ...label } satisfies LabelSheet };
}

/** Avery's sheets by their number, and single labels by their makers'. */
export const labelSheets = {
  L7159: centred("A4", [3, 8], [63.5, 33.9], [2.5, 0]),
  L7160: centred("A4", [3, 7], [63.5, 38.1], [2.5, 0]),
  L7163: centred("A4", [2, 7], [99.1, 38.1], [2.5, 0]),
  L7164: centred("A4", [3, 4], [63.5, 72], [2.5, 0]),
  L7165: centred("A4", [2, 4], [99.1, 67.7], [2.5, 0]),
  L7173: centred("A4", [2, 5], [99.1, 57], [2.5, 0]),
  L7651: centred("A4", [5, 13], [38.1, 21.2], [2.5, 0]),
  L4773: centred("A4", [3, 8], [63.5, 33.9], [2.5, 0]),
  "5160": centred("Letter", [3, 10], [66.675, 25.4], [3.175, 0]),
  "5163": centred("Letter", [2, 5], [101.6, 50.8], [4.7625, 0]),
  "5164": centred("Letter", [2, 3], [101.6, 84.667], [4.7625, 0]),
  "22806": centred("Letter", [3, 4], [50.8, 50.8], [15.875, 14.8167]),
  "DYMO 99012": single(89, 36),
  "Brother DK-11209": single(62, 29),
  "Zebra 2 × 1 in": single(50.8, 25.4),
} as const;

export type SheetName = keyof typeof labelSheets;
export const sheetNames = Object.keys(labelSheets) as [SheetName, ...SheetName[]];
export const ownSheet = "own";

/** The measures of a custom sheet, by field. */
export const ownFields = {
  page_width: "pageWidth",
  page_height: "pageHeight",
  columns: "columns",
  rows: "rows",
  label_width: "labelWidth",
  label_height: "labelHeight",
  margin_left: "marginLeft",
  margin_top: "marginTop",
  pitch_x: "pitchX",
  pitch_y: "pitchY",
} as const satisfies Record<string, keyof LabelSheet>;
export type OwnField = keyof typeof ownFields;

/** Rounding of sizes that people measure. */
const tolerance = 0.05;

/** Why labels would not fit a page or lie on each other, by field. */
export function sheetErrors(sheet: LabelSheet): Partial<Record<OwnField, string>> {
  const errors: Partial<Record<OwnField, string>> = {};
  if (sheet.columns > 1 && sheet.pitchX < sheet.labelWidth - tolerance)
    errors.pitch_x = "Enter a pitch of at least the label’s width: the labels would lie on each other";
  if (sheet.rows > 1 && sheet.pitchY < sheet.labelHeight - tolerance)
    errors.pitch_y = "Enter a pitch of at least the label’s height: the labels would lie on each other";
  const right = sheet.marginLeft + (sheet.columns - 1) * sheet.pitchX + sheet.labelWidth;
  const bottom = sheet.marginTop + (sheet.rows - 1) * sheet.pitchY + sheet.labelHeight;
  if (right > sheet.pageWidth + tolerance)
    errors.columns = `The labels need ${right.toFixed(1)} mm, more than the page’s width. Enter fewer columns or smaller sizes`;
  if (bottom > sheet.pageHeight + tolerance)
    errors.rows = `The labels need ${bottom.toFixed(1)} mm, more than the page’s height. Enter fewer rows or smaller sizes`;
  return errors;
}

/** The lines of a label that can be left out. */
export const labelLineNames = ["number", "name", "branch", "date", "caption"] as const;
export type LabelLine = (typeof labelLineNames)[number];

/** Documents whose labels are made at once. */
export const maxLabelDocuments = 500;

/** Custom fields on a label. */
export const maxLabelFields = 5;
