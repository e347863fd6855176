import { expect, test } from "vitest";
import { changesInWords } from "./audit-words.ts";

type Value = string | number | boolean | null;

const said = (entity: string, field: string, before: Value, after: Value) =>
  changesInWords({ action: "changed", entity, changes: [{ field, before, after }] })[0];

test("fields have the labels of their pages, which depend on the kind of record", () => {
  expect(said("document", "email", "a@b.example", "c@d.example")).toEqual({
    label: "User email",
    before: "a@b.example",
    after: "c@d.example",
  });
  expect(said("user", "email", null, "x")!.label).toBe("Email");
  expect(said("user", "staff", null, "x")!.label).toBe("Access group");
  expect(said("document", "users_access_group", null, "x")!.label).toBe("Company users access group");
  expect(said("document", "custom_fields[Bank [2]]", null, "x")!.label).toBe("Custom field “Bank [2]”");
  expect(said("scan", "some_new_field", null, "x")!.label).toBe("Some new field");
});

test("values are shown in words", () => {
  expect(said("document", "expire_date", null, "2026-12-20")).toMatchObject({ before: "", after: "20-12-2026" });
  expect(said("document", "prolongation", false, true)).toMatchObject({ before: "No", after: "Yes" });
  expect(said("document", "expire_type", "never", "date")).toMatchObject({ before: "Never", after: "On a date" });
  expect(said("document", "qr_placing", "none", "bottom-right:first:medium")).toMatchObject({
    before: "None",
    after: "Bottom right, first, medium",
  });
  expect(said("document", "qr_placing", "none", "middle:first:small")!.after).toBe("middle:first:small");
  expect(said("document", "pages", 0, 4)).toMatchObject({ before: "0", after: "4" });
  expect(said("alert", "status", 1, 3)).toMatchObject({ before: "Open", after: "Completed" });
  expect(said("access group", "docs", "B:R", "C:R/W/C")).toMatchObject({
    before: "Branch: read",
    after: "Company: read, write, create",
  });
  expect(said("access group", "name", null, "B:R and more")!.after).toBe("B:R and more");
});

test("of what has just begun, there is no before", () => {
  const changes = [{ field: "name", before: null, after: "Nora" }];
  expect(changesInWords({ action: "added", entity: "user", changes })[0]!.before).toBeUndefined();
  expect(changesInWords({ action: "changed", entity: "user", changes })[0]!.before).toBe("");
});
