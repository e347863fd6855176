import { ReadableStream } from "node:stream/web";
import { describe, expect, test } from "vitest";
import { spaceOfDocument } from "#lib/page-files/space.ts";
import type { Files } from "#lib/storage/files/files.ts";
import { violations } from "../db/consistency.ts";
import { asFile, pdfFile, pngFile } from "#tests/fixtures/files.ts";
import { draftForm, hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

/** The quota of what a company stores. */

const suite = describe.runIf(hasDatabase());

const png = await pngFile();
const page = () => asFile(png, "page.png");
const ofOne = spaceOfDocument({ bytes: png.length, pages: 1 });
const megabyte = 1024 * 1024;

/** A provider whose companies may store so many bytes, with the keys of what was put into its store. */
async function limited(companyBytes: number) {
  const put: string[] = [];
  const provider = await testProvider({ quotas: { companyBytes } });
  const files = provider.services.files;
  const counting: Files["put"] = (key, content) => {
    put.push(key);
    return files.put(key, content);
  };
  provider.services.files = { ...files, put: counting };
  return { ...provider, put, foldersOf: () => Array.fromAsync(files.list("documents")) };
}

const refusal = /^Your company may store .* Nothing was issued\. Ask an administrator to get more storage/;

suite("POST /documents/storeDocument, with a quota", () => {
  test("issues within the quota, and refuses the rest without storing it", async () => {
    const { company, issue, call, db, foldersOf } = await limited(2.5 * ofOne);
    const { admin } = await company();
    expect((await issue(admin.token)).status).toBe(201);
    expect((await issue(admin.token)).status).toBe(201);
    const refused = await issue(admin.token);
    expect([refused.status, refused.json.message]).toEqual([409, expect.stringMatching(refusal)]);
    expect(await foldersOf()).toHaveLength(2);
    const { json: me } = await call("currentUser", { token: admin.token });
    expect(me.usage).toMatchObject({ documents: 2, pages: 2 });
    expect(await db.selectFrom("audit").where("action", "=", "issued").select("id").execute()).toHaveLength(2);
    // Others have their own.
    expect((await issue((await company()).admin.token)).status).toBe(201);
  });

  test("counts pages as well as bytes", async () => {
    const { company, issue } = await limited(2.5 * ofOne);
    const { admin } = await company();
    const many = asFile(await pdfFile(...Array.from({ length: 20 }, () => 0)), "many.pdf");
    expect((await issue(admin.token, {}, [many])).status).toBe(409);
    expect((await issue(admin.token)).status).toBe(201);
  });

  test("refuses a body by its Content-Length before it is stored", async () => {
    const { company, provider, put } = await limited(8 * megabyte);
    const { admin } = await company();
    const body = new Uint8Array(20 * megabyte);
    const headers = {
      authorization: `Bearer ${admin.token}`,
      "content-type": "multipart/form-data; boundary=b",
      "content-length": String(body.length),
    };
    const request = new Request("http://provider/api/documents/storeDocument", { method: "POST", headers, body });
    const answer = await provider.fetch(request, { clientAddress: "192.0.2.1" });
    expect([answer.status, (await answer.json()).message]).toEqual([409, expect.stringMatching(refusal)]);
    expect(put).toEqual([]);
  });

  test("stops a body without Content-Length at the quota, and stores nothing", async () => {
    const { company, provider, put, foldersOf } = await limited(8 * megabyte);
    const { admin } = await company();
    const file = asFile(Buffer.concat([png, Buffer.alloc(20 * megabyte)]), "large.png");
    const form = new Response(draftForm({ email: admin.email }, [file]));
    const headers = { authorization: `Bearer ${admin.token}`, "content-type": form.headers.get("content-type")! };
    const bytes = new Uint8Array(await form.arrayBuffer());
    const piece = megabyte / 16;
    const pieces = Array.from({ length: bytes.length / piece }, (_, n) => bytes.subarray(n * piece, (n + 1) * piece));
    const init = { method: "POST", headers, body: ReadableStream.from(pieces) as BodyInit, duplex: "half" };
    const request = new Request("http://provider/api/documents/storeDocument", init as RequestInit);
    const answer = await provider.fetch(request, { clientAddress: "192.0.2.1" });
    expect([answer.status, (await answer.json()).message]).toEqual([409, expect.stringMatching(refusal)]);
    expect(put).toHaveLength(1);
    expect(await foldersOf()).toEqual([]);
  });

  test("of several at once, issues as many as fit", async () => {
    const { company, issue, foldersOf } = await limited(2.5 * ofOne);
    const { admin } = await company();
    const answers = await Promise.all(Array.from({ length: 5 }, () => issue(admin.token, {}, [page()])));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(2);
    expect(new Set(statuses)).toEqual(new Set([201, 409]));
    expect(await foldersOf()).toHaveLength(statuses.filter((status) => status === 201).length);
  });

  test("answers a repeated request, though the quota is used up", async () => {
    const { company, issue } = await limited(1.5 * ofOne);
    const { admin } = await company();
    const send = () => issue(admin.token, { number: "NM-ONCE" }, undefined, { "idempotency-key": "k1" });
    const first = await send();
    expect(first.status).toBe(201);
    expect((await issue(admin.token)).status).toBe(409);
    expect((await send()).json.id).toBe(first.json.id);
  });
});

suite("GET /company/bill", () => {
  test("shows the used storage, and the quota if there is one", async () => {
    const { company, issue, call } = await limited(5_000_000);
    const { admin } = await company();
    const storage = async (token: string) => (await call("companyBill", { token })).json.storage;
    expect(await storage(admin.token)).toEqual({ bytes: 0, max_bytes: 5_000_000 });
    await issue(admin.token);
    expect(await storage(admin.token)).toEqual({ bytes: ofOne, max_bytes: 5_000_000 });
    const unlimited = await testProvider();
    expect(
      (await unlimited.call("companyBill", { token: (await unlimited.company()).admin.token })).json.storage,
    ).toEqual({
      bytes: 0,
      max_bytes: null,
    });
  });
});

suite("How many bytes a company stores", () => {
  test("is verified", async () => {
    const { company, issue, db } = await testProvider();
    const { id, admin } = await company();
    await issue(admin.token);
    const findViolations = async () => {
      const all = [];
      for await (const fault of violations(db)) all.push(fault);
      return all;
    };
    expect(await findViolations()).toEqual([]);
    await db.updateTable("companies").set({ stored_bytes: 1 }).execute();
    expect(await findViolations()).toEqual([`company ${id} counts 1 bytes of page files, which have ${png.length}`]);
  });
});
