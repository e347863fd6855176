import { expect, test } from "vitest";
import { auditActions, prolongedUntil, transitions } from "./lifecycle.ts";

const document = {
  status: "active",
  status_before_archive: null,
  expire_type: "date",
  date: "2026-01-31",
  first_expire_date: "2026-02-28",
  expire_date: "2026-02-28",
  prolongation: "1",
} as unknown as Parameters<typeof transitions.prolong>[0];
const exited = { ...document, status: "exited" } as const;
const archived = { ...document, status: "archived" } as const;

test("a document is archived from any state, and restored to it", () => {
  expect(transitions.archive(exited)).toEqual({ status: "archived", status_before_archive: "exited" });
  expect(transitions.archive(archived)).toBeNull();
  const back = { ...archived, status_before_archive: "exited" } as const;
  expect(transitions.restore(back)).toEqual({ status: "exited", status_before_archive: null });
  expect(transitions.restore(archived)).toEqual({ status: "active", status_before_archive: null });
  expect(transitions.restore(document)).toBeNull();
});

test("a document is withdrawn and put in force again, but not in the archive", () => {
  expect([transitions.exit(document), transitions.exit(exited)]).toEqual([{ status: "exited" }, null]);
  expect([transitions.reactivate(exited), transitions.reactivate(document)]).toEqual([{ status: "active" }, null]);
  const first = "This document is in the archive: restore it first";
  expect(() => transitions.exit(archived)).toThrow(first);
  expect(() => transitions.reactivate(archived)).toThrow(first);
});

test("a document is prolonged by its first period, as it says beforehand", () => {
  const { expire_date } = transitions.prolong(document);
  expect(expire_date).toBe("2026-03-28");
  expect(prolongedUntil(document)).toBe(expire_date);
});

test.each([
  ["one not in force", exited, "Only an active document can be prolonged"],
  ["one without prolongation", { ...document, prolongation: null }, "not meant to be prolonged"],
  ["one that never expires", { ...document, expire_date: null }, "never expires"],
  ["one of old without a first date", { ...document, first_expire_date: null }, "not meant to be prolonged"],
  ["one at the end of time", { ...document, expire_date: "9999-12-31" }, "would be after the year 9999"],
])("%s is not prolonged", (_, state, message) => {
  expect(() => transitions.prolong(state as typeof document)).toThrow(message);
  expect(prolongedUntil(state as typeof document)).toBe("");
});

test("each transition has its word in the audit trail", () => {
  expect(Object.keys(auditActions)).toEqual(Object.keys(transitions));
  expect(Object.values(auditActions)).toEqual(["archived", "restored", "exited", "reactivated", "prolonged"]);
});
