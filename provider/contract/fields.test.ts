import { decodeText } from "#lib/intake/tables/table-encodings.ts";
import { tableEncodings } from "./table-options.ts";
import { expect, test } from "vitest";
import type { z } from "zod";
import type { Call } from "./call.ts";
import { calls } from "./calls.ts";
import { date, filter, flag, isoDate, longText, requiredText, text } from "./fields.ts";

test("a date out of range and one that can't be read have messages of their own", () => {
  const refused = date("creation date").safeParse("01-01-0001");
  expect(refused.error?.issues.map(({ message }) => message)).toEqual(["Enter a creation date from 1900 on"]);
});

test.each([
  ["19-11-2026", "2026-11-19"],
  ["9/1/2026", "2026-01-09"],
  ["19.11.2026", "2026-11-19"],
  [" 2026-11-19 ", "2026-11-19"],
])("the date %s is understood", (written, iso) => {
  expect(isoDate(written)).toBe(iso);
  expect(date("date").parse(written)).toBe(iso);
});

test("a day that its month does not have is named", () => {
  const messageOf = (written: string) => date("expire date").safeParse(written).error?.issues[0]?.message;
  expect(messageOf("29-02-2027")).toBe("There is no 29 February in 2027");
  expect(messageOf("31/4/2026")).toBe("There is no 31 April in 2026");
  expect(messageOf("29-02-2028")).toBeUndefined();
});

test.each(["32-02-2026", "2026-13-01", "tomorrow", "19-11-26", "2026-11-19T10:00"])("%s is no date", (written) => {
  expect(date("creation date").safeParse(written).error?.issues[0]?.message).toBe(
    "Enter the creation date as day, month, year, like 19-11-2026",
  );
});

test("text is trimmed and composed, and required text must not be empty", () => {
  const name = requiredText("name", 10);
  expect(name.parse("  E\u0301mile ")).toBe("Émile");
  for (const nothing of ["", "   ", undefined]) {
    expect(name.safeParse(nothing).error?.issues[0]?.message).toBe("Enter the name");
  }
});

test.each(["\n", "\r\n", "\t", "\v", "\f", "\u0085", "\u2028", "\u2029", "\n\n \n"])(
  "%j within one line is a space",
  (end) => {
    const folded = text("name", 100).parse(`${end}Victim${end}Your account is suspended${end}`);
    expect(folded.replace(/ +/g, " ")).toBe("Victim Your account is suspended");
    expect(folded).not.toMatch(/[^\P{Cc}]|[\u2028\u2029]/u);
  },
);

test("a text of several lines keeps its lines, and no other control characters", () => {
  const info = longText("info", 100);
  expect(info.parse(" One\r\nTwo\n\tThree ")).toBe("One\r\nTwo\n\tThree");
  for (const other of ["a\u0000b", "a\vb", "a\u0085b"]) expect(info.safeParse(other).success).toBe(false);
});

test("every field of a body is one line, except for text areas", () => {
  const severalLines = Object.values(calls).flatMap((call: Call) =>
    Object.entries(call.body?.shape ?? {})
      .filter(([, field]) => {
        const parsed = (field as z.ZodType).safeParse("One\nTwo");
        return parsed.success && String(parsed.data).includes("\n");
      })
      .map(([name]) => `${call.method} ${call.path} ${name}`),
  );
  // These are compared or parsed, and never stored as they came.
  expect(
    severalLines
      .filter(
        (field) =>
          !/password|digits|filters|\/(wallet|verify)\/(token|credential) |(second-factor|proof) code$|passkeys? response$/.test(
            field,
          ),
      )
      .toSorted(),
  ).toEqual(
    [
      "POST /single-sign-on/end answer",
      "POST /users info",
      "PUT /users/{id} info",
      "POST /access-groups identity_groups",
      "PUT /access-groups/{id} identity_groups",
      "POST /alerts/{id}/complete note",
      "POST /alerts/{id}/reopen reason",
      "POST /documents/bulk-actions note",
      "POST /alerts/bulk-actions note",
      "POST /users/bulk-actions note",
      "POST /alerts/{id}/comments text",
      "POST /verify/{code}/complaint text",
      "POST /documents/{id}/exit note",
      "POST /documents/{id}/copies/{n}/withdraw note",
      "POST /received/session code",
      "POST /releases/{id}/return reason",
    ].toSorted(),
  );
});

test("a filter finds what a field with the same line ends was stored as", () => {
  expect(filter.parse("Preston\r\nDocks")).toBe(text("name", 100).parse("Preston\r\nDocks"));
});

test.each(["a\u0000b", "a\u0007b", "a\u009fb", "a\ud800b", "a\u202eb"])("refuses text with %j", (text) => {
  expect(requiredText("name", 10).safeParse(text).success).toBe(false);
});

test("yes and no are understood as forms and JSON write them", () => {
  for (const yes of [true, "1", "on", "true"]) expect(flag.parse(yes)).toBe(true);
  for (const no of [false, "0", "", undefined]) expect(flag.parse(no)).toBe(false);
  expect(flag.safeParse("perhaps").success).toBe(false);
});

test.each(tableEncodings)("a table can be read as %s", (choice) => {
  expect(decodeText(Buffer.from("Name"), choice).encoding).toBe(choice);
});
