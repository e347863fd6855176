import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { addDocuments } from "#tests/fixtures/documents.ts";
import { temporaryFile } from "#tests/fixtures/tables.ts";

const suite = describe.runIf(hasDatabase());

async function withSealed() {
  const provider = await testProvider();
  const { id: companyId, admin } = await provider.company();
  const bond = (await provider.issue(admin.token, { name: "Bond", number: "A/1", copies: "2" })).json;
  const lease = (await provider.issue(admin.token, { name: "Lease", number: "COM1" })).json;
  const other = (await provider.issue(admin.token, { name: "Other", number: "com1 copy" })).json;
  await provider.run("seals");
  const late = (await provider.issue(admin.token, { name: "Late", number: "LATE" })).json;
  const [empty] = await addDocuments(provider, companyId, admin.id, [{ name: "Empty", number: "EMPTY" }]);
  await provider.db.updateTable("documents").set({ pages: 0 }).where("id", "=", empty!.id).execute();
  const plan = (query: object, token = admin.token) => provider.call("planSealedPdfs", { token, query: { ...query } });
  const zip = (query: object, token = admin.token) =>
    provider.call("getChosenSealedPdfs", { token, query: { ...query } });
  const ids = [bond, lease, other, late, empty!].map(({ id }) => id).join(",");
  return { ...provider, companyId, admin, ids, bond, late, plan, zip };
}

const entriesOf = async (bytes: Uint8Array) => {
  const { stdout } = await promisify(execFile)("unzip", ["-Z1", temporaryFile(Buffer.from(bytes))]);
  return stdout.trim().split("\n");
};

suite("GET /sealed-pdfs", () => {
  test("says what the archive has and leaves out, and has the rest sealed", async () => {
    const { plan, ids, run, late, bond } = await withSealed();
    const { json } = await plan({ ids });
    expect(json).toMatchObject({ documents: 3, files: 4 });
    expect(json.left_out.map(({ name, reason }: { name: string; reason: string }) => [name, reason])).toEqual([
      ["Late", "not sealed yet"],
      ["Empty", "no pages"],
    ]);
    await run("seals");
    expect((await plan({ ids: `${late.id},${bond.id}` })).json).toMatchObject({ files: 3, left_out: [] });
    expect((await plan({ all: "1", filters: "name=bond" })).json).toMatchObject({ documents: 1, files: 2 });
  });

  test("is not given for another company’s documents, nor for more than can be", async () => {
    const { plan, zip, ids, company, db, bond } = await withSealed();
    const { admin } = await company();
    for (const reply of [await plan({ ids }, admin.token), await zip({ ids }, admin.token)])
      expect(reply.status).toBe(404);
    await db.updateTable("documents").set({ copies: 100 }).where("id", "=", bond.id).execute();
    expect((await plan({ ids: "" })).status).toBe(422);
  });
});

suite("GET /sealed-pdfs.zip", () => {
  test("has each copy under a name of its own that every system takes, and a list of what is left out", async () => {
    const { zip, ids } = await withSealed();
    const reply = await zip({ ids });
    expect(reply.headers.get("content-type")).toBe("application/zip");
    expect(Number(reply.headers.get("content-length"))).toBe(reply.bytes.length);
    expect((await entriesOf(reply.bytes)).toSorted()).toEqual(
      ["A-1 copy 1 of 2.pdf", "A-1 copy 2 of 2.pdf", "COM1-.pdf", "com1 copy.pdf", "left-out.txt"].toSorted(),
    );
    const file = temporaryFile(Buffer.from(reply.bytes));
    const { stdout } = await promisify(execFile)("unzip", ["-p", file, "left-out.txt"]);
    expect(stdout).toBe("\uFEFFLATE\tLate\tnot sealed yet\r\nEMPTY\tEmpty\tno pages\r\n");
  });

  test("is refused while none is sealed, and is in the audit trail of access", async () => {
    const { zip, late, bond, call, admin } = await withSealed();
    expect((await zip({ ids: String(late.id) })).json.errors.ids).toEqual([expect.stringContaining("is sealed yet")]);
    await zip({ ids: String(bond.id) });
    const { json } = await call("listAudit", { token: admin.token, query: { trail: "access", action: "downloaded" } });
    expect(json.map(({ entity_name }: { entity_name: string }) => entity_name)).toEqual(["Bond"]);
  });
});
