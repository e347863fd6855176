import { createHash, X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { asFile, pdfFile, pngFile } from "#tests/fixtures/files.ts";
import { rasterOf, without } from "#tests/fixtures/pdf-programs.ts";
import { readByZxing } from "#tests/fixtures/qr-decoders.ts";
import { sealedDigest } from "#tests/fixtures/sealed-digest.ts";
import { wordsOf } from "#tests/fixtures/sealed-pdfs.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import type { Services } from "../services.ts";
import { companyRequester } from "../files/requesters.ts";
import { sealedPdf } from "./sealed-files.ts";
import { readSignedCode } from "#lib/seal/signed-code.ts";
import type { Statement } from "#lib/seal/statement.ts";
import { secretKey } from "#lib/seal/wrapping.ts";

const suite = describe.runIf(hasDatabase());
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** A company with one document. */
async function withDocument(change: Partial<Services> = {}) {
  const provider = await testProvider(change);
  const { admin } = await provider.company();
  const { call, db, services } = provider;
  const pages = [asFile(await pdfFile(0), "lease.pdf")];
  const { json } = await provider.issue(admin.token, { number: "NM-SEAL", qr_placing: "top-left:first:small" }, pages);
  const input = { token: admin.token, params: { id: json.id as number } };
  const stored = () => db.selectFrom("documents").selectAll().executeTakeFirstOrThrow();
  const { folder } = await stored();
  return {
    ...provider,
    admin,
    document: json,
    stored,
    folder,
    rows: () => db.selectFrom("sealed_files").selectAll().orderBy("made_at").execute(),
    queued: () => db.selectFrom("documents_to_seal").selectAll().execute(),
    sealedNames: async () =>
      (await Array.fromAsync(services.files.list(folder))).filter((name) => name.startsWith("sealed-")),
    sealed: (headers: Record<string, string> = {}) => call("getSealedPdf", { ...input, headers }),
    async place(qr_placing: string) {
      const { json: now } = await call("getDocument", input);
      const body = { ...now, email: admin.email, qr_placing };
      expect((await call("updateDocument", { ...input, body })).status).toBe(200);
    },
  };
}

suite("a sealed PDF", () => {
  test("is signed with the company's key, and stays as it is byte for byte", async () => {
    const { sealed, rows, sealedNames, db, services, folder } = await withDocument();
    const { bytes } = await sealed();
    const { certificate } = await db.selectFrom("seal_keys").selectAll().executeTakeFirstOrThrow();
    const hex = new X509Certificate(Buffer.from(certificate, "base64")).raw.toString("hex");
    expect(Buffer.from(bytes).includes(hex)).toBe(true);
    expect(await rows()).toMatchObject([
      {
        qr_placing: "top-left:first:small",
        public_url: "https://sealdesk.example",
        bytes: bytes.length,
        sha256: sha256(bytes),
        timestamped: 0,
      },
    ]);
    expect(await sealedNames()).toEqual([`sealed-${sha256(bytes)}.pdf`]);
    expect((await sealed()).bytes).toEqual(bytes);
    const storedPdf = new Response(await services.files.stream(`${folder}/sealed-${sha256(bytes)}.pdf`));
    expect(await storedPdf.bytes()).toEqual(bytes);
  });

  test("comes with its SHA-256, by which a download goes on", async () => {
    const { sealed } = await withDocument();
    const { bytes, headers } = await sealed();
    const digest = createHash("sha256").update(bytes).digest("base64");
    expect(headers.get("repr-digest")).toBe(`sha-256=:${digest}:`);
    expect(headers.get("etag")).toBe(`"${sha256(bytes)}"`);
    const part = await sealed({ range: "bytes=10-19", "if-range": headers.get("etag")! });
    expect([part.status, part.bytes]).toEqual([206, bytes.subarray(10, 20)]);
    expect(part.headers.get("repr-digest")).toBe(`sha-256=:${digest}:`);
    const ofOther = await sealed({ range: "bytes=10-19", "if-range": '"of-another-file"' });
    expect([ofOther.status, ofOther.bytes]).toEqual([200, bytes]);
  });

  test("is another one with another placing, and the earlier one again with the earlier placing", async () => {
    const { sealed, place, rows } = await withDocument();
    const first = await sealed();
    await place("none");
    const second = await sealed();
    expect(second.bytes.length).toBeLessThan(first.bytes.length);
    await place("top-left:first:small");
    expect((await sealed()).bytes).toEqual(first.bytes);
    expect(await rows()).toHaveLength(2);
  });

  test("is the same for two machines that make it at once", async () => {
    const { services, stored, rows, sealedNames, db } = await withDocument();
    const document = await stored();
    const [one, other] = await Promise.all(
      [1, 2].map(() => {
        // Work in progress is shared by store.
        const machine = { ...services, files: { ...services.files } };
        return sealedPdf(machine, companyRequester(document.company_id, "staff"), document);
      }),
    );
    expect(one).toEqual(other);
    expect(await rows()).toHaveLength(1);
    expect(await sealedNames()).toEqual([`sealed-${one!.sha256}.pdf`]);
    const { sealed_bytes } = await db.selectFrom("companies").select("sealed_bytes").executeTakeFirstOrThrow();
    expect(sealed_bytes).toBe(one!.bytes);
  });

  test("is stored whole or not at all if the disk is full", async () => {
    const { services, stored, rows, sealedNames, sealed } = await withDocument();
    const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    const files = { ...services.files, adopt: () => Promise.reject(full) };
    const document = await stored();
    const refused = sealedPdf({ ...services, files }, companyRequester(document.company_id, "staff"), document);
    await expect(refused).rejects.toBe(full);
    expect([await rows(), await sealedNames()]).toEqual([[], []]);
    expect((await sealed()).status).toBe(200);
  });

  test("is not made while no secret opens the company's key", async () => {
    const { sealed, place, services, rows } = await withDocument({ log: { info() {}, warn() {}, error() {} } });
    await sealed();
    await place("none");
    services.seals.wrappingKeys = [secretKey("another secret of these tests, made by the operator")];
    const { status, json } = await sealed();
    expect([status, json.message]).toEqual([503, expect.stringContaining("can’t be sealed now")]);
    expect(await rows()).toHaveLength(1);
  });

  test("with another placing counts towards the company's storage, and is refused beyond it", async () => {
    const { sealed, place, services, rows, call, admin } = await withDocument();
    const used = async () => (await call("companyBill", { token: admin.token })).json.storage.bytes as number;
    const { bytes } = await sealed();
    const before = await used();
    await place("bottom-right:first:small");
    await sealed();
    expect((await used()) - before).toBeGreaterThan(bytes.length / 2);
    services.quotas.companyBytes = 1000;
    await place("none");
    const { status, json } = await sealed();
    expect([status, json.message]).toEqual([409, expect.stringContaining("The PDF was not sealed again.")]);
    expect(await rows()).toHaveLength(2);
    await place("bottom-right:first:small");
    expect((await sealed()).status).toBe(200);
  });
});

suite("the code of a sealed PDF", () => {
  /** The text of the code on the first page of the sealed PDF, and what our check says of its digits. */
  async function withCode(qr_placing: string) {
    const fixture = await withDocument();
    const { place, sealed, call, document } = fixture;
    await place(qr_placing);
    const { bytes } = await sealed();
    const directory = await mkdtemp(join(tmpdir(), "sealdesk-code-"));
    try {
      const path = join(directory, "sealed.pdf");
      await writeFile(path, bytes);
      const [address] = await readByZxing(await readFile(await rasterOf(path, 1)));
      const digits = address!.slice(document.verify_url.length + 1);
      const check = async () =>
        (await call("checkSignature", { params: { code: document.code }, body: { digits } })).json.verdict as string;
      return { ...fixture, bytes, address, digits, check };
    } finally {
      await rm(directory, { recursive: true });
    }
  }

  test.skipIf(without("pdftoppm"))("states the record and the digest of the file, and is confirmed", async () => {
    const { bytes, digits, check, rows } = await withCode("bottom-right:first:medium");
    expect(await check()).toBe("confirmed");
    const { statement } = readSignedCode(digits)!;
    expect(statement).toMatchObject({ number: "NM-SEAL", type: 1, pages: 1, copy: 1, of: 1, revision: 2 });
    const digest = Buffer.from((statement as Statement).digest!).toString("hex");
    expect(digest).toBe(sealedDigest(bytes).toString("hex"));
    expect((await rows()).at(-1)!.digest.slice(0, 32)).toBe(digest);
  });

  test.skipIf(without("pdftoppm"))("is at any place that is chosen, in any size, and without characters", async () => {
    const { check, bytes } = await withCode("100.5,120:first:40:bare");
    expect(await check()).toBe("confirmed");
    const path = join(tmpdir(), `${Math.random()}.pdf`);
    await writeFile(path, bytes);
    const words = await wordsOf(path).finally(() => rm(path));
    expect(words).not.toMatch(/\w{4}-\w{4}-\w{4}/);
  });

  test.each(["100,200:first:14", "100,200:first:101", "1e3,5:first:25", "own-page:first:medium", "10,10:first:large"])(
    "can’t be placed as %s",
    async (qr_placing) => {
      const { call, admin, document } = await withDocument();
      const params = { id: document.id };
      const { json: now } = await call("getDocument", { token: admin.token, params });
      const body = { ...now, email: admin.email, qr_placing };
      const { status, json } = await call("updateDocument", { token: admin.token, params, body });
      expect([status, Object.keys(json.errors)]).toEqual([422, ["qr_placing"]]);
    },
  );

  test.skipIf(without("pdftoppm"))("stays genuine when its key is revoked, because it was recorded", async () => {
    const { check, db, clock } = await withCode("bottom-right:first:medium");
    const revoked_at = clock.now.toISOString();
    await db.updateTable("seal_keys").set({ revoked_at, revoked_reason: "compromised" }).execute();
    expect(await check()).toBe("confirmed");
  });

  test.skipIf(without("pdftoppm"))("is plain where it is small", async () => {
    const { address, document, db } = await withCode("bottom-right:first:small");
    expect(address).toBe(document.verify_url);
    expect(await db.selectFrom("signed_codes").select("id").execute()).toEqual([]);
  });

  test("is recorded once if two machines seal at once", async () => {
    const { place, services, stored, db } = await withDocument();
    await place("top-left:first:large");
    const document = await stored();
    await Promise.all(
      [1, 2].map(() => {
        const machine = { ...services, files: { ...services.files } };
        return sealedPdf(machine, companyRequester(document.company_id, "staff"), document);
      }),
    );
    expect(await db.selectFrom("signed_codes").select("document_id").execute()).toEqual([{ document_id: document.id }]);
  });

  test("states the digest of the whole PDF without its signature if nothing is stamped", async () => {
    const { place, sealed, rows } = await withDocument();
    await place("none");
    const { bytes } = await sealed();
    expect((await rows()).at(-1)!.digest.slice(0, 32)).toBe(sealedDigest(bytes).toString("hex"));
  });
});

suite("a time stamp", () => {
  test("is in the sealed PDF, as its row says", async () => {
    const token = Buffer.from("3003020105", "hex");
    const { sealed, rows } = await withDocument({ timeStamp: async () => token });
    expect(Buffer.from((await sealed()).bytes).includes(token.toString("hex"))).toBe(true);
    expect(await rows()).toMatchObject([{ timestamped: 1 }]);
  });

  test("that failed is requested again for the next version alone", async () => {
    let input = 0;
    const { sealed, rows, place } = await withDocument({ timeStamp: async () => void input++ });
    await sealed();
    await sealed();
    expect(input).toBe(1);
    await place("none");
    await sealed();
    expect(input).toBe(2);
    expect((await rows()).map(({ timestamped }) => timestamped)).toEqual([0, 0]);
  });
});

suite("the job that seals", () => {
  test("seals a document after it was issued, which does not wait for it", async () => {
    let nudged = 0;
    const { rows, queued, run, sealed } = await withDocument({ nudgeSealing: () => nudged++ });
    expect([nudged, await rows()]).toEqual([1, []]);
    expect(await queued()).toHaveLength(1);
    await run("seals");
    expect(await queued()).toEqual([]);
    expect(await rows()).toMatchObject([{ sha256: sha256((await sealed()).bytes) }]);
  });

  test("leaves a PDF as it is that was sealed on request", async () => {
    const { run, queued, sealed } = await withDocument();
    const { bytes } = await sealed();
    await run("seals");
    expect([await queued(), (await sealed()).bytes]).toEqual([[], bytes]);
  });

  test("removes PDFs of before they were signed, and not what may be about to get its row", async () => {
    const { run, services, folder, sealedNames, rows } = await withDocument();
    for (const name of ["sealed-2-none-0123456789ab.pdf", "sealed-new.pdf"]) {
      await services.files.put(`${folder}/${name}`, Readable.from([Buffer.from("%PDF-1.7")]));
    }
    const changedAt = services.files.changedAt;
    services.files.changedAt = async (key) => (key.includes("sealed-2-") ? Date.now() - 7_200_000 : changedAt(key));
    await run("seals");
    const made = (await rows()).map((row) => `sealed-${row.sha256}.pdf`);
    expect((await sealedNames()).toSorted()).toEqual([...made, "sealed-new.pdf"].toSorted());
  });

  test("takes the newest document of each company first, then the others", async () => {
    let now = Date.parse("2026-11-21T10:00:00Z");
    const { company, issue, run, db } = await testProvider({ now: () => new Date((now += 1000)) });
    const [one, other] = [await company(), await company()];
    const ids = [];
    for (const { admin } of [one, one, other]) ids.push((await issue(admin.token)).json.id as number);
    await run("seals");
    const rows = await db.selectFrom("sealed_files").select("document_id").orderBy("made_at").execute();
    const order = rows.map(({ document_id }) => document_id);
    expect(new Set(order.slice(0, 2))).toEqual(new Set([ids[1], ids[2]]));
    expect(order.slice(2)).toEqual([ids[0]]);
  });

  test("waits if there is no space left, or no secret", async () => {
    const { run, services, queued, rows } = await withDocument();
    const full = Object.assign(new Error("fewer than 1 bytes are free"), { code: "ENOSPC" });
    const { ensureSpace } = services.files;
    services.files.ensureSpace = () => Promise.reject(full);
    await expect(run("seals")).rejects.toBe(full);
    expect([(await queued()).length, await rows()]).toEqual([1, []]);
    services.files.ensureSpace = ensureSpace;
    await run("seals");
    expect([await queued(), (await rows()).length]).toEqual([[], 1]);
  });

  test("gives a document up whose page files can't be opened any more", async () => {
    const { run, services, folder, queued, rows, sealed } = await withDocument();
    await services.files.put(`${folder}/1`, Readable.from([Buffer.from("%PDF-damaged since")]));
    await run("seals");
    expect([await queued(), await rows()]).toEqual([[], []]);
    expect((await sealed()).status).toBe(422);
  });
});

suite("a company whose documents are sealed at once", () => {
  test("gets one key", async () => {
    const { company, issue, run, db } = await testProvider();
    const { admin } = await company();
    const page = asFile(await pngFile(), "page.png");
    await Promise.all([issue(admin.token, {}, [page]), issue(admin.token, {}, [page])]);
    await run("seals");
    expect(await db.selectFrom("seal_keys").select("id").execute()).toHaveLength(1);
    expect(await db.selectFrom("sealed_files").select("sha256").execute()).toHaveLength(2);
  });
});
