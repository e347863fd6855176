import { ReadableStream } from "node:stream/web";
import { expect, test } from "vitest";
import { readAnyFields } from "./form-body.ts";
import { peekField } from "./peek-field.ts";

/** A form as its request arrives, in pieces of `size` bytes. */
async function arriving(body: BodyInit, size: number) {
  const whole = new Response(body);
  const bytes = new Uint8Array(await whole.clone().arrayBuffer());
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const type = whole.headers.get("content-type")!;
  const init = { method: "POST", body: ReadableStream.from(pieces()), headers: { "content-type": type } };
  return new Request("http://localhost/", { ...init, duplex: "half" } as RequestInit);
}

function multipart(entries: [string, string | File][]) {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return form;
}

const entries: [string, string][] = [
  ["page_user", "a-b_c.d"],
  ["name", "Łódź & page_user=other"],
  ["name", "x".repeat(40_000)],
];
const file = new File(["y".repeat(100_000)], "page.pdf");
const forms: [string, () => BodyInit][] = [
  ["in one line", () => new URLSearchParams(entries)],
  ["in parts", () => multipart([...entries, ["files", file]])],
];

for (const [what, form] of forms) {
  for (const size of [1, 7, 65_536]) {
    test(`a field is read ahead, and the form as a whole afterwards: ${what}, ${size} bytes at a time`, async () => {
      const request = await arriving(form(), size);
      for (const _ of [1, 2]) expect(await peekField(request, "page_user")).toBe("a-b_c.d");
      expect(await peekField(request, "no_such")).toBeUndefined();
      expect([...(await readAnyFields(request, 200_000))!]).toEqual(entries);
    });
  }
}

test("a field that stands alone, is empty, or far from the beginning", async () => {
  const peek = async (body: BodyInit) => peekField(await arriving(body, 1000), "page_user");
  expect(await peek(new URLSearchParams({ page_user: "a" }))).toBe("a");
  expect(await peek(new URLSearchParams({ page_user: "" }))).toBe("");
  expect(await peek(new URLSearchParams({ long: "x".repeat(50_000), page_user: "a" }))).toBeUndefined();
  expect(await peekField(new Request("http://localhost/", { method: "POST" }), "page_user")).toBeUndefined();
});
