import { expect, test } from "vitest";
import { changesInWords, entryInWords, historyInWords } from "./audit-words.server.ts";

type Value = string | number | boolean | null;

const entryWords = (entity: string, field: string, before: Value, after: Value) =>
  changesInWords({ action: "changed", entity, changes: [{ field, before, after }] })[0];

test("fields have the labels of their pages, which depend on the kind of record", () => {
  expect(entryWords("document", "email", "a@b.example", "c@d.example")).toEqual({
    label: "User email",
    before: "a@b.example",
    after: "c@d.example",
  });
  expect(entryWords("user", "email", null, "x")!.label).toBe("Email");
  expect(entryWords("user", "staff", null, "x")!.label).toBe("Access group");
  expect(entryWords("document", "users_access_group", null, "x")!.label).toBe("Company users access group");
  expect(entryWords("document", "custom_fields[Bank [2]]", null, "x")!.label).toBe("Custom field “Bank [2]”");
  expect(entryWords("scan", "some_new_field", null, "x")!.label).toBe("Some new field");
});

test("values are shown in words", () => {
  expect(entryWords("document", "expire_date", null, "2026-12-20")).toMatchObject({ before: "", after: "20-12-2026" });
  expect(entryWords("document", "prolongation", false, true)).toMatchObject({ before: "No", after: "Yes" });
  expect(entryWords("document", "expire_type", "never", "date")).toMatchObject({ before: "Never", after: "On a date" });
  expect(entryWords("document", "qr_placing", "none", "bottom-right:first:medium")).toMatchObject({
    before: "none on the pages",
    after: "bottom right, first page, 30 mm",
  });
  for (const [placing, words] of [
    ["12.5,40:every:30", "12.5 mm from the left and 40 mm from the top, every page, 30 mm"],
    ["own-page:last:large:bare", "on a page of its own at the end, 35 mm, without characters below it"],
  ] as const)
    expect(entryWords("document", "qr_placing", "none", placing)!.after).toBe(words);
  expect(entryWords("document", "qr_placing", "none", "middle:first:small")!.after).toBe("middle:first:small");
  expect(entryWords("document", "pages", 0, 4)).toMatchObject({ before: "0", after: "4" });
  expect(entryWords("alert", "status", 1, 3)).toMatchObject({ before: "Open", after: "Completed" });
  expect(entryWords("access group", "docs", "B:R", "C:R/W/C")).toMatchObject({
    before: "Branch: read",
    after: "Company: read, write, create",
  });
  expect(entryWords("access group", "name", null, "B:R and more")!.after).toBe("B:R and more");
});

test("words of the contract are shown in those of the catalogue, others as they came", () => {
  const after = (entity: string, field: string, value: Value) => entryWords(entity, field, null, value);
  expect(after("alert", "case_state", "false alarm")).toMatchObject({ label: "Case state", after: "False alarm" });
  expect(after("alert", "case_state", "parked")!.after).toBe("Parked");
  expect(after("document", "withdrawn_reason", "lost")).toMatchObject({ label: "Withdrawal reason", after: "Lost" });
  expect(after("document", "copy", "2 of 3")).toMatchObject({ label: "Copy", after: "2 of 3" });
  expect(after("company", "revoked_reason", "superseded")!.after).toBe("Another key replaces it");
  expect(after("company", "client_secret", "(entered)")!.after).toBe("(entered)");
  expect(after("user", "scope", "write")).toMatchObject({ label: "May do", after: "Read, change and create" });
  expect(after("webhook", "disabled_because", "user")!.after).toBe("A user switched it off.");
  expect(after("webhook", "disabled_because", "constructor")!.after).toBe("constructor");
  expect(after("list", "date_from", "2026-11-20")).toMatchObject({ label: "From", after: "20-11-2026" });
});

test("an entry says when, by whom, how often and from where", () => {
  const once = {
    id: 7,
    at: "2026-11-21T10:02:00.000Z",
    actor: "Nora",
    api_key: "",
    action: "changed",
    entity: "branch",
    entity_id: 3,
    entity_name: "Leeds",
    changes: [{ field: "city", before: "Preston", after: "Leeds" }],
    count: 1,
    first_at: null,
    browser: "",
    network: "",
  };
  const changes = [{ label: "City", before: "Preston", after: "Leeds" }];
  const entryWords = { id: 7, at: "21-11-2026 10:02", actor: "Nora", by: [], action: "Changed", times: "", changes };
  expect(entryInWords(once, "UTC")).toEqual(entryWords);
  expect(
    entryInWords({ ...once, api_key: "Reports", browser: "Firefox", network: "1.2.3.0/24", count: 2 }, "UTC"),
  ).toMatchObject({ by: ["With the API key Reports", "Firefox, 1.2.3.0/24"], times: "2 times" });
  expect(entryInWords({ ...once, count: 1200, first_at: "2026-11-20T09:00:00.000Z" }, "UTC").times).toBe(
    "1,200 times since 20-11-2026 09:00",
  );
  expect(historyInWords(undefined)).toBeUndefined();
  expect(historyInWords({ rows: [once], timeZone: "UTC", total: 1 })).toEqual({
    rows: [entryWords],
    timeZone: "UTC",
    total: 1,
  });
});

test("of what has just begun, there is no before", () => {
  const changes = [{ field: "name", before: null, after: "Nora" }];
  expect(changesInWords({ action: "added", entity: "user", changes })[0]!.before).toBeUndefined();
  expect(changesInWords({ action: "changed", entity: "user", changes })[0]!.before).toBe("");
});
