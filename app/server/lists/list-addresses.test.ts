import { expect, test } from "vitest";
import { withListState, withoutEmptyFields } from "./list-addresses.ts";

const at = (path: string) => new URL(path, "http://desk.example");
const opened = (path: string, from: string) => withListState(at(path), at(from));

test("fields of a list that were left empty are not in its address", () => {
  expect(withoutEmptyFields(at("/documents/list?name=cert&email=&sort="))).toBe("/documents/list?name=cert");
  expect(withoutEmptyFields(at("/alerts?name="))).toBe("/alerts");
  expect(withoutEmptyFields(at("/documents/list?name=cert"))).toBeUndefined();
  expect(withoutEmptyFields(at("/map?kind=scans&kind=suspicions"))).toBeUndefined();
  expect(withoutEmptyFields(at("/branches/profile?edit"))).toBeUndefined();
});

test("the order and the rows per page of a pressed button replace those of its form", () => {
  expect(withoutEmptyFields(at("/map?kind=scans&kind=suspicions&per_page=5&sort=at&sort=-at&per_page=25"))).toBe(
    "/map?kind=scans&kind=suspicions&sort=-at&per_page=25",
  );
});

test("a record knows the list that it was opened from, as it was", () => {
  const from = "/documents/list?name=cert&page=2";
  const documentAddress = `/documents/8?${new URLSearchParams({ from })}`;
  expect(opened("/documents/8", `${from}&dialog=logout&at=1`)).toBe(documentAddress);
  expect(opened("/documents/8?tab=custom", from)).toBe(`/documents/8?${new URLSearchParams({ tab: "custom", from })}`);
  expect(opened("/documents/edit/8", documentAddress)).toBe(`/documents/edit/8?${new URLSearchParams({ from })}`);
  expect(opened("/documents/8", "/documents/archive?page=2")).toContain("archive");
});

test("a list without filters, another list or another record is not remembered", () => {
  expect(opened("/documents/8", "/documents/list")).toBeUndefined();
  expect(opened("/users/view/3", "/documents/list?name=cert")).toBeUndefined();
  expect(opened("/users/view/3", "/documents/8?from=%2Fdocuments%2Flist%3Fname%3Dcert")).toBeUndefined();
  expect(opened("/documents/8?from=", "/documents/list?name=cert")).toBeUndefined();
  expect(opened("/documents/list", "/documents/list?name=cert")).toBeUndefined();
});

test("an address that is no list of ours is not remembered", () => {
  for (const from of ["//evil.example/?x", "https://evil.example/?x", "/documents/listing?x", "/logout?x"]) {
    expect(opened("/documents/8", `/documents/edit/8?${new URLSearchParams({ from })}`), from).toBeUndefined();
  }
  expect(opened("/documents/8", `/documents/list?name=${"x".repeat(3000)}`)).toBeUndefined();
});
