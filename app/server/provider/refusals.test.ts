import { expect, test } from "vitest";
import type { CallContext } from "./call-context.ts";
import { asFailure } from "./failure.ts";
import { isLacking } from "./learned.ts";
import { refusalIn, refusalOf } from "./refusals.ts";

test("messages are read from a list, a text, nested fields and a list of fields with messages", () => {
  expect(refusalIn({ message: "Refused", errors: { email: ["Taken", "Odd"], name: "Short" } })).toEqual({
    message: "Refused",
    errors: { email: ["Taken", "Odd"], name: ["Short"] },
  });
  expect(refusalIn({ errors: { custom_fields: [{}, { name: ["Taken"] }], place: { city: "Unknown" } } })).toEqual({
    errors: { "custom_fields[1][name]": ["Taken"], "place[city]": ["Unknown"] },
  });
  expect(refusalIn({ errors: [{ field: "email", message: "Taken" }, "Closed", { message: "Odd" }] })).toEqual({
    errors: { email: ["Taken"], "": ["Closed", "Odd"] },
  });
});

test("what can't be read takes nothing else with it", () => {
  const errors = { email: [null, 4, "Taken"], name: null, city: [], toString: ["Odd"], index: { deep: true } };
  expect(refusalIn({ message: null, errors })).toEqual({ errors: { email: ["Taken"], toString: ["Odd"] } });
  for (const body of [undefined, null, "<h1>No</h1>", [], 4, { errors: "No" }, { message: "  " }]) {
    expect(Object.keys(refusalIn(body).errors ?? {}).filter(Boolean), String(body)).toEqual([]);
  }
  expect(refusalIn({ message: {} }).message).toBeUndefined();
});

test("a provider's messages are limited in number, length and depth", () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`f${n}`, ["x".repeat(10_000)]]));
  const { message, errors } = refusalIn({ message: "x".repeat(10_000), errors: many });
  expect(Object.keys(errors!)).toHaveLength(50);
  expect(errors!.f0![0]).toHaveLength(502);
  expect(message).toHaveLength(502);
  let deep: unknown = "Deep";
  for (let n = 0; n < 10_000; n++) deep = { a: deep };
  expect(refusalIn({ errors: deep })).toEqual({});
});

test("a missing record is not taken for a missing call, which would hide its pages from everybody", async () => {
  const missing = () => Response.json({ message: "Not found" }, { status: 404 });
  const refused = (name: "planLabels" | "getProfileImage" | "listViews") =>
    refusalOf({} as CallContext, name, missing());
  for (const name of ["planLabels", "getProfileImage"] as const) {
    expect(asFailure(await refused(name))).toMatchObject({ status: 404, kind: "refused" });
    expect(isLacking(name)).toBe(false);
  }
  expect(asFailure(await refused("listViews"))).toMatchObject({ status: 501, kind: "unknown-call" });
  expect(isLacking("listViews")).toBe(true);
});
