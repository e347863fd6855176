import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { readByZxing } from "#tests/fixtures/qr-decoders.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { rotateAsOperator } from "../seal/keys/change-seal-keys.ts";
import { asFile, pdfFile, photoFile, pngFile } from "#tests/fixtures/files.ts";

const suite = describe.runIf(hasDatabase());
const contains = (bytes: Uint8Array, text: string) => Buffer.from(bytes).includes(text);

/** A company with one document of a PDF with two pages and a photo. */
async function withDocument() {
  const provider = await testProvider();
  const { admin, id } = await provider.company();
  const pages = [asFile(await pdfFile(0, 0), 'le/ase "x".pdf'), asFile(await photoFile(), "photo.jpeg")];
  const { json } = await provider.issue(admin.token, { number: "NM-FILES", qr_placing: "top-left:every:small" }, pages);
  return { ...provider, admin, companyId: id, document: json, token: admin.token, params: { id: json.id as number } };
}

/** A document's files are for its readers. */
const forReadersOnly = (name: "getPageFile" | "getPageThumbnail" | "getQrCode" | "getSealedPdf") =>
  test("is for readers of the document", async () => {
    const { call, company, params, group, user, companyId } = await withDocument();
    const page = { ...params, n: 1 };
    expect((await call(name, { params: page })).status).toBe(401);
    expect((await call(name, { params: page, token: (await company()).admin.token })).status).toBe(404);
    await group(companyId, "Nothing", {});
    expect(
      (await call(name, { params: page, token: (await user(companyId, { group: "Nothing" })).token })).status,
    ).toBe(403);
  });

suite("GET /documents/{id}/pages/{n}", () => {
  test("serves pictures upright and without metadata", async () => {
    const { call, token, params } = await withDocument();
    const { status, headers, bytes } = await call("getPageFile", { token, params: { ...params, n: 2 } });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("image/jpeg");
    expect(headers.get("content-disposition")).toBe("attachment; filename=photo.jpg");
    const { width, height, exif } = await sharp(bytes).metadata();
    expect({ width, height, exif }).toEqual({ width: 400, height: 600, exif: undefined });
  });

  test("serves PDFs without metadata, under a safe file name", async () => {
    const { call, token, params } = await withDocument();
    const { headers, bytes } = await call("getPageFile", { token, params: { ...params, n: 1 } });
    expect(headers.get("content-disposition")).toBe('attachment; filename="ase \\"x\\".pdf"');
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'; sandbox");
    expect(contains(bytes, "%PDF-")).toBe(true);
    expect(contains(bytes, "AUTHOR-MARK")).toBe(false);
  });

  test("answers ranges", async () => {
    const { call, token, params } = await withDocument();
    const page = { ...params, n: 2 };
    const whole = await call("getPageFile", { token, params: page });
    const part = await call("getPageFile", { token, params: page, headers: { range: "bytes=10-19" } });
    expect(part.status).toBe(206);
    expect(part.bytes).toEqual(whole.bytes.subarray(10, 20));
    expect(part.headers.get("content-range")).toBe(`bytes 10-19/${whole.bytes.length}`);
    const beyond = await call("getPageFile", { token, params: page, headers: { range: "bytes=999999999-" } });
    expect(beyond.status).toBe(416);
  });

  test("has no page after the last", async () => {
    const { call, token, params } = await withDocument();
    expect((await call("getPageFile", { token, params: { ...params, n: 3 } })).status).toBe(404);
    expect((await call("getPageFile", { token, params: { ...params, n: "x" } })).status).toBe(404);
  });
  forReadersOnly("getPageFile");
});

suite("GET /documents/{id}/pages/{n}/thumbnail", () => {
  test("draws each page of a file, small or large", async () => {
    const { call, token, params } = await withDocument();
    const draw = async (n: number, query: Record<string, string | number>) => {
      const { bytes } = await call("getPageThumbnail", { token, params: { ...params, n }, query });
      const { format, width } = await sharp(bytes).metadata();
      return [format, width];
    };
    expect(await draw(1, {})).toEqual(["webp", 320]);
    expect(await draw(1, { page: 2, size: "large" })).toEqual(["webp", 1240]);
    expect(await draw(2, {})).toEqual(["webp", 320]);
  });

  test("has no page after the file's last", async () => {
    const { call, token, params } = await withDocument();
    const beyond = { token, params: { ...params, n: 1 }, query: { page: 3 } };
    expect((await call("getPageThumbnail", beyond)).status).toBe(404);
    expect((await call("getPageThumbnail", { ...beyond, query: { size: "huge" } })).status).toBe(422);
  });
  forReadersOnly("getPageThumbnail");
});

suite("GET /documents/{id}/qrcode.png", () => {
  test("decodes to the document's address", async () => {
    const { call, token, params, document } = await withDocument();
    const { bytes } = await call("getQrCode", { token, params });
    expect(await readByZxing(bytes)).toEqual([document.verify_url]);
  });

  test("decodes to the signed address once there is a sealed PDF, the same until record or key change", async () => {
    const { call, token, params, document, run, services, companyId } = await withDocument();
    const read = async () => (await readByZxing((await call("getQrCode", { token, params })).bytes))[0]!;
    const check = async (address: string) =>
      (await call("checkSignature", { params: { code: document.code }, body: { digits: address.split("/").at(-1) } }))
        .json.verdict;
    await run("seals");
    const signed = await read();
    expect(signed).toMatch(new RegExp(`^${document.verify_url}/\\d{250,}$`));
    expect(await read()).toBe(signed);
    expect(await check(signed)).toBe("confirmed");
    await call("updateDocument", { token, params, body: { ...document, name: "Renamed" } });
    const again = await read();
    expect(again).not.toBe(signed);
    expect([await check(again), await check(signed)]).toEqual(["confirmed", "confirmed"]);
    await rotateAsOperator(services, companyId, { atOnce: true });
    expect([again, signed]).not.toContain(await read());
    expect(await check(await read())).toBe("confirmed");
  });
  forReadersOnly("getQrCode");
});

suite("GET /documents/{id}/sealed.pdf", () => {
  test("is a PDF of all pages under the document's number", async () => {
    const { call, token, params } = await withDocument();
    const { headers, bytes } = await call("getSealedPdf", { token, params });
    expect(headers.get("content-disposition")).toBe("attachment; filename=NM-FILES.pdf");
    expect((await PDFDocument.load(bytes)).getPageCount()).toBe(3);
  });

  test("is none that an earlier version made without a signature, and cleaned page files are made again", async () => {
    const { call, token, params, document, services, db } = await withDocument();
    const { folder } = await db.selectFrom("documents").select("folder").executeTakeFirstOrThrow();
    const address = createHash("sha256").update(services.publicUrl).digest("hex").slice(0, 12);
    const placing = document.qr_placing.replaceAll(":", "-");
    for (const name of [`sealed-${placing}-${address}.pdf`, "1.clean"]) {
      await services.files.put(`${folder}/${name}`, Readable.from([Buffer.from("OLDER-MARK")]));
    }
    const sealed = await call("getSealedPdf", { token, params });
    const page = await call("getPageFile", { token, params: { ...params, n: 1 } });
    for (const { bytes } of [sealed, page]) expect(contains(bytes, "OLDER-MARK")).toBe(false);
  });

  test("leaves the uploaded files unchanged", async () => {
    const { call, token, params, document, services, db } = await withDocument();
    await call("getSealedPdf", { token, params });
    const { folder } = await db.selectFrom("documents").select("folder").executeTakeFirstOrThrow();
    for (const { n, sha256 } of document.files.pages) {
      const content = new Response(await services.files.stream(`${folder}/${n}`));
      expect(
        createHash("sha256")
          .update(await content.bytes())
          .digest("hex"),
      ).toBe(sha256);
    }
  });
  forReadersOnly("getSealedPdf");
});

test.runIf(hasDatabase())("pages of two kinds requested at once are each made once", async () => {
  const { call, issue, company } = await testProvider();
  const { admin } = await company();
  const { json } = await issue(admin.token, {}, [asFile(await pngFile(2000, 2000), "a.png")]);
  const ask = () =>
    call("getPageThumbnail", { token: admin.token, params: { id: json.id, n: 1 }, query: { size: "large" } });
  const answers = await Promise.all([ask(), ask(), ask()]);
  expect(new Set(answers.map(({ bytes }) => bytes.length)).size).toBe(1);
});
