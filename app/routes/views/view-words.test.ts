import { expect, test } from "vitest";
import { filtersInWords } from "./view-words.ts";

test("filters and the sorted column have the names that their list gives them", () => {
  expect(filtersInWords("documents", "name=lease&expires=19-11-2026&branch=Lancaster&sort=-date")).toEqual([
    { label: "Name", value: "lease" },
    { label: "Expires on", value: "19-11-2026" },
    { label: "Branch", value: "Lancaster" },
    { label: "Sort", value: "Date, last to first" },
  ]);
  expect(filtersInWords("alerts", "alert=Complaint&text=torn&sort=alert")).toEqual([
    { label: "Alert type", value: "Complaint" },
    { label: "Reason or complaint", value: "torn" },
    { label: "Sort", value: "Alert, first to last" },
  ]);
});

test("a parameter that the list does not have is called by its name", () => {
  expect(filtersInWords("users", "last_seen=now&constructor=1")).toEqual([
    { label: "Last seen", value: "now" },
    { label: "Constructor", value: "1" },
  ]);
});
