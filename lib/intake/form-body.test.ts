import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import type { Files } from "../storage/files/files.ts";
import { openFiles } from "../storage/files/open-files.ts";
import type { FormRefused } from "./fields.ts";
import { readFields, receiveForm } from "./form-body.ts";

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

const expected = { schemas: [z.object({ name: z.string() })] };
const receive = (request: Request, files: Files, uploadLimits = limits) =>
  receiveForm(request, expected, { files, folder: "in", field: "files", limits: uploadLimits });
const post = (form: FormData) => new Request("http://test/", { method: "POST", body: form });
const file = (text: string, name: string) => new File([text], name);

test("returns fields as typed, and stores files", async () => {
  const { directory, files } = await setUp();
  const form = new FormData();
  form.append("name", "Łucja – “x”");
  form.append("files", file("content", 'C:\\Users\\me\\plän "1".pdf'));
  const { fields, received } = await receive(post(form), files);
  expect(fields.get("name")).toBe("Łucja – “x”");
  expect(received).toMatchObject([{ name: 'plän "1".pdf', key: "in/1", bytes: 7, truncated: false }]);
  expect(await readFile(join(directory, "in/1"), "utf8")).toBe("content");
});

test("a file's name is one line without control characters, of 200 characters at most", async () => {
  const { files } = await setUp();
  const form = new FormData();
  form.append("files", file("x", "a\u2028b\u2029c\u0085d\u0000e\u202ef.pdf"));
  form.append("files", file("x", `${"x".repeat(500)}.pdf`));
  const names = (await receive(post(form), files)).received.map(({ name }) => name);
  expect(names).toEqual(["abcdef.pdf", `${"x".repeat(196)}.pdf`]);
});

test("ignores an empty file input", async () => {
  const { files } = await setUp();
  const form = new FormData();
  form.append("files", file("", ""));
  expect((await receive(post(form), files)).received).toEqual([]);
});

test("truncates a file that is too large, and reports it", async () => {
  const { files } = await setUp();
  const form = new FormData();
  form.append("files", file("x".repeat(1001), "large.pdf"));
  expect((await receive(post(form), files)).received).toMatchObject([{ truncated: true }]);
});

test("fields of more than a megabyte together are refused", async () => {
  const { files } = await setUp();
  const form = new FormData();
  for (let n = 0; n < 3; n++) form.append("name", "x".repeat(400_000));
  const wide = { ...limits, totalBytes: 10_000_000 };
  await expect(receive(post(form), files, wide)).rejects.toThrow("too large");
});

test.each([
  ["too many files", ["a", "b", "c"]],
  ["too large", ["x".repeat(900_000), "y".repeat(900_000)]],
])("refuses a form as %s, and stores nothing of it", async (reason, contents) => {
  const { files, stored } = await setUp();
  const form = new FormData();
  contents.forEach((content, n) => form.append("files", file(content, `${n}.pdf`)));
  const wide = { ...limits, fileBytes: 1_000_000 };
  await expect(receive(post(form), files, wide)).rejects.toEqual(expect.objectContaining({ reason }));
  expect(await stored()).toEqual([]);
});

test("an aborted upload leaves nothing", async () => {
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
  await expect(receive(request, files)).rejects.toThrow("connection lost");
  expect(await stored()).toEqual([]);
});

test("an upload that has stalled ends with its request, and leaves nothing", async () => {
  const { files, stored } = await setUp();
  const start = `--x\r\nContent-Disposition: form-data; name="files"; filename="a.pdf"\r\n\r\nhalf of it`;
  const ending = new AbortController();
  let isRead = () => {};
  const reading = new Promise<void>((resolve) => (isRead = resolve));
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(new TextEncoder().encode(start)),
      pull: () => {
        isRead();
        return new Promise(() => {});
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const init = { method: "POST", headers, body, duplex: "half", signal: ending.signal };
  const received = receive(new Request("http://test/", init as RequestInit), files);
  await reading;
  ending.abort();
  await expect(received).rejects.toThrow("The request ended");
  expect(await stored()).toEqual([]);
});

/** A multipart body of raw parts. */
function raw(...parts: string[]) {
  const body = parts.map((part) => `--b\r\n${part}`).join("");
  return new Request("http://test/", {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body,
  });
}
const end = "\r\n--b--\r\n";
const part = (name: string, value: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

const repeated = (times: number, part: string) => Array.from({ length: times }, () => part);

const refused = (reason: FormRefused["reason"]) => expect.objectContaining({ reason });

test("stores files of the upload field under both its names, and no others", async () => {
  const { files, stored } = await setUp();
  const form = new FormData();
  for (const name of ["other", "files[7]", "__proto__", "files", "files[]"])
    form.append(name, file("x", `${name}.pdf`));
  const { received } = await receive(post(form), files);
  expect(received.map(({ name }) => name)).toEqual(["files.pdf", "files[].pdf"]);
  expect(await stored()).toEqual(["1", "2"].toSorted());
});

test("a form without an upload drops every file", async () => {
  const form = new FormData();
  form.append("name", "x");
  for (let n = 0; n < 5; n++) form.append("name", file("y".repeat(1000), "name.pdf"));
  expect((await readFields(post(form), expected)).get("name")).toBe("x");
});

test("ignores parts without a name, file name or header", async () => {
  const nameless = [
    "Content-Disposition: form-data\r\n\r\nx\r\n",
    "Content-Disposition: form-data; filename=a.pdf\r\n\r\nx\r\n",
    "Content-Type: application/octet-stream\r\n\r\nx\r\n",
    "Content-Disposition: form-data\r\nContent-Type: application/octet-stream\r\n\r\nx\r\n",
    "\r\nx\r\n",
  ];
  for (const head of nameless) {
    const { fields, received } = await receive(raw(head, part("name", "y").trimEnd() + end), (await setUp()).files);
    expect([fields.get("name"), received], head).toEqual(["y", []]);
  }
});

test.each([
  'Content-Disposition: form-data; name="files"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\nhalf',
  'Content-Disposition: form-data; name="other"; filename="a.pdf"\r\n\r\nhalf',
  'Content-Disposition: form-data; name="files"; filename="a.pdf"\r\n\r\nhalf',
  'Content-Disposition: form-data; name="name"\r\n\r\nhalf',
  "Content-Disposition: form-data\r\n\r\nhalf",
  "Content-Disposition: form-da",
])("refuses a body that ends within a part: %j", async (half) => {
  const { files, stored } = await setUp();
  await expect(receive(raw(half), files)).rejects.toEqual(refused("malformed"));
  expect(await stored()).toEqual([]);
});

test("refuses a form with too many parts, and stores nothing of it", async () => {
  const { files, stored } = await setUp();
  const upload = 'Content-Disposition: form-data; name="files"; filename="a.pdf"\r\n\r\nx\r\n';
  for (const parts of [
    repeated(20_000, part("name", "x")),
    repeated(500, "Content-Disposition: form-data; name=x; filename=y\r\n\r\nz\r\n"),
  ]) {
    await expect(receive(raw(upload, ...parts, "--\r\n"), files, { ...limits, totalBytes: 3_000_000 })).rejects.toEqual(
      refused("too many fields"),
    );
    expect(await stored()).toEqual([]);
  }
});

test("reads both encodings alike", async () => {
  const urlencoded = new Request("http://test/", {
    method: "POST",
    body: new URLSearchParams({ name: "Ł", "a[9]": "x" }),
  });
  expect((await readFields(urlencoded, expected)).get("name")).toBe("Ł");
  expect((await readFields(raw(part("name", "Ł").trimEnd() + end), expected)).get("name")).toBe("Ł");
});

test("a store that refuses a file aborts the form", async () => {
  const { files } = await setUp();
  const refusal = new Error("disk full");
  const atOnce: Files["put"] = async (_, content) => {
    content.destroy();
    throw refusal;
  };
  const afterTheFirstBytes: Files["put"] = async (_, content) => {
    for await (const _ of content) throw refusal;
    throw refusal;
  };
  const form = new FormData();
  form.append("files", file("x".repeat(900), "a.pdf"));
  form.append("files", file("x".repeat(900), "b.pdf"));
  for (const put of [atOnce, afterTheFirstBytes]) {
    await expect(receive(post(form), { ...files, put })).rejects.toBe(refusal);
  }
});
