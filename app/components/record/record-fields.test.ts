import { expect, test } from "vitest";
import { documentFieldTable } from "./document-fields.ts";
import { fieldsOf, formValues, valueInWords, without } from "./record-fields.ts";
import { branchSections, companySections, profileSections, userSections } from "./record-tables.ts";

test("a record's form has yes and no as its controls send them", () => {
  expect(formValues({ name: "Nora", manager_id: null, version: 3, active: false, prolongation: true })).toEqual({
    name: "Nora",
    manager_id: "",
    version: "3",
    active: "0",
    prolongation: "1",
  });
});

test("values are shown as they were chosen", () => {
  const choices = {
    options: ["Leeds", { value: "7", label: "Helen Marsh" }, { label: "Europe", options: ["Europe/Rome"] }],
  };
  const field = { name: "manager_id", label: "Manager" };
  expect(valueInWords(field, "7", choices)).toBe("Helen Marsh");
  expect(valueInWords(field, "Leeds", choices)).toBe("Leeds");
  expect(valueInWords(field, "Europe/Rome", choices)).toBe("Europe/Rome");
  expect(valueInWords(field, "8", choices)).toBe("8");
  expect(valueInWords({ ...field, type: "checkbox" }, "1")).toBe("Yes");
  const active = fieldsOf(userSections).find(({ name }) => name === "active")!;
  expect(valueInWords(active, "0")).toBe("No");
});

test.each([
  ["user", fieldsOf(userSections)],
  ["profile", fieldsOf(profileSections)],
  ["branch", fieldsOf(without(branchSections, ["manager_id"]))],
  ["company", fieldsOf(companySections)],
  ["document", documentFieldTable],
])("each field of a %s has a name and a label of its own", (_, fields) => {
  expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
  expect(new Set(fields.map(({ label }) => label)).size).toBe(fields.length);
});
