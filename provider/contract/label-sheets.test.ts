import fc from "fast-check";
import { expect, test } from "vitest";
import { type LabelSheet, labelSheets, sheetErrors, type SheetName, sheetNames } from "./label-sheets.ts";

const tolerance = 0.06;

/** The edges of every label. */
const labelsOf = (sheet: LabelSheet) =>
  Array.from({ length: sheet.columns * sheet.rows }, (_, n) => {
    const leftEdge = sheet.marginLeft + (n % sheet.columns) * sheet.pitchX;
    const top = sheet.marginTop + Math.floor(n / sheet.columns) * sheet.pitchY;
    return { left: leftEdge, top, right: leftEdge + sheet.labelWidth, bottom: top + sheet.labelHeight };
  });

function isSound(sheet: LabelSheet) {
  const labels = labelsOf(sheet);
  const isInside = labels.every(
    ({ left: leftEdge, top, right, bottom }) =>
      leftEdge >= 0 && top >= 0 && right <= sheet.pageWidth + tolerance && bottom <= sheet.pageHeight + tolerance,
  );
  const lie = labels.some((one, n) =>
    labels
      .slice(n + 1)
      .some(
        (other) =>
          Math.min(one.right, other.right) - Math.max(one.left, other.left) > tolerance &&
          Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > tolerance,
      ),
  );
  return isInside && !lie;
}

test.for(sheetNames)("the labels of sheet %s lie on their page and not on each other", (name) => {
  const { sheet } = labelSheets[name];
  expect(sheetErrors(sheet)).toEqual({});
  expect(isSound(sheet)).toBe(true);
});

const published: [SheetName, labels: number, marginLeft: number, marginTop: number][] = [
  ["L7159", 24, 7.25, 12.9],
  ["L7160", 21, 7.25, 15.15],
  ["L7163", 14, 4.65, 15.15],
  ["L7173", 10, 4.65, 6],
  ["L7651", 65, 4.75, 10.7],
  ["5160", 30, 4.7625, 12.7],
  ["5163", 10, 3.97, 12.7],
  ["5164", 6, 3.97, 12.7],
  ["22806", 12, 15.875, 15.875],
];

test.for(published)(
  "sheet %s has %i labels from %f mm and %f mm on, as its maker says",
  ([name, labels, leftEdge, top]) => {
    const { sheet } = labelSheets[name];
    expect(sheet.columns * sheet.rows).toBe(labels);
    expect(sheet.marginLeft).toBeCloseTo(leftEdge, 1);
    expect(sheet.marginTop).toBeCloseTo(top, 1);
  },
);

const side = fc.double({ min: 10, max: 120, noNaN: true });
const ownSheets = fc.record({
  pageWidth: fc.double({ min: 30, max: 300, noNaN: true }),
  pageHeight: fc.double({ min: 30, max: 300, noNaN: true }),
  columns: fc.integer({ min: 1, max: 6 }),
  rows: fc.integer({ min: 1, max: 6 }),
  labelWidth: side,
  labelHeight: side,
  marginLeft: fc.double({ min: 0, max: 30, noNaN: true }),
  marginTop: fc.double({ min: 0, max: 30, noNaN: true }),
  pitchX: side,
  pitchY: side,
});

test("an own sheet without errors has its labels on the page and not on each other", () => {
  fc.assert(
    fc.property(ownSheets, (sheet) => {
      if (Object.keys(sheetErrors(sheet)).length === 0) expect(isSound(sheet)).toBe(true);
    }),
  );
});
