import { expect, test } from "vitest";
import { dateErrors } from "./date-filters.ts";

const errorsOf = (query: string) => dateErrors(new URL(`http://test/list?${query}`));

test.each(["", "date=", "date=19-11-2026", "date=19.11.2026", "date_from=2026-11-19&date_to=19/11/2026", "name=x"])(
  "an address with %j can be used",
  (query) => {
    expect(errorsOf(query)).toEqual({});
  },
);

test.each(["date=yesterday", "date=31-02-2026", "date_from=2026-13-01&date_to=19-11-2026"])(
  "a date that is none is refused: %s",
  (query) => {
    expect(Object.values(errorsOf(query))).toEqual(["Enter day, month and year, like 19-11-2026"]);
  },
);

test("a range must not end before it begins", () => {
  expect(Object.keys(errorsOf("date_from=20-11-2026&date_to=19-11-2026"))).toEqual(["date_to"]);
});
