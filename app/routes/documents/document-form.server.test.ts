import { expect, test } from "vitest";
import { fieldsFrom } from "../../server/forms/forms.ts";
import { documentForm, readTyped, withCustomFieldButtons } from "./document-form.server.ts";

const sent = (fields: Record<string, string>) => fieldsFrom(Object.entries(fields), documentForm);
const form = (...fields: [string, string][]) => fieldsFrom([["has_custom_fields", "1"], ...fields], documentForm);
const press = (...fields: [string, string][]) => withCustomFieldButtons(readTyped(form(...fields)));
const bank: [string, string][] = [
  ["custom_fields[0][name]", "Bank"],
  ["custom_fields[0][value]", "Northern"],
];
const half: [string, string] = ["added_field[name]", "Account"];

test("a complete new field is added by whatever button is pressed", () => {
  for (const intent of ["add", "next", "prev", "system", "save", "remove-9"]) {
    const { values, added } = press(...bank, half, ["added_field[value]", "20-18"], ["intent", intent]);
    expect(values.custom_fields).toEqual([
      { name: "Bank", value: "Northern" },
      { name: "Account", value: "20-18" },
    ]);
    expect(added).toEqual({ name: "", value: "" });
  }
});

test("a half one is refused by the buttons that go on, and kept by the others", () => {
  for (const intent of ["next", "save"]) {
    expect(press(half, ["intent", intent]).errors).toEqual({
      "added_field[value]": ["Enter the value of the field to add, or empty “Account”"],
    });
  }
  for (const intent of ["prev", "system", "keep", ""]) {
    expect(press(half, ["intent", intent])).toMatchObject({ added: { name: "Account", value: "" }, errors: {} });
  }
});

test("“Add field” without anything says what is missing", () => {
  expect(Object.keys(press(["intent", "add"]).errors)).toEqual(["added_field[name]", "added_field[value]"]);
});

test("a form without custom fields leaves them alone", () => {
  const typed = readTyped(sent({ name: "Lease", intent: "next" }));
  expect(withCustomFieldButtons(typed).values).toEqual({ name: "Lease" });
});

test("a box that was asked and not ticked is a no; one that was not asked is nothing", () => {
  expect(readTyped(sent({ has_prolongation: "1" })).values).toEqual({ prolongation: "0" });
  expect(readTyped(sent({ has_prolongation: "1", prolongation: "1" })).values).toEqual({
    prolongation: "1",
  });
  expect(readTyped(sent({})).values).toEqual({});
});
