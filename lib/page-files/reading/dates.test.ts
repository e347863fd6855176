import { describe, expect, test } from "vitest";
import { datesIn, orderOf } from "./dates.ts";

const april = ["2026-04-03"];

describe("Dates as documents write them", () => {
  test.each([
    "2026-04-03",
    "2026/04/03",
    "03.04.2026",
    "3. 4. 2026",
    "3 April 2026",
    "3rd April 2026",
    "3rd day of April, 2026",
    "April 3, 2026",
    "Apr. 3, 2026",
    "Friday, April 3, 2026",
    "Fri, 3 Apr 2026",
    "03-Apr-2026",
    "3 April 2026, 10:15",
    "2026-04-03T10:15:00Z",
    "3. April 2026",
    "den 3. April 2026",
    "Berlin, den 3. April 2026",
    "3 avril 2026",
    "Paris, le 3 avril 2026",
    "3 de abril de 2026",
    "3 de Abril de 2026",
    "3 aprile 2026",
    "3 kwietnia 2026 r.",
    "Kraków, dnia 3 kwietnia 2026 r.",
    "3 квітня 2026 р.",
    "3 квітня 2026 року",
    "3 Nisan 2026",
    "3 أبريل 2026",
    "٣ أبريل ٢٠٢٦",
    "3 نيسان 2026",
    "3 अप्रैल 2026",
    "३ अप्रैल २०२६",
    "2026年4月3日",
    "2026 年 4 月 3 日",
  ])("“%s”", (text) => expect(datesIn(text)).toEqual(april));

  test("the first of a month in words", () => {
    expect(datesIn("1er mai 2026")).toEqual(["2026-05-01"]);
    expect(datesIn("1º de maio de 2026")).toEqual(["2026-05-01"]);
    expect(datesIn("1st May 2026")).toEqual(["2026-05-01"]);
    expect(datesIn("1 März 2026")).toEqual(["2026-03-01"]);
  });

  test("either day or month may be first, until something says which", () => {
    expect(datesIn("03/04/2026")).toEqual(["2026-04-03", "2026-03-04"]);
    expect(datesIn("03/04/2026", "day first")).toEqual(april);
    expect(datesIn("04/03/2026", "month first")).toEqual(april);
    expect(datesIn("17/04/2026")).toEqual(["2026-04-17"]);
    expect(datesIn("04/17/2026")).toEqual(["2026-04-17"]);
    expect(datesIn("04-04-2026")).toEqual(["2026-04-04"]);
    expect(orderOf(["Due 17/04/2026", "Date 03/04/2026"])).toBe("day first");
    expect(orderOf(["Due 04/17/2026"])).toBe("month first");
    expect(orderOf(["04/17/2026", "17/04/2026", "03/04/2026"])).toBeUndefined();
  });

  test.each([
    "31.02.2026",
    "3.4.26",
    "April 2026",
    "2026",
    "3 Foo 2026",
    "2026-13-01",
    "12 of 2026",
    "of birth 3 April 2026",
  ])("“%s” is none", (text) => expect(datesIn(text)).toEqual([]));
});
