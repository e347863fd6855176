import { expect, test } from "vitest";
import { meaning, membersInWords } from "./group-words.ts";

test("an access group's words speak of what will be saved, with the read that write brings", () => {
  expect(meaning({ docs: "P:W", users: "B:R/C", map: "C:R/W" })).toEqual({
    can: [
      "see and change their own documents",
      "see all scans on the map",
      "see and add the users of their own branch",
    ],
    unfinished: [],
    note: "",
  });
});

test("ticked rights without a scope, and a scope without rights, are said to be unfinished", () => {
  const { can, unfinished } = meaning({ docs: ":R/W", users: "B:", roles: "" });
  expect([can, unfinished]).toEqual([[], ["Docs: choose a scope", "Users: tick a right"]]);
});

test("members are counted in words", () => {
  expect([0, 1, 2].map(membersInWords)).toEqual(["0 members", "1 member", "2 members"]);
});
