import { copyFileSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { verifyByLibraries } from "../fixtures/cose-libraries.ts";
import { rasterOf, without } from "../fixtures/pdf-programs.ts";
import { readByZbar, readByZxing } from "../fixtures/qr-decoders.ts";
import { expect, serve, test } from "../support/backups.ts";

type Keys = { keys: Parameters<typeof verifyByLibraries>[1][] };

test("printed codes are verified by libraries that are not ours, with the saved list of keys and no server", async ({
  sampleStores,
  folder,
  freshFile,
}) => {
  test.skip(without("pdftoppm") || without("zbarimg"), "needs pdftoppm (poppler-utils) and zbarimg (zbar-tools)");
  const stores = await sampleStores();
  const saved = freshFile(".json");
  const server = await serve(stores);
  writeFileSync(saved, await (await fetch(`${server.url}/.well-known/jwks.json`)).text());
  await server.stop();

  const { keys } = JSON.parse(readFileSync(saved, "utf8")) as Keys;
  expect(keys).toHaveLength(1);
  const stored = globSync("files/documents/*/sealed-*.pdf", { cwd: stores.DATA_DIR });
  let signed = 0;
  for (const [n, path] of stored.entries()) {
    const sealed = join(folder, `${n}.pdf`);
    copyFileSync(join(stores.DATA_DIR, path), sealed);
    const raster = await rasterOf(sealed, 1);
    const [printed] = await readByZxing(readFileSync(raster));
    if (!/\/v\/\w{17}\/\d+$/.test(printed ?? "")) continue;
    signed++;
    expect(await readByZbar(raster)).toEqual([printed]);
    expect(await verifyByLibraries(printed!, keys[0]!)).toEqual({ auth0: true, coseJs: true });
    const elsewhere = printed!.replace("/v/", "/w/");
    expect(await verifyByLibraries(elsewhere, keys[0]!)).toEqual({ auth0: false, coseJs: false });
  }
  expect(signed).toBeGreaterThan(0);
});
