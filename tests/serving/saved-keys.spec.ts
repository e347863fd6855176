import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { verifyByLibraries } from "../fixtures/cose-libraries.ts";
import { rasterOf, without } from "../fixtures/pdf-programs.ts";
import { readByZbar, readByZxing } from "../fixtures/qr-decoders.ts";
import { expect, serve, test } from "../support/backups.ts";
import { inDatabase } from "../support/stored.ts";

type Keys = { keys: Parameters<typeof verifyByLibraries>[1][] };
type Sealed = { folder: string; sha256: string; qr_placing: string; pages: number; address: string };

/** The sealed PDFs on whose pages a code is stamped. */
const stampedPdfs = (data: string) =>
  inDatabase({ data }, (database) =>
    database
      .prepare<[], Sealed>(
        `select folder, sha256, pages, sealed_files.qr_placing,
           public_url || '/v/' || coalesce(document_copies.code, documents.code) as address
         from sealed_files join documents on documents.id = sealed_files.document_id
         left join document_copies on document_copies.document_id = documents.id and n = copy
         where sealed_files.qr_placing <> 'none'`,
      )
      .all(),
  );

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
  const stamped = stampedPdfs(stores.DATA_DIR);
  expect(stamped).toHaveLength(20);
  for (const { folder: documentFolder, sha256, qr_placing, pages, address } of stamped) {
    const sealed = join(folder, `${sha256}.pdf`);
    copyFileSync(join(stores.DATA_DIR, "files", documentFolder, `sealed-${sha256}.pdf`), sealed);
    const [, where, size] = qr_placing.split(":");
    const raster = await rasterOf(sealed, where === "last" ? pages : 1);
    const [printed] = await readByZxing(readFileSync(raster));
    expect(await readByZbar(raster)).toEqual([printed]);
    if (size === "small") {
      expect(printed).toBe(address);
      continue;
    }
    expect(printed!.replace(/\/\d+$/, "")).toBe(address);
    expect(await verifyByLibraries(printed!, keys[0]!)).toEqual({ auth0: true, coseJs: true });
    const elsewhere = printed!.replace("/v/", "/w/");
    expect(await verifyByLibraries(elsewhere, keys[0]!)).toEqual({ auth0: false, coseJs: false });
  }
});
