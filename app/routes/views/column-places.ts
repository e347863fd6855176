import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { text } from "#provider/contract/fields.ts";

/** The numbers that users give the columns of a view. */

const maxRows = 60;
const last = 99;

const place = text("place", 10).refine(
  (number) => /^\d{0,2}$/.test(number) && Number(number || 1) >= 1,
  t("views.columnPlaces.wrongPlace", { last }),
);

export const placeFields = {
  places: z
    .array(z.object({ column: text("column", 110), place }))
    .max(maxRows)
    .default([]),
};

type Places = { column: string; place: string }[];

/** Columns by their numbers; those without one come last, as they stand. */
export function inPlaces(columns: string[], places: Places): string[] {
  const numbers = new Map(places.map(({ column, place: number }) => [column, Number(number || last + 1)]));
  const numberOf = (column: string) => numbers.get(column) ?? last + 1;
  return columns.toSorted((one, other) => numberOf(one) - numberOf(other));
}
