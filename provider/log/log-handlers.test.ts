import { describe, expect, test } from "vitest";
import { hashOfLeaf } from "#lib/log/tree.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

/** A log with eight entries, of five documents among others. */
async function withLog() {
  const provider = await testProvider();
  const { call, company, issue, run } = provider;
  const { admin } = await company();
  await run("log");
  for (let n = 0; n < 5; n++) await issue(admin.token, { number: `NM-${n}` });
  await run("log");
  const [published] = (await call("publishedLogs")).json;
  return { ...provider, published, params: { log: published.address.split("/").at(-1) } };
}

suite("GET /log", () => {
  test("names the log, where it is, and the key that verifies it", async () => {
    const { published, params, services } = await withLog();
    expect(published).toMatchObject({ began_size: 0, reason: "first", ended_at: null });
    expect(published.address).toBe(`${services.publicUrl}/log/${params.log}`);
    expect(published.key).toMatch(/^\S+\+[0-9a-f]{8}\+\S+$/);
  });
});

suite("GET /log/{log}/checkpoint", () => {
  test("has the number of entries, and is of a log that there is", async () => {
    const { call, params, published } = await withLog();
    const [origin, size] = (await call("publishedCheckpoint", { params })).json.note.split("\n");
    expect([origin, size]).toEqual([published.origin, "8"]);
    expect((await call("publishedCheckpoint", { params: { log: "none" } })).status).toBe(404);
  });
});

suite("GET /log/{log}/tile", () => {
  test("shows strangers nothing but hashes", async () => {
    const { call, params, services } = await withLog();
    const tile = async (path: string) => call("publishedTile", { params, query: { path } });
    const bundle = Buffer.from((await tile("tile/entries/000.p/8")).bytes);
    expect(bundle.length).toBe(8 * 34);
    const hashes = Array.from({ length: 8 }, (_, n) => hashOfLeaf(bundle.subarray(n * 34 + 2, n * 34 + 34)));
    expect(Buffer.from((await tile("tile/0/000.p/8")).bytes)).toEqual(Buffer.concat(hashes));
    // An earlier, narrower tile is part of the wider one.
    expect(Buffer.from((await tile("tile/0/000.p/2")).bytes)).toEqual(Buffer.concat(hashes.slice(0, 2)));
    for (const path of ["tile/0/000", "tile/0/000.p/9", "tile/1/000.p/1", "tile/0/001", "checkpoint", "tile/0/../key"])
      expect([path, (await tile(path)).status]).toEqual([path, 404]);
    const keys = await Array.fromAsync(services.files.keys());
    expect(keys.filter((key) => key.startsWith("log/"))).toHaveLength(2);
  });
});
