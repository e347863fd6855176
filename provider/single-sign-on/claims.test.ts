import { describe, expect, test } from "vitest";
import { type Claims, GroupsElsewhere, personOf } from "./claims.ts";

const person = (claims: Claims, groupsClaim = "") =>
  personOf({ iss: "https://login.example", sub: "ada", ...claims }, groupsClaim);

describe("claims", () => {
  test("name a person by what there is", () => {
    const names: [Claims, string][] = [
      [{ name: " Ada Lovelace ", given_name: "A" }, "Ada Lovelace"],
      [{ given_name: "Ada", family_name: "Lovelace" }, "Ada Lovelace"],
      [{ family_name: "Lovelace" }, "Lovelace"],
      [{ preferred_username: "ada" }, "ada"],
      [{ email: "ada@company.example" }, "ada"],
      [{ name: 1 }, ""],
    ];
    for (const [claims, name] of names) expect(person(claims)!.name).toBe(name);
  });

  test("have neither a subject nor an email address with control characters or lone surrogates", () => {
    for (const text of ["a\0", "\ud800", "ada\udc00", "a\nb", "\u0085"]) {
      expect(person({ sub: text })).toBeUndefined();
      expect(person({ email: `${text}@company.example` })!.email).toBe("");
    }
    expect(person({ sub: "\u{1f600} عادة" })!.subject).toBe("\u{1f600} عادة");
  });

  test("verify an email address by true alone", () => {
    for (const [claim, is] of [
      [true, true],
      ["true", true],
      [false, false],
      ["TRUE", false],
      [1, false],
      [{}, false],
    ] as const) {
      expect(person({ email_verified: claim })!.isEmailVerified).toBe(is);
    }
  });

  test("have no person without a subject that OpenID Connect allows", () => {
    for (const sub of ["", 1, null, undefined, "x".repeat(256), "a\u0000b"]) expect(person({ sub })).toBeUndefined();
    expect(person({ sub: "x".repeat(255) })!.subject).toHaveLength(255);
    expect(person({ iss: undefined })).toBeUndefined();
  });

  test("list groups by name, by path, or as one text", () => {
    expect(person({ groups: ["One", " Two ", 3, "", "x".repeat(201)] }, "groups")!.groups).toEqual(["One", "Two"]);
    expect(person({ groups: "One" }, "groups")!.groups).toEqual(["One"]);
    expect(person({ realm_access: { roles: ["One"] } }, "realm_access.roles")!.groups).toEqual(["One"]);
    expect(person({ "https://a.example/groups": ["One"] }, "https://a.example/groups")!.groups).toEqual(["One"]);
    expect(person({}, "groups")!.groups).toEqual([]);
    expect(person({ groups: ["One"] })!.groups).toBeUndefined();
    for (const claim of ["__proto__.x", "constructor.name", "toString"]) expect(person({}, claim)!.groups).toEqual([]);
  });

  test("that name another place for groups are refused", () => {
    expect(() => person({ _claim_names: { groups: "elsewhere" } }, "groups")).toThrow(GroupsElsewhere);
    expect(person({ _claim_names: { roles: "elsewhere" } }, "groups")!.groups).toEqual([]);
  });
});
