import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { invoice } from "#tests/fixtures/altered-pdfs.ts";
import { oddPdfs } from "#tests/fixtures/odd-pdfs.ts";
import { without } from "#tests/fixtures/pdf-programs.ts";
import { sealPages } from "#tests/fixtures/sealed-file.ts";
import { differingSquares, drawnBy, renderers } from "#tests/fixtures/second-renderer.ts";
import { testSigner } from "#tests/fixtures/signer.ts";
import { oneIn } from "#tests/support/shares.ts";
import { comparePdfs } from "./compare.ts";

/** Pages of the odd PDFs, drawn over a sealed one: what any program shows of them is never called the same. */

vi.setConfig({ testTimeout: 120_000 });

const available = renderers.filter((renderer) => !without(renderer));
type Drawn = Awaited<ReturnType<typeof drawnBy>>;
let folder: string;
let sealed: string;
let before: Drawn[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "altered-corpus-"));
  sealed = join(folder, "sealed.pdf");
  await sealPages(invoice(1).slice(0, 1), sealed, testSigner());
  before = await Promise.all(available.map((renderer) => drawnBy(renderer, sealed)));
});
afterAll(() => rm(folder, { recursive: true }));

const corpus = oneIn(6, Object.entries(await oddPdfs()), ([name]) => name);

test.each(corpus)("a sealed page with %s over it", async (_, { pdf }) => {
  const altered = await PDFDocument.load(await readFile(sealed));
  const odd = await PDFDocument.load(pdf, { ignoreEncryption: true }).catch(() => undefined);
  // What pdf-lib can't read is no page to draw.
  if (!odd) return;
  const [drawn] = await altered.embedPdf(odd, [0]);
  altered.getPage(0).drawPage(drawn!, { x: 20, y: 20, xScale: 0.8, yScale: 0.8 });
  const path = join(folder, "altered.pdf");
  await writeFile(path, await altered.save({ updateFieldAppearances: false }));
  const { changes, more, uncompared } = await comparePdfs({ path, sealed, pictures: 0 });
  const after = await Promise.all(available.map((renderer) => drawnBy(renderer, path)));
  const isSeen = after.some((one, n) => differingSquares(before[n]!, one, 60) > 0);
  if (isSeen) expect(changes.length + more.length + uncompared.length).toBeGreaterThan(0);
});
