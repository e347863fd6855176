import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openFiles } from "./open-files.ts";
import { nested, receiveForm } from "./form-body.ts";

const limits = { fileBytes: 1000, files: 2, totalBytes: 5000 };

const scratch = await mkdtemp(join(tmpdir(), "sealdesk-form-"));
afterAll(() => rm(scratch, { recursive: true }));

async function setUp() {
  const directory = await mkdtemp(join(scratch, "data-"));
  return {
    directory,
    files: await openFiles({ directory }),
    stored: () => readdir(join(directory, "in")).catch(() => []),
  };
}

const post = (form: FormData) => new Request("http://test/", { method: "POST", body: form });
const file = (text: string, name: string) => new File([text], name);

test("a form's fields come as they were typed, its files are in the store", async () => {
  const { directory, files } = await setUp();
  const form = new FormData();
  form.append("name", "Łucja – “x”");
  form.append("files", file("content", 'C:\\Users\\me\\plän "1".pdf'));
  const { fields, received } = await receiveForm(post(form), files, "in", limits);
  expect(fields.get("name")).toBe("Łucja – “x”");
  expect(received).toMatchObject([{ field: "files", name: 'plän "1".pdf', key: "in/1", bytes: 7, cut: false }]);
  expect(await readFile(join(directory, "in/1"), "utf8")).toBe("content");
});

test("a file input that nothing was chosen in brings no file", async () => {
  const { files } = await setUp();
  const form = new FormData();
  form.append("files", file("", ""));
  expect((await receiveForm(post(form), files, "in", limits)).received).toEqual([]);
});

test("a file that is too large is cut, and says so", async () => {
  const { files } = await setUp();
  const form = new FormData();
  form.append("files", file("x".repeat(1001), "large.pdf"));
  expect((await receiveForm(post(form), files, "in", limits)).received).toMatchObject([{ cut: true }]);
});

test("fields of more than a megabyte together are refused", async () => {
  const { files } = await setUp();
  const form = new FormData();
  for (let n = 0; n < 3; n++) form.append("name", "x".repeat(400_000));
  const wide = { ...limits, totalBytes: 10_000_000 };
  await expect(receiveForm(post(form), files, "in", wide)).rejects.toThrow("too large");
});

test.each([
  ["too many files", ["a", "b", "c"]],
  ["too large", ["x".repeat(900_000), "y".repeat(900_000)]],
])("a form that is %s is refused, and nothing of it is kept", async (reason, contents) => {
  const { files, stored } = await setUp();
  const form = new FormData();
  contents.forEach((content, n) => form.append("files", file(content, `${n}.pdf`)));
  const wide = { ...limits, fileBytes: 1_000_000 };
  await expect(receiveForm(post(form), files, "in", wide)).rejects.toEqual(expect.objectContaining({ reason }));
  expect(await stored()).toEqual([]);
});

test("an upload that breaks off leaves nothing behind", async () => {
  const { files, stored } = await setUp();
  const boundary = "----x";
  const start = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="a.pdf"\r\n\r\nhalf of it`;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(start));
    },
    pull(controller) {
      controller.error(new Error("connection lost"));
    },
  });
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  const request = new Request("http://test/", { method: "POST", headers, body, duplex: "half" } as RequestInit);
  await expect(receiveForm(request, files, "in", limits)).rejects.toThrow("connection lost");
  expect(await stored()).toEqual([]);
});

test("names with brackets become lists and objects, and can reach nothing else", () => {
  const fields = new URLSearchParams([
    ["custom_fields[1][name]", "B"],
    ["custom_fields[0][name]", "A"],
    ["name", "first"],
    ["name", "last"],
    ["__proto__[polluted]", "yes"],
    ["constructor[prototype][polluted]", "yes"],
  ]);
  expect(nested(fields)).toEqual({ custom_fields: [{ name: "A" }, { name: "B" }], name: "last" });
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
