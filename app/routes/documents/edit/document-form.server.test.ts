import { expect, test } from "vitest";
import { fieldsFrom } from "../../../server/forms/forms.ts";
import { documentForm, draftForm, readDocumentForm } from "./document-form.server.ts";

const read = (...fields: [string, string][]) => readDocumentForm(fieldsFrom(fields, documentForm));
const press = (...fields: [string, string][]) => read(["has_custom_fields", "1"], ...fields);
const bank: [string, string][] = [
  ["custom_fields[0][name]", "Bank"],
  ["custom_fields[0][value]", "Northern"],
];
const half: [string, string] = ["added_field[name]", "Account"];

test("any button adds a new field that is complete", () => {
  for (const intent of ["add", "next", "prev", "system", "save", "remove-9"]) {
    const { values } = press(...bank, half, ["added_field[value]", "20-18"], ["intent", intent]);
    expect(values.custom_fields).toEqual([
      { name: "Bank", value: "Northern" },
      { name: "Account", value: "20-18" },
    ]);
    expect(values.added_field).toEqual({ name: "", value: "" });
  }
});

test("a half field is refused by the buttons that go on, and kept by the others", () => {
  for (const intent of ["next", "save"]) {
    expect(press(half, ["intent", intent]).errors).toEqual({
      "added_field.value": ["Enter the value of the field to add, or empty “Account”"],
    });
  }
  for (const intent of ["prev", "system", "keep", ""]) {
    const { values, errors } = press(half, ["intent", intent]);
    expect([values.added_field, errors]).toEqual([{ name: "Account", value: "" }, {}]);
  }
});

test("“Add field” without a field says what is missing", () => {
  expect(Object.keys(press(["intent", "add"]).errors)).toEqual(["added_field.name", "added_field.value"]);
});

test("a field that the document has already is refused at the box that it was typed in", () => {
  const again: [string, string][] = [
    ["added_field[name]", "bank"],
    ["added_field[value]", "Southern"],
  ];
  const { values, errors } = press(...bank, ...again, ["intent", "add"]);
  expect(errors).toEqual({ "added_field.name": ["There is already a field “bank”: change one name"] });
  expect(values).toEqual({
    custom_fields: [{ name: "Bank", value: "Northern" }],
    added_field: { name: "bank", value: "Southern" },
  });
});

test("a removed field leaves no gap, and the form is given back under Conform's names", () => {
  const second: [string, string][] = [
    ["custom_fields[1][name]", "Account"],
    ["custom_fields[1][value]", "20-18"],
  ];
  const { form } = press(...bank, ...second, ["intent", "remove-0"], ["version", "3"]);
  expect(Object.fromEntries(form.parameters(draftForm))).toEqual({
    "custom_fields[0].name": "Account",
    "custom_fields[0].value": "20-18",
    "added_field.name": "",
    "added_field.value": "",
    has_custom_fields: "1",
    intent: "remove-0",
    version: "3",
  });
});

test("a form without custom fields leaves them alone", () => {
  expect(read(["name", "Lease"], ["intent", "next"]).values).toEqual({ name: "Lease" });
});

test("an unticked box means no if the form had it", () => {
  expect(read(["has_prolongation", "1"]).values).toEqual({ prolongation: "0" });
  expect(read(["has_prolongation", "1"], ["prolongation", "1"]).values).toEqual({ prolongation: "1" });
  expect(read().values).toEqual({});
});

test("as many custom fields as a form has room for are read", () => {
  const names = Array.from({ length: 199 }, (_, n): [string, string] => [`custom_fields[${n}][name]`, "x"]);
  expect(press(...names).values.custom_fields).toHaveLength(199);
});
