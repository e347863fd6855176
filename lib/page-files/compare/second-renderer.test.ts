import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { without } from "#tests/fixtures/pdf-programs.ts";
import { oddPdfs, withAmount } from "#tests/fixtures/odd-pdfs.ts";
import { differingSquares, drawnBy, drawnByPdfium, renderers } from "#tests/fixtures/second-renderer.ts";
import { oneIn } from "#tests/support/shares.ts";
import { compose } from "../seal/compose.ts";
import { inspect } from "../process/worker.ts";

/** What is sealed looks the same in PDFium, Poppler and MuPDF, or is refused. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "second-renderer-"));
});
afterAll(() => rm(folder, { recursive: true }));

const corpus = Object.entries(await oddPdfs());

async function stored(pdf: Buffer) {
  const path = join(folder, `${crypto.randomUUID()}.pdf`);
  await writeFile(path, pdf);
  return path;
}

/** Squares that differ along outlines and patterns, which programs place on whole pixels in their own ways. */
const edges = 0;
const available = renderers.filter((renderer) => !without(renderer));

describe("A PDF is sealed as every viewer shows it", () => {
  const drawn = corpus.filter(([, { refused }]) => !refused);

  test.each(oneIn(4, drawn, ([name]) => name))("with %s", async (_, { pdf, levels, isScaled }) => {
    const path = await stored(pdf);
    expect(await inspect({ path, image: `${path}.webp` })).toMatchObject({ pages: expect.any(Number) as number });
    const sealed = `${path}.sealed.pdf`;
    await compose([{ path, type: "application/pdf" }], sealed);
    const ours = await drawnByPdfium(sealed);
    for (const renderer of available) {
      const theirs = await drawnBy(renderer, sealed, isScaled ? ours : undefined);
      expect.soft(differingSquares(ours, theirs, levels), renderer).toBeLessThanOrEqual(edges);
    }
  });
});

test.each(available)("%s is seen to draw another amount", async (renderer) => {
  const [ours, theirs] = await Promise.all([stored(withAmount("1,250.00")), stored(withAmount("9,714.00"))]);
  expect(differingSquares(await drawnByPdfium(ours), await drawnBy(renderer, ours))).toBeLessThanOrEqual(edges);
  expect(differingSquares(await drawnByPdfium(ours), await drawnBy(renderer, theirs))).toBeGreaterThan(edges);
});

describe("A PDF is refused whose letters each viewer draws in its own way", () => {
  test.each(corpus.filter(([, { refused }]) => refused))("with %s", async (_, { pdf, refused }) => {
    const path = await stored(pdf);
    expect(await inspect({ path, image: `${path}.webp` })).toEqual({
      refused: expect.stringMatching(refused!) as string,
    });
  });
});
