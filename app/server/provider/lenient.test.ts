import { expect, test } from "vitest";
import type { z } from "zod";
import { calls } from "#provider/contract/calls.ts";
import { parseLeniently } from "./lenient.ts";

const read = (call: keyof typeof calls, reply: unknown, mayLose = false) =>
  parseLeniently(call, (calls[call] as unknown as { reply: z.ZodType }).reply, reply, mayLose) as {
    success: boolean;
    isLossy: boolean;
    data?: unknown;
  };

test("null in any field of a user is the same as no such field, in a record and in a list", () => {
  const user = Object.fromEntries(
    ["name", "email", "phone", "role", "branch", "branch_id", "imageUrl", "active", "version", "company", "plan"].map(
      (name) => [name, null],
    ),
  );
  const missing = read("currentUser", { id: 7 });
  expect(missing.success).toBe(true);
  expect(read("currentUser", { ...user, id: 7 })).toEqual(missing);
  expect(read("currentUser", [{ ...user, id: 7 }])).toEqual(read("currentUser", [{ id: 7 }]));
  expect(read("login", { user: { ...user, id: 7 }, token: "t" })).toEqual(
    read("login", { user: { id: 7 }, token: "t" }),
  );
});

test("null inside a nested field, or for a whole one, is missing", () => {
  const { data } = read("getDocument", {
    id: 1,
    files: { qrcode: null, pages: null },
    custom_fields: null,
    pages: null,
  });
  expect(data).toMatchObject({ id: 1, files: { qrcode: "", pages: [] }, custom_fields: [] });
  expect(read("getDocument", { id: 1, files: null }).data).toMatchObject({ files: { qrcode: "", pages: [] } });
});

test("numbers and flags that are sent as texts, and texts that are sent as numbers, are read", () => {
  expect(read("getUser", { id: "7", phone: 441482, index: 12, active: "0", version: "3" }).data).toMatchObject({
    id: 7,
    phone: "441482",
    index: "12",
    active: false,
    version: 3,
  });
  expect(read("getDocument", { id: "101", prolongation: 1, pages: "4" }).data).toMatchObject({
    id: 101,
    prolongation: true,
    pages: 4,
  });
});

test("a value that can't be read is missing, and the other fields stay", () => {
  const { data } = read("listDocuments", [{ id: 1, name: { en: "Lease" }, status: "draft", number: "N-1" }]);
  expect(data).toMatchObject([{ id: 1, name: "", number: "N-1" }]);
  expect((data as { status?: string }[])[0]!.status).toBeUndefined();
});

test("what lacks a field that it has to have is missing as well, as far as it may be", () => {
  const user = { id: 7, name: "Olive" };
  const [company, plan, usage] = [{ img: null, name: null, timezone: "UTC" }, { id: null }, { documents: "many" }];
  const { data } = read("currentUser", { ...user, company: { ...company, id: 1 }, plan, usage });
  expect(data).toMatchObject({ name: "Olive", company: { id: 1, name: "", img: "", timezone: "UTC" } });
  expect(data).not.toMatchObject({ plan: expect.anything() });
  expect(data).not.toMatchObject({ usage: expect.anything() });
  expect(read("currentUser", [{ ...user, company }]).data).toEqual(read("currentUser", [user]).data);
  expect(read("currentUser", { id: null, company }).success).toBe(false);
});

test("unreadable rows are left out, and required fields are blank, if a page allows that", () => {
  const webhook = {
    id: 1,
    name: null,
    url: 5,
    events: ["document.issued", "document.danced", null],
    enabled: "maybe",
    disabled_because: "",
    failures: 0,
    waiting: 0,
    failed: 0,
    dropped: 0,
    version: 1,
  };
  const rows = [null, "x", [], { ...webhook, id: 2, failed: {} }, { ...webhook, id: null }, webhook];
  const { data, isLossy } = read("listWebhooks", rows, true);
  expect(data).toMatchObject([{ id: 1, name: "", url: "5", events: ["document.issued"], enabled: false }]);
  expect(isLossy).toBe(true);
  expect(read("listWebhooks", rows).success).toBe(false);
  expect(read("listWebhooks", {}, true).success).toBe(false);
  expect(read("listUsers", [{ id: "7", name: null }], true)).toMatchObject({ success: true, isLossy: false });
  expect(read("listUsers", [{ id: 7 }], true).isLossy).toBe(false);
});

test("null that the contract gives a meaning keeps it", () => {
  const tariff = { id: 1, name: "Angler", min_users: 1, max_users: null, price_per_user: null, extra_page: "0.5" };
  expect(read("listTariffs", [tariff]).data).toMatchObject([
    { max_users: null, price_per_user: null, extra_page: 0.5 },
  ]);
});

test("a row without an id is not invented", () => {
  expect(read("listDocuments", [{ id: null, name: "Lease" }]).success).toBe(false);
  expect(read("listDocuments", { rows: [] }).success).toBe(false);
  expect(read("login", { user: { id: 7 }, token: null }).success).toBe(false);
});

test("a list of 20,000 rows with nulls is read whole", () => {
  const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `Lease ${id}`, branch: null, user: null }));
  expect(read("listDocuments", rows).data).toHaveLength(20_000);
});
