import { expect, test } from "vitest";
import { cursor, encodeCursor } from "./cursors.ts";

test.each(["", "2026-11-19", "Ångström + Söhne / 東京 🦭", "a".repeat(500)])(
  "a client returns the cursor %j",
  (key) => {
    const encoded = encodeCursor({ key, id: 17 });
    expect(encoded).toMatch(/^[\w-]+$/);
    expect(cursor.parse(encoded)).toEqual({ key, id: 17 });
  },
);

test("cursors of earlier versions are still read", () => {
  const encoded = Buffer.from(JSON.stringify(["Łódź", 2])).toString("base64url");
  expect(encodeCursor({ key: "Łódź", id: 2 })).toBe(encoded);
});

test.each(["", "%", "bm8", "WyJhXHUwMDAwIiwxXQ", "WyJhIiwtMV0"])(
  "the unreadable cursor %j counts as absent",
  (encoded) => {
    expect(cursor.parse(encoded)).toBeUndefined();
  },
);
