import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ReadableStream } from "node:stream/web";
import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import { alterations } from "#tests/fixtures/altered-sealed.ts";
import { invoice, pdfOf, type Pages } from "#tests/fixtures/altered-pdfs.ts";
import { requestOf } from "#tests/fixtures/call.ts";
import { asFile, lockedPdfFile, pngFile } from "#tests/fixtures/files.ts";
import { updated } from "#tests/fixtures/pdf.ts";
import { tiledPdf } from "#tests/fixtures/page-files.ts";
import { stampPlainly } from "#tests/fixtures/plain-stamp.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { openPageFiles } from "#lib/page-files/page-files.ts";
import { mebibytesInBytes } from "#lib/units.ts";
import type { Services } from "../services.ts";

const suite = describe.runIf(hasDatabase());

const pages = invoice(3);
const source = await pdfOf(pages);

type Given = { fields?: object; change?: Partial<Services>; isSealed?: boolean };

/** A company with a document of three pages, and its sealed PDF. */
async function withDocument({ fields = {}, change = {}, isSealed = true }: Given = {}) {
  const provider = await testProvider(change);
  const { call, issue, company } = provider;
  const { admin } = await company();
  const placing = { qr_placing: "bottom-right:first:small" };
  const { json: document } = await issue(admin.token, { ...placing, ...fields }, [asFile(source, "invoice.pdf")]);
  const params = { id: document.id as number };
  const sealed = isSealed ? (await call("getSealedPdf", { token: admin.token, params })).bytes : new Uint8Array();
  const send = (content: Uint8Array) => {
    const form = new FormData();
    form.append("file", asFile(Buffer.from(content), "given.pdf"));
    return form;
  };
  return {
    ...provider,
    admin,
    document,
    sealed,
    asVisitor: (content: Uint8Array, more = {}) =>
      call("checkFile", { params: { code: document.code }, body: send(content), ...more }),
    /** A visitor's upload that has begun; `finish` sends its content and returns the response. */
    upload(content: Uint8Array) {
      const [request, from] = requestOf("checkFile", { params: { code: document.code }, body: send(content) });
      const [startedCheck, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      async function* body() {
        startedCheck.resolve();
        await finished.promise;
        yield* request.body!;
      }
      const { url, method, headers } = request;
      const init = { method, headers, body: ReadableStream.from(body()) as BodyInit, duplex: "half" };
      const response = provider.provider.fetch(new Request(url, init as RequestInit), from);
      const finish = () => {
        finished.resolve();
        return response;
      };
      return { begun: startedCheck.promise, finish };
    },
    asStaff: (content: Uint8Array, token = admin.token) =>
      call("checkDocumentFile", { token, params, body: send(content) }),
    /** The sealed PDF as another program would write it, with other pages. */
    async forged(altered: Pages) {
      const folder = await mkdtemp(join(tmpdir(), "sealdesk-forged-"));
      const [from, to] = [join(folder, "from.pdf"), join(folder, "to.pdf")];
      await writeFile(from, await pdfOf(altered));
      const stamp = {
        url: document.verify_url as string,
        code: (document.code as string).match(/.{1,4}/g)!.join("-"),
        placing: { place: "bottom-right", pages: "first", millimetres: 20 } as const,
      };
      await stampPlainly(from, to, stamp);
      const content = await readFile(to);
      await rm(folder, { recursive: true });
      return content;
    },
  };
}

const withOtherDigit: Pages = pages.map((lines, n) =>
  n === 2
    ? lines.map((line, at) =>
        at === 5 ? line.replace(/\d(?=\.\d+ pounds)/, (d) => String((Number(d) + 1) % 10)) : line,
      )
    : lines,
);

suite("POST /verify/{code}/file", () => {
  test("finds that it is the same file if it is the sealed PDF", async () => {
    const { asVisitor, asStaff, sealed } = await withDocument();
    for (const check of [asVisitor, asStaff]) {
      const { status, json } = await check(sealed);
      expect([status, json.verdict]).toEqual([200, "same file"]);
    }
  });

  test("finds that it is a page file if it was uploaded, also before the document is sealed", async () => {
    const { asVisitor } = await withDocument({ isSealed: false });
    expect((await asVisitor(source)).json).toMatchObject({ verdict: "page file", page_file: 1 });
  });

  test("finds that it looks the same if another program saved it again", async () => {
    const { asVisitor, forged } = await withDocument();
    expect((await asVisitor(await forged(pages))).json).toMatchObject({
      verdict: "looks the same",
      pages: 3,
      file_pages: 3,
      changes: [],
    });
  });

  test("finds that it was changed if a digit is another one, on the page that is named", async () => {
    const { asVisitor, asStaff, forged } = await withDocument();
    const file = await forged(withOtherDigit);
    const changes = [{ change: "changed", page: 3, file_page: 3 }];
    expect((await asVisitor(file)).json).toMatchObject({ verdict: "changed", changes, pictures: [] });
    const { json } = await asStaff(file);
    expect(json).toMatchObject({ verdict: "changed", changes, pictures: [{ page: 3, file_page: 3 }] });
    for (const picture of [json.pictures[0].document, json.pictures[0].file])
      expect(Buffer.from(picture, "base64").toString("latin1", 8, 12)).toBe("WEBP");
  });

  test("has pictures for visitors if the document is open to all and in force, and no longer when it is withdrawn", async () => {
    const { asVisitor, forged, call, admin, document } = await withDocument({ fields: { access_type: "Open to all" } });
    const file = await forged(withOtherDigit);
    expect((await asVisitor(file)).json.pictures).toHaveLength(1);
    await call("exitDocument", { token: admin.token, params: { id: document.id } });
    const { json } = await asVisitor(file);
    expect([json.verdict, json.pictures]).toEqual(["changed", []]);
  });

  test.each([
    ["removed", [pages[0]!, pages[2]!], { change: "removed", page: 2, file_page: 0 }],
    ["added", [...pages, invoice(77)[0]!], { change: "added", page: 0, file_page: 4 }],
    ["moved", [pages[1]!, pages[0]!, pages[2]!], { change: "moved", page: 2, file_page: 1 }],
  ])("finds that it was changed if a page was %s", async (_, altered, change) => {
    const { asVisitor, forged } = await withDocument();
    // Without the stamp's page, as this test swaps it too.
    const { json } = await asVisitor(await forged(altered));
    expect(json.verdict).toBe("changed");
    if (change.change !== "moved") expect(json.changes).toEqual([change]);
    else expect(json.changes.map(({ page }: { page: number }) => page)).toContain(2);
  });

  test("finds that it was changed if something was appended to the sealed PDF, though its pages look the same", async () => {
    const { asVisitor, sealed } = await withDocument();
    const { 1: root } = /\/Root (\d+ 0 R)/.exec(Buffer.from(sealed).toString("latin1"))!;
    const update = updated(Buffer.from(sealed), { 399: "<< /Note (appended) >>" }).subarray(sealed.length);
    const tail = update.toString("latin1").replace("/Root 1 0 R", `/Root ${root}`);
    const file = Buffer.concat([sealed, Buffer.from(tail, "latin1")]);
    expect((await asVisitor(file)).json).toMatchObject({
      verdict: "changed",
      is_appended: true,
      pages: 3,
      changes: [],
    });
    const torn = Buffer.concat([sealed, Buffer.from("trailer << /Root 9999 0 R >> startxref 0 %%EOF")]);
    expect((await asVisitor(torn)).json).toMatchObject({ verdict: "changed", is_appended: true });
  });

  test("finds that its signature is broken if one byte is another, and that it is damaged if it can't be opened", async () => {
    const { asVisitor, sealed } = await withDocument();
    const withByte = (at: number, byte: string) => {
      const file = Buffer.from(sealed);
      file.write(byte, at, "latin1");
      return asVisitor(file);
    };
    const date = Buffer.from(sealed).indexOf("(D:2");
    expect((await withByte(date + 6, "9")).json).toMatchObject({
      verdict: "looks the same",
      signature: "broken",
      changes: [],
    });
    const { status, json } = await asVisitor(Buffer.alloc(sealed.length, "%PDF-1.7 "));
    expect([status, json.errors.file[0]]).toEqual([422, "This file is damaged and can’t be read."]);
  });

  test("finds what it has more, and which pages can't be compared", async () => {
    const { asVisitor, sealed } = await withDocument();
    const pdf = await PDFDocument.load(sealed);
    const sourcePage = { pdf, page: pdf.getPage(1), context: pdf.context };
    await alterations["words in a Chinese font where nothing was"]!.change(sourcePage);
    expect((await asVisitor(await pdf.save())).json).toMatchObject({
      verdict: "not compared",
      not_compared: [{ page: 2, file_page: 2, reason: "fonts", fonts: expect.arrayContaining(["STSong-Light"]) }],
      changes: [],
      has_more: false,
    });
    await alterations["a program that is launched"]!.change(sourcePage);
    await alterations["an attachment"]!.change(sourcePage);
    expect((await asVisitor(await pdf.save())).json).toMatchObject({
      verdict: "changed",
      has_more: true,
      more: ["actions", "attachments"],
    });
  });

  test("finds that it is not this document if nothing of it looks alike, and that is all that is said of another company's seal", async () => {
    const { asVisitor, company, issue, call } = await withDocument();
    const other = await company("Other");
    // From the same template.
    const { json } = await issue(other.admin.token, {}, [asFile(await pdfOf(withOtherDigit), "invoice.pdf")]);
    const { bytes } = await call("getSealedPdf", { token: other.admin.token, params: { id: json.id } });
    const nothing = {
      verdict: "another document",
      copy: 0,
      pages: 0,
      file_pages: 0,
      page_file: 0,
      changes: [],
      pictures: [],
    };
    for (const file of [bytes, await pdfOf([["Something else"]])])
      expect((await asVisitor(file)).json).toEqual({
        ...nothing,
        is_appended: false,
        has_more: false,
        more: [],
        not_compared: [],
        signature: "not checked",
      });
  });

  test("stores it nowhere", async () => {
    const { asVisitor, forged, services } = await withDocument();
    const keys = async () => {
      const results = [];
      for await (const key of services.files.keys()) results.push(key);
      return results.toSorted();
    };
    const before = await keys();
    const work = dirname(await services.files.workPath("any"));
    await asVisitor(await forged(withOtherDigit));
    await asVisitor(Buffer.from("nothing"));
    expect(await keys()).toEqual(before);
    expect(await readdir(work)).toEqual([]);
  });
});

suite("a file that can't be compared", () => {
  test.each([
    ["not a PDF", async () => Buffer.from("Dear Sir or Madam"), 422, "This file is not a PDF."],
    ["a picture", () => pngFile(10, 10), 422, "This file is not a PDF."],
    ["protected by a password", lockedPdfFile, 422, "protected by a password"],
    ["empty", async () => Buffer.alloc(0), 422, "This file is empty."],
    ["cut off", async () => source.subarray(0, 900), 422, "This file is damaged and can’t be read."],
  ])("is refused in words: %s", async (_, content, status, message) => {
    const { asVisitor, sealed, asStaff } = await withDocument();
    const reply = await asVisitor(await content());
    expect([reply.status, reply.json.errors.file[0]]).toEqual([status, expect.stringContaining(message)]);
    expect((await asStaff(sealed)).json.verdict).toBe("same file");
  });

  test("is refused in words if there is none", async () => {
    const { call, document } = await withDocument();
    const params = { code: document.code };
    for (const body of [new FormData(), {}]) {
      const { status, json } = await call("checkFile", { params, body });
      expect([status, json.errors]).toEqual([422, { file: ["Choose the file first"] }]);
    }
  });

  test("is refused in words if it has more than 25 MB", async () => {
    const { asVisitor } = await withDocument();
    for (const megabytes of [26, 62]) {
      const { status, json } = await asVisitor(Buffer.alloc(mebibytesInBytes(megabytes), "%PDF-1.7"));
      expect([status, json.message]).toEqual([413, expect.stringContaining("at most 25 MB")]);
    }
  });

  test("of 10,000 pages is compared with no more pages than could be added to the document's", async () => {
    const { asVisitor, forged } = await withDocument();
    const { json } = await asVisitor(await forged([...pages, ...Array.from({ length: 997 }, () => [])]));
    expect([json.verdict, json.file_pages, json.changes.length]).toEqual(["changed", 1000, 10]);
  });

  test("is refused in words if its pages take too long to draw", async () => {
    const pageFiles = openPageFiles({ seconds: { compare: 3 } });
    const { asVisitor } = await withDocument({ change: { pageFiles } });
    const { status, json } = await asVisitor(await tiledPdf(1));
    await pageFiles.close();
    const words = "takes too much time or memory to be compared here. That says nothing about whether it matches";
    expect([status, json.errors.file[0]]).toEqual([422, expect.stringContaining(words)]);
  });

  test("waits for the seal, which is made soon", async () => {
    let nudges = 0;
    const { asVisitor } = await withDocument({ isSealed: false, change: { nudgeSealing: () => nudges++ } });
    const before = nudges;
    const { status, json, headers } = await asVisitor(await pdfOf([["Anything"]]));
    expect([status, json.message]).toEqual([503, "This document is not sealed yet. Try again in a minute."]);
    expect([headers.get("retry-after"), nudges - before]).toEqual(["60", 1]);
  });

  test("says so when the store is out of reach", async () => {
    const { asVisitor, services, forged } = await withDocument({
      change: { log: { info() {}, warn() {}, error() {} } },
    });
    services.files.withLocalPaths = () => Promise.reject(Object.assign(new Error("connect"), { code: "ECONNREFUSED" }));
    const { status, json } = await asVisitor(await forged(pages));
    expect([status, json.message]).toEqual([503, expect.stringContaining("gain")]);
  });
});

suite("POST /documents/{id}/file-check", () => {
  test("needs a document that the user may read", async () => {
    const { asStaff, sealed, company } = await withDocument();
    const { admin } = await company("Other");
    expect((await asStaff(sealed)).json.verdict).toBe("same file");
    expect((await asStaff(sealed, admin.token)).status).toBe(404);
  });
});

suite("many files", () => {
  test("of one network are refused after ten in ten minutes", async () => {
    const { asVisitor, sealed } = await withDocument();
    const statuses = [];
    let message = "";
    for (let n = 0; n < 11; n++) {
      const { status, json } = await asVisitor(sealed);
      statuses.push(status);
      message = json.message;
    }
    expect(message).toBe("Too many files were compared from here. Try again in 10 minutes.");
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    expect((await asVisitor(sealed, { address: "198.51.100.7" })).status).toBe(200);
  });

  test("at once from one network are refused beyond three, with the time to try again", async () => {
    const { asVisitor, upload, sealed } = await withDocument();
    const uploads = [upload(sealed), upload(sealed), upload(sealed)];
    await Promise.all(uploads.map(({ begun: startedCheck }) => startedCheck));
    for (let n = 0; n < 3; n++) {
      const { status, headers } = await asVisitor(sealed);
      expect([status, headers.get("retry-after")]).toEqual([503, "10"]);
    }
    for (const { finish } of uploads) expect((await finish()).status).toBe(200);
    expect((await asVisitor(sealed)).status).toBe(200);
  });

  test("need a code that was issued", async () => {
    const { sealed, asVisitor } = await withDocument();
    expect((await asVisitor(sealed, { params: { code: "mistyped" } })).status).toBe(422);
    expect((await asVisitor(sealed, { params: { code: "00000000000000000" } })).status).toBe(404);
  });
});
