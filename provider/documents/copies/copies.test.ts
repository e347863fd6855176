import { createHash } from "node:crypto";
import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import { asFile, pdfFile } from "#tests/fixtures/files.ts";
import { london, manchester, withScans } from "#tests/fixtures/scans.ts";
import { sealedDigest } from "#tests/fixtures/sealed-digest.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import type { Services } from "../../services.ts";
import { violations } from "../../db/consistency.ts";

const suite = describe.runIf(hasDatabase());

type Copy = { n: number; code: string; verify_url: string; note: string; scans: number | null };

/** A document in three copies. */
async function withCopies(fields: Record<string, unknown> = {}, change: Partial<Services> = {}) {
  const provider = await withScans({ copies: "3", number: "NM-COPIES", ...fields }, change);
  const { call, admin, document } = provider;
  const params = { id: document.id as number };
  const list = async (token = admin.token) => (await call("listCopies", { token, params })).json as Copy[];
  const codes = (await list()).map(({ code }) => code);
  const codeOf = (n: number) => codes[n - 1]!;
  return {
    ...provider,
    id: params.id,
    list,
    codes,
    withdraw: (n: number, body: object = { reason: "lost" }, token = admin.token) =>
      call("withdrawCopy", { token, params: { ...params, n }, body }),
    restore: (n: number) => call("restoreCopy", { token: admin.token, params: { ...params, n } }),
    verify: async (n: number) => (await call("verify", { params: { code: codeOf(n) } })).json,
    scanCopy: async (n: number, address?: string) =>
      (await call("recordScan", { params: { code: codeOf(n) }, body: {}, ...(address && { address }) })).json
        .scan as string,
    locate: (n: number, scan: string, place: object) =>
      call("locateScan", { params: { code: codeOf(n) }, body: { scan, ...place } }),
    sealed: (copy: number) => call("getSealedPdf", { token: admin.token, params, query: { copy: String(copy) } }),
  };
}

suite("GET /documents/{id}/copies", () => {
  test("have a code each, the first one the document's own, and are listed with their scans", async () => {
    const { list, codes, document, scanCopy, verify, db } = await withCopies();
    expect(document.copies).toBe(3);
    expect(new Set(codes).size).toBe(3);
    expect(codes[0]).toBe(document.code);
    await scanCopy(2);
    await scanCopy(2);
    expect(await list()).toMatchObject([
      { n: 1, scans: 0, last_scan: null, verify_url: document.verify_url },
      { n: 2, scans: 2, last_scan: "2026-11-21T10:00:00.000Z" },
      { n: 3, scans: 0 },
    ]);
    for (const n of [1, 2, 3]) {
      expect(await verify(n)).toMatchObject({ verdict: "in force", code: codes[n - 1], copy: n, copies: 3 });
    }
    const found = [];
    for await (const violation of violations(db)) found.push(violation);
    expect(found).toEqual([]);
  });

  test("are none of a document that was issued once, whose scans name no copy", async () => {
    const { call, admin, document, scan, db } = await withScans();
    await scan();
    expect(document.copies).toBe(1);
    const params = { id: document.id };
    expect((await call("listCopies", { token: admin.token, params })).json).toEqual([]);
    const withdrawn = { token: admin.token, params: { ...params, n: 1 }, body: { reason: "lost" } };
    expect((await call("withdrawCopy", withdrawn)).status).toBe(404);
    expect(await db.selectFrom("scans").select("copy").execute()).toEqual([{ copy: null }]);
  });

  test.each(["0", "101", "-1", "2.5", "many", "", "0x10", "1e1", "1e20"])(
    "can't be as many as “%s”",
    async (copies) => {
      const { issue, company } = await testProvider();
      const { admin } = await company();
      const { status, json } = await issue(admin.token, { copies });
      expect([status, json.errors]).toEqual([422, { copies: ["Enter how many copies to issue, from 1 to 100"] }]);
    },
  );

  test("can be a hundred", async () => {
    const { list } = await withCopies({ copies: "100" });
    expect(await list()).toHaveLength(100);
  });

  test("need room for their sealed PDFs", async () => {
    const page = asFile(await pdfFile(0), "lease.pdf");
    const { issue, company } = await testProvider({ quotas: { companyBytes: 400_000 } });
    const { admin } = await company();
    const copies = String(Math.min(100, Math.ceil(400_000 / page.size)));
    const { status, json } = await issue(admin.token, { copies }, [page]);
    expect([status, json.message]).toEqual([409, expect.stringContaining("Nothing was issued")]);
    expect((await issue(admin.token, { copies: "2" }, [page])).status).toBe(201);
  });

  test("show no scans to users who may not read alerts", async () => {
    const { list, user, companyId, scanCopy, group } = await withCopies();
    await scanCopy(1);
    await group(companyId, "Documents", { docs: "C:R" });
    const { token } = await user(companyId, { group: "Documents" });
    expect((await list(token)).map(({ scans }) => scans)).toEqual([null, null, null]);
  });
});

suite("POST /documents/{id}/copies/{n}/withdraw", () => {
  test("leaves the document and its other copies in force", async () => {
    const { withdraw, verify, call, admin, id } = await withCopies();
    const { status, json } = await withdraw(2, { reason: "lost", note: "Left on the train" });
    expect([status, json]).toMatchObject([
      200,
      { n: 2, withdrawn: { reason: "lost", since: "2026-11-21" }, note: "Left on the train" },
    ]);
    const withdrawn = await verify(2);
    expect(withdrawn).toMatchObject({
      verdict: "copy withdrawn",
      copy: 2,
      copies: 3,
      copy_withdrawn: { reason: "lost", since: "2026-11-21" },
    });
    expect(withdrawn.ended).toBeUndefined();
    expect(JSON.stringify(withdrawn)).not.toContain("train");
    expect([(await verify(1)).verdict, (await verify(3)).verdict]).toEqual(["in force", "in force"]);
    expect((await call("getDocument", { token: admin.token, params: { id } })).json.validity).toBe("in force");
    expect((await withdraw(2)).status).toBe(409);
  });

  test("needs a reason, and words for another reason", async () => {
    const { withdraw } = await withCopies();
    expect((await withdraw(2, {})).json.errors).toEqual({ reason: ["Choose why this copy is withdrawn"] });
    expect((await withdraw(2, { reason: "other" })).json.errors).toEqual({
      note: ["Enter the other reason in the note"],
    });
    expect((await withdraw(4)).status).toBe(404);
  });

  test("is refused for an archived document, whose copies say what they said", async () => {
    const { withdraw, restore, verify, call, admin, id } = await withCopies();
    await withdraw(2);
    await call("archiveDocument", { token: admin.token, params: { id } });
    expect([(await withdraw(3)).status, (await restore(2)).status]).toEqual([409, 409]);
    expect([(await verify(2)).verdict, (await verify(3)).verdict]).toEqual(["copy withdrawn", "in force"]);
  });

  test("is in the document's history", async () => {
    const { withdraw, restore, call, admin, id } = await withCopies();
    await withdraw(2, { reason: "destroyed", note: "Burnt" });
    await restore(2);
    const { json } = await call("documentHistory", { token: admin.token, params: { id } });
    expect(json.slice(0, 2)).toMatchObject([
      { action: "copy restored", changes: expect.arrayContaining([{ field: "copy", before: null, after: "2 of 3" }]) },
      {
        action: "copy withdrawn",
        changes: [
          { field: "copy", before: null, after: "2 of 3" },
          { field: "withdrawn_reason", before: null, after: "destroyed" },
          { field: "withdrawn_note", before: null, after: "Burnt" },
        ],
      },
    ]);
  });

  test("counts less than the document's end, and more than its pages being open to all", async () => {
    const { withdraw, verify, call, admin, id, codes } = await withCopies({ access_type: "Open to all" });
    const page = (n: number) => call("getOpenPage", { params: { code: codes[n - 1]!, n: 1 } });
    expect((await page(2)).status).toBe(200);
    await withdraw(2);
    expect([(await page(2)).status, (await page(3)).status]).toEqual([404, 200]);
    expect([(await verify(2)).open_pages, (await verify(3)).open_pages.length]).toEqual([[], 1]);
    await call("exitDocument", { token: admin.token, params: { id } });
    expect(await verify(2)).toMatchObject({ verdict: "withdrawn", copy_withdrawn: { reason: "lost" } });
  });
});

suite("POST /documents/{id}/copies/{n}/restore", () => {
  test("undoes the withdrawal, once", async () => {
    const { withdraw, restore, verify, list } = await withCopies();
    await withdraw(2, { reason: "other", note: "In a drawer" });
    expect((await restore(2)).json.withdrawn).toBeUndefined();
    expect((await restore(2)).status).toBe(409);
    expect((await verify(2)).verdict).toBe("in force");
    expect((await list()).every(({ note }) => note === "")).toBe(true);
  });
});

suite("scans of copies", () => {
  test("of a withdrawn one raise an alert that names it, and of the others none", async () => {
    const { withdraw, scanCopy, alerts, db } = await withCopies();
    await withdraw(2);
    for (const n of [1, 2, 2, 3]) await scanCopy(n);
    expect(await alerts()).toMatchObject([
      {
        alert: "Withdrawn copy scanned",
        status: 2,
        copy: 2,
        count: 2,
        reason: "Copy 2 of 3 was scanned after it had been withdrawn as lost on 21-11-2026.",
      },
    ]);
    expect(await db.selectFrom("scans").orderBy("id").select(["copy", "verdict"]).execute()).toEqual([
      { copy: 1, verdict: "in force" },
      { copy: 2, verdict: "copy withdrawn" },
      { copy: 2, verdict: "copy withdrawn" },
      { copy: 3, verdict: "in force" },
    ]);
  });

  test("raise alerts by copy", async () => {
    const { call, admin, id, scanCopy, alerts } = await withCopies();
    await call("exitDocument", { token: admin.token, params: { id } });
    for (const n of [1, 3, 3]) await scanCopy(n);
    expect((await alerts()).map(({ copy, count }: { copy: number; count: number }) => [copy, count])).toEqual([
      [3, 2],
      [1, 1],
    ]);
  });

  test("at places far apart are a clone only if they are of one copy", async () => {
    const { scanCopy, locate, alerts, list } = await withCopies();
    await locate(1, await scanCopy(1, "192.0.2.1"), manchester);
    await locate(2, await scanCopy(2, "198.51.100.1"), london);
    expect(await alerts()).toEqual([]);
    await locate(1, await scanCopy(1, "203.0.113.1"), london);
    expect(await alerts()).toMatchObject([{ alert: "Fake scan", copy: 1 }]);
    expect((await list()).map(({ scans }) => scans)).toEqual([2, 1, 0]);
  });

  test("by many devices are a burst only if they are of one copy", async () => {
    const { scanCopy, alerts } = await withCopies();
    for (let n = 0; n < 24; n++) await scanCopy(1 + (n % 2), `198.51.100.${n}`);
    expect(await alerts()).toEqual([]);
    for (let n = 24; n < 32; n++) await scanCopy(1, `198.51.100.${n}`);
    expect(await alerts()).toMatchObject([{ alert: "Burst of scans", copy: 1 }]);
  });

  test("say on lists and maps which copy it was", async () => {
    const { scanCopy, locate, call, admin, id } = await withCopies();
    await locate(3, await scanCopy(3), manchester);
    const input = { token: admin.token };
    expect((await call("listScans", input)).json).toMatchObject([{ copy: 3 }]);
    expect((await call("scanPlaces", input)).json.points).toMatchObject([{ copy: 3 }]);
    expect((await call("listDocumentScans", { ...input, params: { id } })).json).toMatchObject([{ copy: 3 }]);
  });
});

const placed = { qr_placing: "top-left:first:medium" };
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

suite("the sealed PDFs of copies", () => {
  test("are one each, made together, and share the digest that their codes state", async () => {
    const { sealed, run, db, codes } = await withCopies(placed);
    await run("seals");
    const rows = await db.selectFrom("sealed_files").orderBy("copy").selectAll().execute();
    expect(rows.map(({ copy }) => copy)).toEqual([1, 2, 3]);
    const files: Uint8Array<ArrayBuffer>[] = [];
    for (const n of [1, 2, 3]) {
      const { bytes, headers } = await sealed(n);
      expect(headers.get("content-disposition")).toContain(`NM-COPIES copy ${n} of 3.pdf`);
      expect(sha256(bytes)).toBe(rows[n - 1]!.sha256);
      const printed = codes[n - 1]!.match(/.{1,4}/g)!.join("-");
      expect(Buffer.from(bytes).includes(`(${printed})`)).toBe(true);
      files.push(bytes);
    }
    expect(new Set(files.map(sha256)).size).toBe(3);
    expect(new Set(files.map((bytes) => sealedDigest(bytes).toString("hex"))).size).toBe(1);
    expect((await sealed(4)).status).toBe(404);
  });

  test("are completed if one was sealed before, and that one stays", async () => {
    const { sealed, db } = await withCopies(placed);
    const { bytes } = await sealed(1);
    await db.deleteFrom("sealed_files").where("copy", ">", 1).execute();
    expect((await sealed(3)).status).toBe(200);
    expect((await sealed(1)).bytes).toEqual(bytes);
    expect(await db.selectFrom("sealed_files").select("copy").orderBy("copy").execute()).toHaveLength(3);
  });

  test("have codes that are confirmed, each for its own copy alone", async () => {
    const { run, call, codes, db, withdraw } = await withCopies(placed);
    await run("seals");
    const signed = await db.selectFrom("signed_codes").orderBy("id").select("digits").execute();
    const check = async (code: string, digits: string) =>
      (await call("checkSignature", { params: { code }, body: { digits } })).json.verdict;
    expect(await check(codes[1]!, signed[1]!.digits)).toBe("confirmed");
    expect(await check(codes[2]!, signed[1]!.digits)).toBe("altered");
    await withdraw(2);
    expect(await check(codes[1]!, signed[1]!.digits)).toBe("confirmed");
    await db.updateTable("documents").set({ copies: 2 }).execute();
    expect(await check(codes[1]!, signed[1]!.digits)).toBe("contradicts");
  });

  test("have one size if their numbers have more digits", async () => {
    const { run, db } = await withCopies({ ...placed, copies: "25" });
    await run("seals");
    const rows = await db.selectFrom("sealed_files").select(["digest", "bytes"]).distinct().execute();
    expect(rows).toHaveLength(1);
  });

  test("are compared with a file that was saved again by the copy that is named", async () => {
    const { sealed, call, codes, admin, id } = await withCopies(placed);
    const saved = await PDFDocument.load((await sealed(3)).bytes);
    const content = Buffer.from(await saved.save());
    const form = (fields: Record<string, string> = {}) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append("file", asFile(content, "saved.pdf"));
      return form;
    };
    const asVisitor = async (n: number) =>
      (await call("checkFile", { params: { code: codes[n - 1]! }, body: form() })).json.verdict;
    expect([await asVisitor(3), await asVisitor(1)]).toEqual(["looks the same", "changed"]);
    const asStaff = async (copy: string) =>
      (await call("checkDocumentFile", { token: admin.token, params: { id }, body: form({ copy }) })).json.verdict;
    expect([await asStaff("3"), await asStaff("2"), await asStaff("4")]).toEqual([
      "looks the same",
      "changed",
      undefined,
    ]);
  });

  test("match a file of any copy, and the code of any copy", async () => {
    const { sealed, call, codes } = await withCopies(placed);
    const file = asFile(Buffer.from((await sealed(2)).bytes), "sealed.pdf");
    const form = new FormData();
    form.append("file", file);
    const { json } = await call("checkFile", { params: { code: codes[2]! }, body: form });
    expect(json).toMatchObject({ verdict: "same file", copy: 2 });
  });
});

suite("GET /documents/{id}/sealed.zip", () => {
  test("come all at once as a ZIP archive of known size", async () => {
    const { sealed, call, admin, id } = await withCopies(placed);
    const { bytes, headers } = await call("getSealedPdfs", { token: admin.token, params: { id } });
    expect(headers.get("content-length")).toBe(String(bytes.length));
    const archive = Buffer.from(bytes);
    for (const n of [1, 2, 3]) {
      expect(archive.includes(`NM-COPIES copy ${n} of 3.pdf`)).toBe(true);
      expect(archive.includes(Buffer.from((await sealed(n)).bytes))).toBe(true);
    }
  });
});
